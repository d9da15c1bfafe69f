import Foundation

/// Computes frames fast: the same values as `WallFormula`, within 1e-6.
///
/// The formulas hold one exponential and one sine a dot. Neither has to be computed there:
///
/// - The falloff of a dot is the product of the falloffs of its row and its column, since
///   `exp(-(dx² + dy²) k) = exp(-dx² k) · exp(-dy² k)`; and along a row they are the powers `q^(m²)` of one number, which
///   a recurrence of multiplications walks through.
/// - `sin(a + phase) = sin a · cos phase + cos a · sin phase`. Sine and cosine of each phase are fixed, those of the
///   time's angle `a` are computed once a frame, in `Double`, so that a wall that has run for months is as exact as a new
///   one.
///
/// What is left is the same line of arithmetic for every dot in every state, eight dots at a time:
/// `opacity = row · column · (a + b · radius + s · cos phase + c · sin phase)` and `size = d + e · radius`.
public struct WallFrameGenerator: Sendable {
    /// The dots that frames are computed for.
    public let grid: WallGrid

    private let radii: [Float]
    private let phaseCosines: [Float]
    private let phaseSines: [Float]

    /// Creates a generator and computes what does not change from frame to frame.
    ///
    /// - Parameter grid: The dots.
    public init(grid: WallGrid = .standard) {
        self.grid = grid
        radii = grid.radii.map { Float($0) }
        phaseCosines = grid.phases.map { Float(cos($0)) }
        phaseSines = grid.phases.map { Float(sin($0)) }
    }

    /// Computes a frame: the targets of all dots, without motion.
    ///
    /// - Parameter input: State, level and time.
    /// - Returns: A frame of the generator's grid.
    public func frame(for input: WallInput) -> WallFrame {
        var frame = WallFrame(side: grid.side)
        generate(input, into: &frame)
        return frame
    }

    /// Computes a frame in the storage of another one, without allocating.
    ///
    /// - Parameters:
    ///   - input: State, level and time.
    ///   - frame: The frame to overwrite; one of another side is replaced.
    public func generate(_ input: WallInput, into frame: inout WallFrame) {
        if frame.side != grid.side {
            frame = WallFrame(side: grid.side)
        }
        let terms = Terms(input)
        frame.opacity.withUnsafeMutableBufferPointer { opacity in
            frame.size.withUnsafeMutableBufferPointer { size in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: grid.side) { falloff in
                    Self.fillFalloff(falloff, rate: terms.falloffRate)
                    fill(opacity, size, falloff: UnsafeBufferPointer(falloff), terms: terms)
                }
            }
        }
    }

    private func fill(
        _ opacity: UnsafeMutableBufferPointer<Float>,
        _ size: UnsafeMutableBufferPointer<Float>,
        falloff: UnsafeBufferPointer<Float>,
        terms: Terms
    ) {
        let side = grid.side
        let lanes = SIMD8<Float>.scalarCount
        let (a, b, s, c) = (Float(terms.a), Float(terms.b), Float(terms.s), Float(terms.c))
        let (d, e) = (Float(terms.d), Float(terms.e))
        radii.withUnsafeBufferPointer { radii in
            phaseCosines.withUnsafeBufferPointer { cosines in
                phaseSines.withUnsafeBufferPointer { sines in
                    for row in 0..<side {
                        let start = row * side
                        let weight = falloff[row]
                        // The last step of a row is moved back so that it ends with the row: some dots are then
                        // computed twice, none is read or written past the end.
                        var column = 0
                        while column < side && side >= lanes {
                            let first = min(column, side - lanes)
                            let dot = start + first
                            let radius = radii.lanes(at: dot)
                            let swing = cosines.lanes(at: dot) * s + sines.lanes(at: dot) * c
                            let vis = falloff.lanes(at: first) * weight * (radius * b + a + swing)
                            opacity.setLanes(at: dot, to: vis.limited(to: 0.02, 1))
                            size.setLanes(at: dot, to: radius * e + d)
                            column += lanes
                        }
                        while column < side {
                            let dot = start + column
                            let swing = cosines[dot] * s + sines[dot] * c
                            let vis = falloff[column] * weight * (radii[dot] * b + a + swing)
                            opacity[dot] = min(max(vis, 0.02), 1)
                            size[dot] = radii[dot] * e + d
                            column += 1
                        }
                    }
                }
            }
        }
    }

    /// Writes `exp(-x² rate)` for the offset x of each row or column.
    ///
    /// With `m = 2 index - (side - 1)` the offset is `m / (side - 1)`, so each value is `q^(m²)` for
    /// `q = exp(-rate / (side - 1)²)`, and `q^((m + 2)²) = q^(m²) · q^(4m + 4)`.
    private static func fillFalloff(_ falloff: UnsafeMutableBufferPointer<Float>, rate: Double) {
        let side = falloff.count
        guard rate != 0, side > 1 else {
            falloff.initialize(repeating: 1)
            return
        }
        let steps = Double(side - 1)
        let q = exp(-rate / (steps * steps))
        let q4 = q * q * (q * q)
        let q8 = q4 * q4
        let isOdd = side % 2 == 1
        var value = isOdd ? 1 : q
        var ratio = isOdd ? q4 : q8
        var right = side / 2
        while right < side {
            falloff.initializeElement(at: right, to: Float(value))
            falloff.initializeElement(at: side - 1 - right, to: Float(value))
            value *= ratio
            ratio *= q8
            right += 1
        }
    }

    /// The numbers of one frame that are the same for all dots.
    private struct Terms {
        var a = 0.16
        var b = 0.0
        var s = 0.0
        var c = 0.0
        var d = 1.0
        var e = 0.0
        var falloffRate = 0.0

        init(_ input: WallInput) {
            let t = 30 * input.seconds
            if input.state.isStill {
                b = -0.08
            } else if input.signal > 0 {
                let level = min(1, 1.3 * input.signal)
                let gain = (0.35 + level) * (input.state == .speaking ? 1 : 0.55)
                a = 0.62 * gain
                s = 0.38 * gain * sin(0.32 * t)
                c = 0.38 * gain * cos(0.32 * t)
                d = 1 + 1.4 * level
                e = -1.4 * level
                falloffRate = 2.0 - 1.1 * level
            } else {
                b = -0.06
                s = 0.02 * sin(0.12 * t)
                c = 0.02 * cos(0.12 * t)
                d = 1.3
                e = -0.3
            }
        }
    }
}
