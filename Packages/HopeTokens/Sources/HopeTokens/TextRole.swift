/// A named role of text; the font is always the system's.
public struct TextRole: Hashable, Sendable {
    /// The unique place of the token, for instance `text.body`.
    public let path: String
    /// The family it is listed under: `text` or `aero.text`.
    public let group: String
    /// What is written in it, in one line.
    public let summary: String
    /// Points at the system's default text size; it grows and shrinks with the reader's setting.
    public let size: Double
    /// Distance of lines as a multiple of the size, or nil for the font's own.
    public let lineHeight: Double?
    /// Whether every character has the same width.
    public let isMonospaced: Bool
    /// Whether it is semibold rather than regular.
    public let isSemibold: Bool

    /// The last part of the path, for instance `body`.
    public var name: String {
        path.split(separator: ".").last.map(String.init) ?? path
    }

    private init(
        _ group: String,
        _ name: String,
        _ size: Double,
        lineHeight: Double? = nil,
        isMonospaced: Bool = false,
        isSemibold: Bool = false,
        _ summary: String
    ) {
        self.path = "\(group).\(name)"
        self.group = group
        self.summary = summary
        self.size = size
        self.lineHeight = lineHeight
        self.isMonospaced = isMonospaced
        self.isSemibold = isSemibold
    }
}

// The sizes of the system's styles at its default setting (Human Interface Guidelines, Typography, iOS, Large).
extension TextRole {
    /// The status label.
    public static let headline = TextRole("text", "headline", 17, isSemibold: true, "status label")
    /// The transcript.
    public static let body = TextRole("text", "body", 17, lineHeight: 1.55, "transcript")
    /// Captions and system rows.
    public static let caption = TextRole("text", "caption", 12, "captions, system rows")
    /// Times.
    public static let caption2 = TextRole("text", "caption2", 11, "times")
    /// Meridian's running text.
    public static let aeroBody = TextRole("aero.text", "body", 17, "running text")
    /// Meridian's labels, those of the cluster included.
    public static let aeroLabel = TextRole("aero.text", "label", 10.5, "labels, the cluster's included")
    /// Meridian's numbers: state line, counts, coordinates, scale, measurements, subtitles.
    public static let aeroMono = TextRole(
        "aero.text",
        "mono",
        12,
        isMonospaced: true,
        "state line, counts, coordinates, scale, measurements, subtitles"
    )

    /// Every role of both apps.
    public static let all = [headline, body, caption, caption2, aeroBody, aeroLabel, aeroMono]
}
