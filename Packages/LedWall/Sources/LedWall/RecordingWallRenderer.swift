import Synchronization

/// Keeps every picture that it is given: the renderer for tests and previews.
public final class RecordingWallRenderer: WallRenderer {
    /// A picture and the words that came with it.
    public struct Entry: Hashable, Sendable {
        /// The picture.
        public let picture: WallPicture
        /// The line of words; empty for none.
        public let status: String
    }

    private struct State {
        var entries: [Entry] = []
        var failure: String?
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Creates an empty recording.
    public init() {}

    /// What was drawn so far, in order.
    public var entries: [Entry] { state.withLock { $0.entries } }

    /// Whether the recording has been finished.
    public var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Makes the following draws fail, as a renderer whose output is broken.
    ///
    /// - Parameter reason: What the error says; nil lets draws succeed again.
    public func failDraws(because reason: String?) {
        state.withLock { $0.failure = reason }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RecordingWallRenderer {
    public func draw(_ picture: WallPicture, status: String) throws(WallRendererError) {
        try state.withLock { state throws(WallRendererError) in
            guard !state.isFinished else { throw .finished }
            if let last = state.entries.last?.picture.input.seconds, picture.input.seconds < last {
                throw .timeWentBack(from: last, to: picture.input.seconds)
            }
            if let failure = state.failure { throw .output(failure) }
            state.entries.append(Entry(picture: picture, status: status))
        }
    }

    public func finish() throws(WallRendererError) {
        state.withLock { $0.isFinished = true }
    }
}
