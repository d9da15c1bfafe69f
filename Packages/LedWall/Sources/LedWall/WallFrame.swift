/// Opacity and size of every dot at one moment, row by row.
public struct WallFrame: Hashable, Sendable {
    /// The number of dots along one side, at least 1.
    public let side: Int

    /// The opacity of each dot, 0...1; dot (row, column) is number `row * side + column`.
    public package(set) var opacity: [Float]

    /// The size of each dot; 1 is the dot at rest.
    public package(set) var size: [Float]

    /// Creates a frame whose dots are all alike.
    ///
    /// - Parameters:
    ///   - side: The number of dots along one side, 1...`WallGrid.maximumSide`; others count as the nearest of those.
    ///   - opacity: The opacity of every dot, 0...1.
    ///   - size: The size of every dot.
    public init(side: Int, opacity: Float = 0, size: Float = 1) {
        let side = min(max(side, 1), WallGrid.maximumSide)
        self.side = side
        self.opacity = Array(repeating: opacity, count: side * side)
        self.size = Array(repeating: size, count: side * side)
    }
}
