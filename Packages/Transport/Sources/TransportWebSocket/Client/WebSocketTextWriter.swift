import Synchronization
import TransportCore

/// A text stream to a room server.
final class WebSocketTextWriter: TextStreamWriter {
    /// How many chunks are on their way at once.
    private static let window = 16

    let id: String
    private let link: RoomLink
    private let hasEnded = Mutex(false)

    init(id: String, link: RoomLink) {
        self.id = id
        self.link = link
    }

    func write(_ text: String) async throws(TransportError) {
        guard !hasEnded.withLock({ $0 }) else {
            throw TransportError(.closed, "The text stream “\(id)” has ended; open a new one.")
        }
        let chunks = text.chunks(ofAtMost: TextChunk.maximumBytes)
        for start in stride(from: 0, to: chunks.count, by: Self.window) {
            let part = chunks[start..<min(chunks.count, start + Self.window)]
            try await link.request(part.map { .chunk(id: id, text: $0) })
        }
    }

    func close(attributes: [String: String]) async throws(TransportError) {
        if hasEnded.withLock({ $0 }) { return }
        try await link.request([.end(id: id, attributes: attributes)])
        hasEnded.withLock { $0 = true }
    }

    func fail(_ reason: String) async {
        if hasEnded.withLock({ $0 }) { return }
        _ = try? await link.request([.fail(id: id, reason: reason)])
        hasEnded.withLock { $0 = true }
    }
}
