/// One property of all dots on its way, linearly, from where it was to where it should be.
struct DotApproach: Sendable {
    private var from: [Float]
    private var to: [Float]
    /// Seconds since the dot's target was set.
    ///
    /// Ages rather than times: a `Float` could not tell the milliseconds of a wall that has run for a day.
    private var age: [Float]
    /// Seconds from where a dot is to its target.
    private let duration: Float
    /// The age from which a dot counts as arrived: steps of time seldom add up to the duration exactly.
    private let arrival: Float

    init(count: Int, duration: Double) {
        self.duration = Float(duration)
        arrival = Float(duration - 2e-6)
        from = Array(repeating: 0, count: count)
        to = from
        age = Array(repeating: self.duration, count: count)
    }

    /// Puts every dot at its target.
    mutating func arrive(at targets: [Float], into values: inout [Float]) {
        for dot in to.indices {
            from[dot] = targets[dot]
            to[dot] = targets[dot]
            age[dot] = duration
            values[dot] = targets[dot]
        }
    }

    /// Moves every dot by a time step, writes where it is then, and sets it off to its target if that is a new one.
    ///
    /// - Returns: Whether any dot has a new target.
    mutating func advance(by step: Float, to targets: [Float], into values: inout [Float]) -> Bool {
        let count = to.count
        var isNew = false
        from.withUnsafeMutableBufferPointer { from in
            to.withUnsafeMutableBufferPointer { to in
                age.withUnsafeMutableBufferPointer { age in
                    targets.withUnsafeBufferPointer { targets in
                        values.withUnsafeMutableBufferPointer { values in
                            isNew = Self.advance(count, step, duration, arrival, from, to, age, targets, values)
                        }
                    }
                }
            }
        }
        return isNew
    }

    private static func advance(
        _ count: Int,
        _ step: Float,
        _ duration: Float,
        _ arrival: Float,
        _ from: UnsafeMutableBufferPointer<Float>,
        _ to: UnsafeMutableBufferPointer<Float>,
        _ age: UnsafeMutableBufferPointer<Float>,
        _ targets: UnsafeBufferPointer<Float>,
        _ values: UnsafeMutableBufferPointer<Float>
    ) -> Bool {
        let lanes = SIMD8<Float>.scalarCount
        let whole = SIMD8<Float>(repeating: duration)
        let rate = 1 / duration
        var different = SIMDMask<SIMD8<Int32>>(repeating: false)
        var dot = 0
        while dot + lanes <= count {
            let (start, end, target) = (from.lanes(at: dot), to.lanes(at: dot), targets.lanes(at: dot))
            var time = age.lanes(at: dot) + step
            let arrived = time .>= arrival
            time = time.replacing(with: whole, where: arrived)
            let value = (start + (end - start) * (time * rate)).replacing(with: end, where: arrived)
            let changed = target .!= end
            different = different .| changed
            values.setLanes(at: dot, to: value)
            from.setLanes(at: dot, to: start.replacing(with: value, where: changed))
            to.setLanes(at: dot, to: target)
            age.setLanes(at: dot, to: time.replacing(with: 0, where: changed))
            dot += lanes
        }
        var isNew = different != SIMDMask(repeating: false)
        while dot < count {
            let (start, end, target) = (from[dot], to[dot], targets[dot])
            let time = min(age[dot] + step, duration)
            let value = time >= arrival ? end : start + (end - start) * (time * rate)
            values[dot] = value
            age[dot] = time
            if target != end {
                isNew = true
                from[dot] = value
                to[dot] = target
                age[dot] = 0
            }
            dot += 1
        }
        return isNew
    }
}
