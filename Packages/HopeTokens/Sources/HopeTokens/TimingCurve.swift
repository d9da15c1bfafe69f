/// How the progress of an animation runs from 0 to 1 over its time.
///
/// The named curves have the values of CSS Easing Functions Level 1.
public enum TimingCurve: Hashable, Sendable {
    /// Progress equals time.
    case linear
    /// CSS's `cubic-bezier(x1, y1, x2, y2)`: the control points of a curve from (0, 0) to (1, 1).
    ///
    /// The x values are times and are held to 0…1; the y values are free, so a curve may overshoot.
    case cubicBezier(Double, Double, Double, Double)

    /// CSS's `ease`, its default.
    public static let ease = TimingCurve.cubicBezier(0.25, 0.1, 0.25, 1)
    /// CSS's `ease-in`.
    public static let easeIn = TimingCurve.cubicBezier(0.42, 0, 1, 1)
    /// CSS's `ease-out`; the app's own curve of that name is `MotionToken.easeOut`.
    public static let easeOut = TimingCurve.cubicBezier(0, 0, 0.58, 1)
    /// CSS's `ease-in-out`.
    public static let easeInOut = TimingCurve.cubicBezier(0.42, 0, 0.58, 1)

    /// The progress at a fraction of the time.
    ///
    /// - Parameter fraction: Time, 0…1; values outside are held to it and NaN counts as 0.
    /// - Returns: 0 at 0 and 1 at 1 exactly; in between within 1e-9 of the curve, except where it is vertical.
    public func progress(at fraction: Double) -> Double {
        guard fraction > 0 else { return 0 }
        guard fraction < 1 else { return 1 }
        switch self {
        case .linear:
            return fraction
        case .cubicBezier(let x1, let y1, let x2, let y2):
            let time = BezierAxis(Self.held(x1), Self.held(x2)).parameter(reaching: fraction)
            return BezierAxis(y1, y2).value(at: time)
        }
    }

    private static func held(_ x: Double) -> Double {
        x > 0 ? min(x, 1) : 0
    }
}

/// One coordinate of a cubic Bézier curve that starts at 0 and ends at 1, as a polynomial.
private struct BezierAxis {
    private let a: Double
    private let b: Double
    private let c: Double

    init(_ first: Double, _ second: Double) {
        c = 3 * first
        b = 3 * (second - first) - c
        a = 1 - c - b
    }

    func value(at t: Double) -> Double {
        ((a * t + b) * t + c) * t
    }

    /// Finds the parameter where a rising axis has a value, as browsers do: Newton's steps, then halving.
    ///
    /// Newton's method leaves the curve where its slope is near 0, so each step must stay inside the bracket.
    func parameter(reaching x: Double) -> Double {
        var low = 0.0
        var high = 1.0
        var t = x
        for _ in 0..<64 {
            let error = value(at: t) - x
            if error.magnitude < 1e-14 { break }
            if error > 0 { high = t } else { low = t }
            let slope = (3 * a * t + 2 * b) * t + c
            let next = t - error / slope
            t = slope > 1e-6 && next > low && next < high ? next : (low + high) / 2
        }
        return t
    }
}
