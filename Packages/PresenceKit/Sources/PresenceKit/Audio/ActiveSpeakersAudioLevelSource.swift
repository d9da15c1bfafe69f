import Synchronization
import TransportCore

/// The levels that a room says of its participants: of one by name, or of the loudest that a rule picks.
///
/// Whoever reads the room's events hands each list of active speakers to ``speakersChanged(_:)``; the source opens
/// nothing itself. A list is the whole truth: who is absent from it is at 0. What is handed over while the source does
/// not run is not kept.
public final class ActiveSpeakersAudioLevelSource: Sendable {
    private struct State {
        var clock: Stopwatch?
        var continuation: AudioLevelStream.Continuation?
    }

    private let owner: AudioLevelOwner
    private let includes: @Sendable (String) -> Bool
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// Makes a source that listens to no room yet.
    ///
    /// - Parameters:
    ///   - owner: Whose voice the levels count as.
    ///   - clock: The clock that stamps the levels.
    ///   - includes: Which identities count; the loudest of them is the level.
    public init(
        owner: AudioLevelOwner = .agent,
        clock: any Clock<Duration>,
        includes: @escaping @Sendable (String) -> Bool
    ) {
        self.owner = owner
        self.includes = includes
        self.clock = clock
    }

    deinit {
        state.withLock { $0.continuation }?.finish()
    }

    /// Takes the newest list of active speakers, identity to level.
    public func speakersChanged(_ levels: [String: Double]) {
        let loudest = levels.lazy
            .filter { self.includes($0.key) }
            .map { AudioLevel.sanitized($0.value) }
            .max()
        let (clock, continuation) = state.withLock { ($0.clock, $0.continuation) }
        guard let clock, let continuation else { return }
        continuation.yield(AudioLevel(source: owner, level: loudest ?? 0, time: clock.elapsed))
    }

    /// Ends the stream because the room is gone: after what is unread, with an error when there is one.
    public func roomEnded(_ error: AudioLevelSourceError? = nil) {
        take()?.finish(throwing: error)
    }

    private func take() -> AudioLevelStream.Continuation? {
        state.withLock { state in
            defer { state = State() }
            return state.continuation
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ActiveSpeakersAudioLevelSource: AudioLevelSource {
    public func start() async throws(AudioLevelSourceError) -> AudioLevelStream {
        let (stream, continuation) = AudioLevelStream.makeStream()
        let clock = Stopwatch(clock: clock)
        let isFree = state.withLock { state in
            guard state.continuation == nil else { return false }
            state = State(clock: clock, continuation: continuation)
            return true
        }
        guard isFree else {
            throw AudioLevelSourceError(.alreadyStarted, thing: "The room", reason: "is being heard already")
        }
        return stream
    }

    public func stop() async {
        take()?.finish()
    }
}
