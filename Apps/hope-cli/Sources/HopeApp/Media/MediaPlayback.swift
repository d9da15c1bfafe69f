internal import Foundation
internal import MediaProxy
internal import MediaSync
internal import Synchronization
internal import TransportCore
internal import TransportHTTP

/// A player that follows a media server: the player, the proxy where it needs one, and the controller between them.
struct MediaPlayback: Sendable {
    let access: MediaServerAccess
    let output: PlayerOutput
    let clock: any Clock<Duration>
    /// The time of day now, in seconds since 1970.
    let startedAt: Double
    /// The loudness to begin with, 0...1.
    let volume: Double
    /// Tells a room what is playing; nil tells nobody.
    var publish: MediaController.MediaStatePublisher?
    /// Takes sentences about the player and the proxy; must not wait.
    var tell: @Sendable (String) -> Void = { _ in }

    /// What a player that follows is used through.
    struct Use: Sendable {
        let controller: MediaController
        let tracks: KnownTracks
        let stopwatch: Stopwatch
    }

    /// Starts all of it, uses it, and ends it whatever happens: the player stops, and the server is told so.
    ///
    /// - Throws: `.unavailable` when the player cannot be started, or is lost; what the body throws.
    func run(_ body: @escaping @Sendable (Use) async throws -> Void) async throws {
        let stopwatch = Stopwatch(clock: clock)
        let tracks = KnownTracks()
        let (losses, loss) = AsyncStream.makeStream(of: String.self)
        let setting = PlayerOutput.Setting(
            stopwatch: stopwatch,
            tracks: tracks,
            allowsSilence: output.allowsSilence,
            tell: tell
        ) { loss.yield($0) }
        try await access.serve {
            try await output.play(setting) { player in
                try await withSources(noting: tracks) { resolve in
                    let controller = MediaController(
                        api: access.api,
                        player: player,
                        stopwatch: stopwatch,
                        startedAt: startedAt,
                        configuration: MediaControllerConfiguration(volume: volume),
                        resolve: resolve,
                        publish: publish
                    )
                    try await use(Use(controller: controller, tracks: tracks, stopwatch: stopwatch), losses, body)
                }
            }
        }
    }

    private func use(
        _ use: Use,
        _ losses: AsyncStream<String>,
        _ body: @escaping @Sendable (Use) async throws -> Void
    ) async throws {
        // Not a child task: what is cancelled here still stops the player and reports that, and is awaited below.
        let running = Task(executorPreference: ManualClock.runExecutor) { await use.controller.run() }
        let end: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await body(use)
                    return true
                }
                group.addTask {
                    for await words in losses {
                        throw CommandError(.unavailable, "the player is gone: \(words)")
                    }
                    return false
                }
                for try await isOver in group where isOver { group.cancelAll() }
            }
            end = .success(())
        } catch {
            end = .failure(error)
        }
        await use.controller.close()
        await running.value
        try end.get()
    }

    /// Makes what turns the addresses of tracks into ones that the player can open.
    private func withSources(
        noting tracks: KnownTracks,
        _ body: (@escaping MediaController.SourceResolver) async throws -> Void
    ) async throws {
        guard output.opensAddresses, access.needsProxy else {
            return try await body { source, track in
                tracks.note(track, at: source)
                return source
            }
        }
        let proxy: LoopbackMediaProxy
        do throws(TransportError) {
            proxy = try LoopbackMediaProxy(client: access.client, clock: clock)
        } catch {
            throw CommandError(.unavailable, error.message)
        }
        let shelf = ProxyShelf(session: proxy.makeSession(), access: access)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await proxy.run() }
            defer { group.cancelAll() }
            try await body { source, track in
                tracks.note(track, at: source)
                return try await shelf.address(of: track, at: source)
            }
            shelf.close()
        }
    }
}

/// The addresses of a proxy that tracks have been given.
private final class ProxyShelf: Sendable {
    private let session: MediaProxySession
    private let access: MediaServerAccess
    private let addresses = Mutex<[URL: URL]>([:])

    init(session: MediaProxySession, access: MediaServerAccess) {
        self.session = session
        self.access = access
    }

    func address(of track: MediaTrack, at source: URL) async throws -> URL {
        // The parts of an HLS stream are named by its list, which the proxy hands on as it is.
        if MediaContainer(of: track) == .hls { return source }
        if let known = addresses.withLock({ $0[source] }) { return known }
        guard let shared = MediaSource(track, headers: access.headers(for: source, in: nil)) else { return source }
        let address = try await session.share(shared)
        addresses.withLock { $0[source] = address }
        return address
    }

    func close() {
        session.close()
    }
}
