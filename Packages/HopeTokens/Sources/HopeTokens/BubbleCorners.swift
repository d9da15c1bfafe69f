/// The corner radii of a transcript bubble, in points.
public struct BubbleCorners: Hashable, Sendable {
    /// The upper corner where lines begin.
    public let topLeading: Double
    /// The upper corner where lines end.
    public let topTrailing: Double
    /// The lower corner where lines begin.
    public let bottomLeading: Double
    /// The lower corner where lines end.
    public let bottomTrailing: Double

    /// The user's bubble, cut at the bottom trailing corner.
    public static let user = BubbleCorners(
        bottomLeading: MetricToken.bubbleRadius.value,
        bottomTrailing: MetricToken.bubbleCutRadius.value
    )
    /// The agent's bubble, cut at the bottom leading corner.
    public static let agent = BubbleCorners(
        bottomLeading: MetricToken.bubbleCutRadius.value,
        bottomTrailing: MetricToken.bubbleRadius.value
    )

    private init(bottomLeading: Double, bottomTrailing: Double) {
        topLeading = MetricToken.bubbleRadius.value
        topTrailing = MetricToken.bubbleRadius.value
        self.bottomLeading = bottomLeading
        self.bottomTrailing = bottomTrailing
    }
}
