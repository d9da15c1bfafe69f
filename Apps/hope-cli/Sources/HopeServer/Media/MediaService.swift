internal import Foundation
internal import MediaSync
internal import Synchronization
public import TransportCore
internal import TransportHTTP

/// The media API over a library: what each room plays, the bytes of it, and what people change.
///
/// A ``DevelopmentServer`` serves it over the network when it stands in its configuration, and runs it; within a process
/// ``client()`` reaches it without any network, for which ``run()`` is needed only with a folder.
public final class MediaService: Sendable {
    /// The room of those who are in no conversation.
    public static let defaultRoom = "default"
    /// How many rooms are remembered; those that nothing has been done in for longest are forgotten first.
    static let maximumRooms = 1_000
    /// How many tracks somebody is asked to choose from.
    static let maximumChoices = 10
    static let maximumResults = 50
    /// How far ahead of the server's clock a player's may be, in seconds.
    static let clockTolerance = 30.0

    private struct Room {
        var playback = RoomPlayback()
        var lastChange = 0
    }

    private struct State {
        var rooms: [String: Room] = [:]
        var changes = 0
    }

    let catalog: MediaCatalog
    let converter: MediaConverter
    private let startedAt: Double
    private let time: Stopwatch
    private let end: AsyncStream<Never>
    private let ending: AsyncStream<Never>.Continuation
    private let state = Mutex(State())

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - library: The tracks.
    ///   - startedAt: The time of day now, in seconds since 1970.
    ///   - clock: What every wait and every time is measured on.
    public init(_ library: MediaLibrary, startedAt: Double, clock: any Clock<Duration> = ContinuousClock()) {
        catalog = MediaCatalog(library, clock: clock)
        converter = MediaConverter(library, clock: clock)
        self.startedAt = startedAt
        time = Stopwatch(clock: clock)
        (end, ending) = AsyncStream.makeStream(of: Never.self)
    }

