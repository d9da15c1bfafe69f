import Foundation

/// Opacity and size of one dot, in full precision.
public struct WallDot: Hashable, Sendable {
    /// The opacity, 0.02...1.
    public var opacity: Double

    /// The size: 1 is the dot at rest, 2.4 the loudest one; less than 1 towards the corners of a loud wall.
    public var size: Double

    /// Creates a dot.
    ///
    /// - Parameters:
    ///   - opacity: The opacity, 0...1.
    ///   - size: The size; 1 is the dot at rest.
    public init(opacity: Double, size: Double) {
        self.opacity = opacity
        self.size = size
    }
}

/// The plain formulas of the wall, in `Double` and one dot at a time.
///
/// They are the definition: `WallFrameGenerator` computes the same frames much faster and is held to within 1e-6 of
/// these. Use them where exactness matters more than time, for instance to print a frame.
public enum WallFormula {
    /// The range that opacities are clamped to.
    public static let opacities: ClosedRange<Double> = 0.02...1

    /// Computes where one dot should be.
    ///
    /// - Parameters:
    ///   - radius: The dot's distance from the centre, in half sides.
    ///   - phase: The dot's phase in radians.
    ///   - input: State, level and time.
    /// - Returns: The dot's opacity and size.
    public static func dot(radius: Double, phase: Double, for input: WallInput) -> WallDot {
        let t = 30 * input.seconds
        let vis: Double
        let size: Double
        if input.state.isStill {
            vis = 0.16 - 0.08 * radius
            size = 1
        } else if input.signal > 0 {
            let level = min(1, 1.3 * input.signal)
            let falloff = exp(-radius * radius * (2.0 - 1.1 * level))
            let ripple = 0.62 + 0.38 * sin(0.32 * t + phase)
            vis = falloff * (0.35 + level) * ripple * (input.state == .speaking ? 1 : 0.55)
            size = 1 + 1.4 * (1 - radius) * level
        } else {
            let breathe = 0.5 + 0.5 * sin(0.12 * t + phase)
            vis = 0.14 - 0.06 * radius + 0.04 * breathe
            size = 1 + 0.3 * (1 - radius)
        }
        return WallDot(opacity: min(max(vis, opacities.lowerBound), opacities.upperBound), size: size)
    }

    /// Computes where every dot should be, row by row.
    ///
    /// - Parameters:
    ///   - grid: The dots.
    ///   - input: State, level and time.
    /// - Returns: Opacity and size of every dot; dot (row, column) is number `row * side + column`.
    public static func dots(of grid: WallGrid, for input: WallInput) -> [WallDot] {
        zip(grid.radii, grid.phases).map { dot(radius: $0, phase: $1, for: input) }
    }
}
