/// One row of the transcript: what one speaker said at one time.
public struct TranscriptRow: Hashable, Identifiable, Sendable {
    /// What became of a row's text on its way.
    public enum Delivery: Hashable, Sendable {
        /// It came from the room, or needs no way.
        case received
        /// Typed here and on its way.
        case sending
        /// Typed here and taken by the room.
        case sent
        /// Typed here and not sent; the reason is a sentence for the person, who may try again.
        case failed(reason: String)
    }

    /// The row's name, unique in its transcript and the same for the row's whole life.
    public let id: String
    /// Who said it.
    public let role: TranscriptRole
    /// What was said; agent text without delivery markers.
    public var text: String
    /// Whether the text is complete.
    public var isFinal: Bool
    /// When it was said: seconds since 1970, from the sender's clock.
    public var time: Double
    /// Whether the text broke off before it was complete.
    public var isInterrupted: Bool
    /// Whether the text was too long to keep whole.
    public var isTruncated: Bool
    /// What became of the text on its way.
    public var delivery: Delivery

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - id: The row's name.
    ///   - role: Who said it.
    ///   - text: What was said.
    ///   - isFinal: Whether the text is complete.
    ///   - time: Seconds since 1970.
    ///   - isInterrupted: Whether the text broke off.
    ///   - isTruncated: Whether the text was too long to keep whole.
    ///   - delivery: What became of the text on its way.
    public init(
        id: String,
        role: TranscriptRole,
        text: String,
        isFinal: Bool,
        time: Double,
        isInterrupted: Bool = false,
        isTruncated: Bool = false,
        delivery: Delivery = .received
    ) {
        self.id = id
        self.role = role
        self.text = text
        self.isFinal = isFinal
        self.time = time
        self.isInterrupted = isInterrupted
        self.isTruncated = isTruncated
        self.delivery = delivery
    }
}
