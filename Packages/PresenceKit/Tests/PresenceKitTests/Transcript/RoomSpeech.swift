import PresenceKit
import TransportCore

/// A room's transcription streams, written down as tests read best.
struct RoomSpeech {
    static let me = "me"
    static let agent = "agent-1"

    var transcript: Transcript
    private var nextStream = 1
    private(set) var changes: [TranscriptChange] = []

    init(limits: TranscriptLimits = TranscriptLimits()) {
        transcript = Transcript(localIdentity: Self.me, limits: limits)
    }

    /// Id, text and a mark for what is not final, of each row.
    var lines: [String] { transcript.rows.map(Self.line) }

    static func line(_ row: TranscriptRow) -> String {
        let mark = row.isFinal ? "" : row.isInterrupted ? " (interrupted)" : " …"
        return "\(row.id) \(row.role.rawValue): \(row.text)\(mark)"
    }

    /// A whole stream of one update.
    @discardableResult
    mutating func say(
        _ text: String,
        by sender: String = agent,
        segment: String? = nil,
        final: Bool? = nil,
        at time: Double,
        stream: String? = nil
    ) -> [TranscriptChange] {
        let header = begin(by: sender, segment: segment, final: final, at: time, stream: stream)
        var changes: [TranscriptChange] = []
        if !text.isEmpty { changes += add(.chunk(text), to: header) }
        changes += add(.ended(attributes: [:]), to: header)
        return changes
    }

    /// The opening of a stream.
    mutating func begin(
        by sender: String = agent,
        segment: String? = nil,
        final: Bool? = nil,
        at time: Double,
        stream: String? = nil,
        topic: String = "lk.transcription"
    ) -> TextStreamHeader {
        var attributes: [String: String] = [:]
        attributes["lk.segment_id"] = segment
        attributes["lk.transcription_final"] = final.map { $0 ? "true" : "false" }
        let header = TextStreamHeader(
            id: stream ?? "stream-\(nextStream)",
            topic: topic,
            sender: sender,
            timestamp: time,
            attributes: attributes
        )
        nextStream += 1
        add(.opened, to: header)
        return header
    }

    @discardableResult
    mutating func add(_ content: TextStreamPart.Content, to header: TextStreamHeader) -> [TranscriptChange] {
        let new = transcript.apply(TextStreamPart(header: header, content: content), receivedAt: header.timestamp ?? 0)
        changes += new
        return new
    }
}
