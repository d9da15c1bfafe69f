/// Where the parts of the wall stand, in points or any other unit that its side is given in.
///
/// The numbers are those of a wall of 180 points, scaled with the wall.
public struct WallLayout: Hashable, Sendable {
    /// The largest side of a wall that is laid out by the available width, in points.
    public static let maximumSide = 200.0

    /// What a wall leaves free of the available width, both sides together, in points.
    public static let margin = 32.0

    /// The side of the plate, at least 0.
    public let side: Double

    /// The number of dots along one side, at least 1.
    public let dotsPerSide: Int

    /// Lays out the wall in a column of the screen: `min(200, width - 32)`, never below 0.
    ///
    /// - Parameters:
    ///   - availableWidth: The width of the column in points; NaN counts as 0.
    ///   - dotsPerSide: The number of dots along one side; less than 1 counts as 1.
    public init(availableWidth: Double, dotsPerSide: Int = 21) {
        let side = availableWidth.isNaN ? 0 : min(Self.maximumSide, availableWidth - Self.margin)
        self.init(side: side, dotsPerSide: dotsPerSide)
    }

    /// Lays out a wall of a given side.
    ///
    /// - Parameters:
    ///   - side: The side of the plate; NaN, an infinity or a negative number counts as 0.
    ///   - dotsPerSide: The number of dots along one side; less than 1 counts as 1.
    public init(side: Double, dotsPerSide: Int = 21) {
        self.side = side.isFinite ? max(0, side) : 0
        self.dotsPerSide = max(1, dotsPerSide)
    }

    /// The factor from the wall of 180 points to this one.
    public var scale: Double { side / 180 }

    /// The radius of the plate's corners: 26/320 of the side.
    public var plateRadius: Double { side * 26 / 320 }

    /// The space between the plate's edge and the outermost cells: 12 at 180.
    public var padding: Double { 12 * scale }

    /// The space between two cells: 2 at 180.
    public var gap: Double { 2 * scale }

    /// The side of the square cell that a dot stands in the middle of, at least 0.
    public var cell: Double {
        let count = Double(dotsPerSide)
        return max(0, (side - 2 * padding - (count - 1) * gap) / count)
    }

    /// The distance between the centres of two neighbouring dots.
    public var pitch: Double { dotsPerSide > 1 ? (side - 2 * padding - cell) / Double(dotsPerSide - 1) : 0 }

    /// The distance of the centre of a row or column from the plate's top or leading edge.
    ///
    /// - Parameter index: A row or column, 0..<dotsPerSide; others are extrapolated.
    /// - Returns: The distance in the unit of `side`.
    public func center(of index: Int) -> Double { padding + cell / 2 + Double(index) * pitch }

    /// The diameter of a dot: at 180, linear from 5 at size 1 to 9 at size 2.4; extrapolated, never below 0.
    ///
    /// - Parameter size: The dot's size as in a frame.
    /// - Returns: The diameter in the unit of `side`.
    public func diameter(ofSize size: Double) -> Double { max(0, 5 + (size - 1) * 4 / 1.4) * scale }
}
