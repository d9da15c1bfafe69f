/// What is known of a text stream from its first moment on.
public struct TextStreamHeader: Hashable, Sendable {
    /// The stream's id, unique in the room.
    public var id: String
    /// What the text is about, such as `lk.chat` or `lk.transcription`.
    public var topic: String
    /// The sender's identity; it may come before the sender is known as a participant.
    public var sender: String
    /// When the sender opened the stream, in seconds since 1970; `nil` when the backend does not know.
    public var timestamp: Double?
    /// Values that came with the opening, such as `lk.segment_id`.
    public var attributes: [String: String]

    /// Creates a header.
    public init(
        id: String,
        topic: String,
        sender: String,
        timestamp: Double? = nil,
        attributes: [String: String] = [:]
    ) {
        self.id = id
        self.topic = topic
        self.sender = sender
        self.timestamp = timestamp
        self.attributes = attributes
    }
}

/// One step of a text stream that is being received.
///
/// A stream is `opened` once, then any number of `chunk`s follow, then it has `ended` or `failed` once. Each part has
/// the header with it, so that a reader need not remember it.
public struct TextStreamPart: Hashable, Sendable {
    /// What happened to the stream.
    public enum Content: Hashable, Sendable {
        /// The sender began.
        case opened
        /// More text, to be appended; never empty.
        case chunk(String)
        /// The text is complete; the attributes are those that came only now, to be merged over the header's.
        case ended(attributes: [String: String])
        /// The stream broke off, with the reason; what came so far is all there is.
        case failed(String)
    }

    /// The stream that this belongs to.
    public var header: TextStreamHeader
    /// What happened to it.
    public var content: Content

    /// Creates a part.
    public init(header: TextStreamHeader, content: Content) {
        self.header = header
        self.content = content
    }
}

/// A text stream that is being sent.
///
/// Conformers deliver the writes in order. After ``close(attributes:)`` or ``fail(_:)`` further calls to ``write(_:)``
/// throw `closed`, and both endings become harmless.
public protocol TextStreamWriter: Sendable {
    /// The stream's id.
    var id: String { get }

    /// Sends more text; empty text sends nothing.
    ///
    /// - Throws: `closed` after the stream or the connection has ended, `notConnected` while reconnecting.
    func write(_ text: String) async throws(TransportError)

    /// Ends the stream: the text is complete.
    ///
    /// - Parameter attributes: Values that receivers merge over those of the opening.
    /// - Throws: `closed` when the connection ended first, `notConnected` while reconnecting.
    func close(attributes: [String: String]) async throws(TransportError)

    /// Breaks the stream off; receivers keep what they have and see the reason.
    func fail(_ reason: String) async
}

extension TextStreamWriter {
    /// Ends the stream without further attributes.
    ///
    /// - Throws: `closed` when the connection ended first, `notConnected` while reconnecting.
    public func close() async throws(TransportError) {
        try await close(attributes: [:])
    }
}
