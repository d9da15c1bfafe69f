/// How much a transcript keeps.
public struct TranscriptLimits: Hashable, Sendable {
    /// The most rows; beyond them the oldest goes.
    public var rows: Int
    /// The most UTF-8 bytes of one stream's text; what comes after them is left out, and the row says so.
    public var textBytes: Int
    /// The most streams that are open at once; beyond them the oldest counts as broken off.
    public var openStreams: Int

    /// Makes limits; each is at least 1.
    ///
    /// - Parameters:
    ///   - rows: The most rows.
    ///   - textBytes: The most bytes of one stream's text.
    ///   - openStreams: The most open streams.
    public init(rows: Int = 10_000, textBytes: Int = 262_144, openStreams: Int = 256) {
        self.rows = max(1, rows)
        self.textBytes = max(1, textBytes)
        self.openStreams = max(1, openStreams)
    }
}
