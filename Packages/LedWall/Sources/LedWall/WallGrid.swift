import Foundation

/// The square of dots: where each one stands and which phase it swings with.
///
/// Distances and phases are computed once, when the grid is made. Dots are numbered row by row:
/// `row * side + column`.
public struct WallGrid: Sendable {
    /// The largest side that a grid takes.
    public static let maximumSide = 256

    /// The grid of the avatar: 21 × 21.
    public static let standard = WallGrid(side: 21)

    /// The grid for old devices, drawn 15 times a second: 17 × 17.
    public static let compact = WallGrid(side: 17)

    /// The number of dots along one side, 1...`maximumSide`.
    public let side: Int

    /// The distance of each dot from the centre, in half sides: 0 at the centre, √2 at a corner.
    public let radii: [Double]

    /// The phase of each dot, 0..<2π.
    public let phases: [Double]

    /// Creates a grid.
    ///
    /// - Parameter side: The number of dots along one side. Less than 1 counts as 1, more than
    ///   `maximumSide` as `maximumSide`. The only dot of side 1 is the centre.
    public init(side: Int = 21) {
        let side = min(max(side, 1), Self.maximumSide)
        self.side = side
        var radii: [Double] = []
        var phases: [Double] = []
        radii.reserveCapacity(side * side)
        phases.reserveCapacity(side * side)
        for row in 0..<side {
            let dy = Self.offset(of: row, side: side)
            for column in 0..<side {
                let dx = Self.offset(of: column, side: side)
                radii.append((dx * dx + dy * dy).squareRoot())
                let noise = sin(12.9898 * Double(row) + 78.233 * Double(column)) * 43758.5453
                phases.append(2 * Double.pi * (noise - noise.rounded(.down)))
            }
        }
        self.radii = radii
        self.phases = phases
    }

    /// The number of dots.
    public var dotCount: Int { side * side }

    /// The distance of a row or column from the middle one, in half sides: −1...1.
    ///
    /// - Parameter index: A row or column, 0..<side; others are extrapolated.
    /// - Returns: −1 for the first, 0 for the middle and 1 for the last one.
    public func offset(of index: Int) -> Double { Self.offset(of: index, side: side) }

    private static func offset(of index: Int, side: Int) -> Double {
        let half = Double(side - 1) / 2
        return half > 0 ? (Double(index) - half) / half : 0
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension WallGrid: Hashable {
    // Everything else follows from the side.
    public static func == (left: WallGrid, right: WallGrid) -> Bool { left.side == right.side }

    public func hash(into hasher: inout Hasher) { hasher.combine(side) }
}
