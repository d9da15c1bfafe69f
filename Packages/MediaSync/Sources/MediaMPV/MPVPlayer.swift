public import Foundation
public import MediaSync
public import TransportCore

/// Plays tracks with mpv, which runs as a program of its own and is told over its JSON IPC what to do.
///
/// Should mpv die, that is told with its last words, and it is started anew once with what was loaded, where it was;
/// after a second death the player is gone. mpv ends with ``close()``, when the player is let go of, and with this
/// process, however that ends. Give it only addresses that may be fetched as they are: it checks no certificate pins.
public final class MPVPlayer: Sendable {
    private let session: MPVSession

    private init(session: MPVSession) {
        self.session = session
    }

    deinit {
        session.beginClosing()
    }

    /// Starts mpv and waits until it answers.
    ///
    /// - Parameters:
    ///   - program: Which mpv is run, and how.
    ///   - stopwatch: The time that positions carry; whoever reads them has the same one.
    ///   - onDeath: Called each time that mpv dies unasked, with how and its last words, from a thread of the player's;
    ///     must not block.
    /// - Returns: A player that has nothing loaded.
    /// - Throws: `MediaPlayerError` with `playerGone` when mpv is not installed or does not run, which its message says
    ///   together with the remedy; with `cancelled`.
    public static func start(
        _ program: MPVProgram = MPVProgram(),
        stopwatch: Stopwatch,
        onDeath: @escaping @Sendable (MediaPlayerError) -> Void = { _ in }
    ) async throws(MediaPlayerError) -> MPVPlayer {
        let player = MPVPlayer(session: try MPVSession(program, stopwatch: stopwatch, onDeath: onDeath))
        do {
            try await player.session.start()
        } catch {
            guard Task.isCancelled else { throw error }
            throw MediaPlayerError(code: .cancelled, message: "mpv was not started, since the task was cancelled.")
        }
        return player
    }

    /// Starts mpv, uses it, and ends it whatever happens.
    ///
    /// - Parameters:
    ///   - program: Which mpv is run, and how.
    ///   - stopwatch: The time that positions carry.
    ///   - onDeath: Called each time that mpv dies unasked.
    ///   - body: Uses the player, which is closed afterwards.
    /// - Returns: What `body` returns.
    /// - Throws: As ``start(_:stopwatch:onDeath:)``, and what `body` throws.
    public static func withPlayer<Result>(
        _ program: MPVProgram = MPVProgram(),
        stopwatch: Stopwatch,
        onDeath: @escaping @Sendable (MediaPlayerError) -> Void = { _ in },
        _ body: (MPVPlayer) async throws -> Result
    ) async throws -> Result {
        let player = try await start(program, stopwatch: stopwatch, onDeath: onDeath)
        do {
            let result = try await body(player)
            await player.close()
            return result
        } catch {
            await player.close()
            throw error
        }
    }

    /// Ends mpv, finishes the snapshots and waits until nothing is left of it.
    ///
    /// May be called more than once. Cancelling does not shorten the wait, which is two seconds at most.
    public func close() async {
        await session.close()
    }

    /// The number of mpv's process, nil while there is none.
    package var processNumber: Int32? { session.processNumber }

    /// Asks mpv what a property is; nil when it does not say.
    package func property(_ name: String) async -> MPVValue? {
        await session.ask(name)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MPVPlayer: MediaPlayer {
    public var formats: PlayableFormats { .mpv }

    public func load(_ load: PlayerLoad) async throws(MediaPlayerError) {
        try session.act { $0.load(load) }
    }

    public func wire(_ source: URL, position: Double) async throws(MediaPlayerError) {
        try session.act { $0.wire(source, position: position) }
    }

    public func play() async throws(MediaPlayerError) {
        try session.act { $0.play() }
    }

    public func pause() async throws(MediaPlayerError) {
        try session.act { $0.pause() }
    }

    public func seek(to position: Double) async throws(MediaPlayerError) {
        try session.act { $0.seek(to: position) }
    }

    public func stop() async throws(MediaPlayerError) {
        try session.act { $0.stop() }
    }

    public func setVolume(_ volume: Double) async throws(MediaPlayerError) {
        try session.act { $0.setVolume(volume) }
    }

    public func snapshots() async -> AsyncStream<PlayerSnapshot> {
        session.snapshots()
    }
}
