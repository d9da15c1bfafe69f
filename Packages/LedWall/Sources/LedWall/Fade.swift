import HopeTokens

/// A value on its way to another one, as a token of motion says.
struct Fade<Value: Mixable>: Sendable {
    private(set) var value: Value
    private(set) var isOver = true
    private var from: Value
    private var to: Value
    private var age = 0.0
    private let duration: Double
    private let curve: TimingCurve

    init(at value: Value, _ token: MotionToken) {
        duration = token.duration
        curve = token.curve
        self.value = value
        from = value
        to = value
    }

    mutating func jump(to value: Value) {
        self.value = value
        from = value
        to = value
        isOver = true
    }

    mutating func retarget(to value: Value) {
        from = self.value
        to = value
        age = 0
        isOver = from == to
    }

    mutating func advance(by seconds: Double) {
        guard !isOver else { return }
        age += seconds
        // Steps of time seldom add up to the duration exactly; a nanosecond short is there.
        isOver = age >= duration - 1e-9
        value = isOver ? to : from.mixed(with: to, by: curve.progress(at: age / duration))
    }
}

/// A value with values between two of its kind.
protocol Mixable: Equatable, Sendable {
    func mixed(with other: Self, by fraction: Double) -> Self
}

extension ColorValue: Mixable {}

extension Double: Mixable {
    func mixed(with other: Double, by fraction: Double) -> Double { self + (other - self) * fraction }
}