    /// Looks into files and converts them until the task is cancelled or ``stop()`` is called; it can be run once.
    ///
    /// Conversions that are not finished then are given up, and begun anew when they are asked for again.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.catalog.probe() }
            group.addTask {
                await self.catalog.refresh()
                self.converter.prune(keeping: await self.catalog.entries)
                await self.converter.run()
            }
            for await _ in end {}
            group.cancelAll()
        }
    }

    /// Ends ``run()``.
    public func stop() {
        ending.finish()
    }

    /// How many tracks there are, and what whoever runs the server should know.
    ///
    /// - Returns: The count after a look at the folder, and sentences about missing programs and files left out.
    public func summary() async -> (trackCount: Int, notices: [String]) {
        await catalog.refresh()
        return (await catalog.entries.count + catalog.streamTracks.count, await catalog.notices)
    }

    /// Where an agent asks for something to be played in a room.
    ///
    /// - Parameter room: The agent's room.
    /// - Returns: The desk of that room alone.
    public func desk(for room: String) -> any MediaDesk { RoomMediaDesk(service: self, room: room) }

    /// Reaches the API within the process, at any host's address.
    ///
    /// - Returns: A client that answers 404 to whatever is not the API's.
    public func client() -> any HTTPClient { EmbeddedMediaClient(service: self) }

    // MARK: Rooms

    var now: Double { startedAt + time.elapsed.inSeconds }

    static func room(_ name: String?) throws(MediaRefusal) -> String {
        guard let name else { return defaultRoom }
        guard (1...256).contains(name.utf8.count), !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw MediaRefusal(400, "room must have 1 to 256 characters")
        }
        return name
    }

    /// Changes what a room plays.
    func change<Failure: Error>(
        _ room: String,
        _ body: (inout RoomPlayback) throws(Failure) -> Void
    ) throws(Failure) {
        try state.withLock { state throws(Failure) in
            var changed = state.rooms[room] ?? Room()
            try body(&changed.playback)
            state.changes += 1
            changed.lastChange = state.changes
            state.rooms[room] = changed
            guard state.rooms.count > Self.maximumRooms else { return }
            let others = state.rooms.filter { $0.key != Self.defaultRoom }
            if let oldest = others.min(by: { $0.value.lastChange < $1.value.lastChange }) {
                state.rooms[oldest.key] = nil
            }
        }
    }

    func playback(in room: String) -> RoomPlayback {
        state.withLock { $0.rooms[room]?.playback } ?? RoomPlayback()
    }

    /// What a room is to play, with the tracks as they are now.
    func mediaState(of room: String) async -> MediaState {
        let playback = playback(in: room)
        let track = await track(of: playback)
        return playback.state(track: track, pending: converter.pending)
    }

    /// The track of a room; nil when nothing is played, or what was played is not there any more.
    func track(of playback: RoomPlayback) async -> MediaTrack? {
        guard let id = playback.trackID else { return nil }
        return await track(id)
    }

    // MARK: Tracks

    /// A track as a player gets it: without the address of a conversion that is not made yet, which is begun.
    func track(_ id: String) async -> MediaTrack? {
        if let stream = await catalog.stream(id) { return stream }
        guard let entry = await catalog.entry(id) else { return nil }
        guard converter.converts(entry) else { return original(entry) }
        if converter.isDone(entry) { return converted(entry) }
        converter.start(entry)
        return entry.track(source: nil, mimeType: MediaFileType.mp4.mimeType)
    }

    /// A track as the library lists it: whoever asks for a conversion there waits until it is made.
    func listed(_ entry: MediaEntry) -> MediaTrack {
        converter.converts(entry) ? converted(entry) : original(entry)
    }

    private func original(_ entry: MediaEntry) -> MediaTrack {
        entry.track(source: entry.path, mimeType: entry.type.mimeType)
    }

    private func converted(_ entry: MediaEntry) -> MediaTrack {
        entry.track(source: entry.convertedPath, mimeType: MediaFileType.mp4.mimeType)
    }

    func libraryTracks() async -> [MediaTrack] {
        await catalog.entries.map(listed) + catalog.streamTracks
    }

    /// Finds tracks, the best first.
    func choices(for query: String, limit: Int) async -> [MediaChoice] {
        await catalog.search(query, limit: limit).map { found in
            let track =
                switch found {
                case .entry(let entry): listed(entry)
                case .stream(let track): track
                }
            return Self.choice(track)
        }
    }

    static func choice(_ track: MediaTrack) -> MediaChoice {
        MediaChoice(
            id: track.id,
            title: track.title,
            channel: track.channel,
            duration: track.duration,
            art: track.art,
            isInLibrary: true
        )
    }

    /// Plays a track in a room.
    ///
    /// - Throws: 404 when there is none of that id.
    func play(
        _ id: String,
        at position: Double? = nil,
        startPaused: Bool = false,
        in room: String
    ) async throws(MediaRefusal) -> MediaTrack {
        var track = await track(id)
        if track == nil {
            // It may have come since the folder was looked at.
            await catalog.refresh()
            track = await self.track(id)
        }
        guard let track else { throw MediaRefusal(404, "there is no track “\(id.prefix(100))” in the library") }
        change(room) { playback in
            playback.play(
                track.id,
                isLive: track.kind == .stream,
                at: position.map { min($0, track.duration ?? $0) },
                startPaused: startPaused,
                now: now
            )
        }
        return track
    }

    /// Forgets a track in every room.
    func forget(_ id: String) {
        state.withLock { state in
            for room in state.rooms.keys { state.rooms[room]?.playback.remove(id) }
        }
    }
}

/// The desk of one room.
private struct RoomMediaDesk: MediaDesk {
    /// How many tracks are named when anything will do.
    static let suggestions = 5

    let service: MediaService
    let room: String

    func play(_ words: String) async -> MediaOffer {
        await service.catalog.refresh()
        let choices: [MediaChoice]
        if MediaSearch.folded(words).isEmpty {
            choices = await service.libraryTracks().prefix(Self.suggestions).map(MediaService.choice)
        } else {
            choices = await service.choices(for: words, limit: MediaService.maximumChoices)
        }
        guard let first = choices.first else { return .nothing }
        if choices.count == 1, let track = try? await service.play(first.id, in: room) {
            return .plays(title: track.title)
        }
        service.change(room) { $0.offer(choices) }
        return .offers(titles: choices.map(\.title))
    }
}
