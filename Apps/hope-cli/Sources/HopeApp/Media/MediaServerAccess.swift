internal import Foundation
internal import HopeServer
internal import MediaSync
internal import PresenceKit
internal import TransportCore

/// The media server of a command: over the network, or inside the process.
struct MediaServerAccess: Sendable {
    /// Where the tracks of a server inside the process come from.
    enum Library: Sendable {
        case samples
        case folder(String)
    }

    private enum Place: Sendable {
        case network(ServerAccess)
        case embedded(MediaService, isFolder: Bool)
    }

    private static let embeddedAddress = "http://embedded"

    let api: MediaAPI
    /// What fetches the bytes of tracks.
    let client: any HTTPClient
    private let base: URL
    private let place: Place
    private let timeOfDay: @Sendable () -> Double

    /// A server over the network.
    ///
    /// - Throws: `.usage` for an address that cannot be used.
    init(_ access: ServerAccess, in world: HopeWorld) throws(CommandError) {
        guard let base = URL(string: access.server.mediaBaseURL) else {
            throw CommandError(.usage, "the server \(quoted(access.server.mediaBaseURL)) cannot be used")
        }
        self.base = base
        place = .network(access)
        timeOfDay = world.timeOfDay
        client = access.client
        api = MediaAPI(base: base, client: access.client) { access.proof(for: $0) }
    }

    /// A server inside the process, which lasts as long as the command.
    ///
    /// - Throws: `.notFound` or `.failed` for a folder that cannot be a library.
    init(_ library: Library, in world: HopeWorld, keepsStreams: Bool = true) throws(CommandError) {
        let dataFolder = keepsStreams ? world.keysFolder + "/media" : nil
        let source: MediaLibrary
        let isFolder: Bool
        switch library {
        case .samples:
            source = .samples(SampleMusic.tracks, dataFolder: dataFolder)
            isFolder = false
        case .folder(let path):
            do throws(MediaLibraryError) {
                source = try .folder(
                    path,
                    dataFolder: world.keysFolder + "/media",
                    tools: MediaTools(searching: world.environment)
                )
            } catch {
                throw CommandError(error.code == .notFound ? .notFound : .failed, error.message)
            }
            isFolder = true
        }
        let service = MediaService(source, startedAt: world.timeOfDay(), clock: world.clock)
        try self.init(service, isFolder: isFolder, timeOfDay: world.timeOfDay)
    }

    /// A service inside the process.
    ///
    /// - Throws: Nothing that happens: the address is a fixed one.
    init(
        _ service: MediaService,
        isFolder: Bool = false,
        timeOfDay: @escaping @Sendable () -> Double
    ) throws(CommandError) {
        guard let base = URL(string: Self.embeddedAddress) else {
            throw CommandError(.failed, "\(Self.embeddedAddress) is no address")
        }
        self.base = base
        place = .embedded(service, isFolder: isFolder)
        self.timeOfDay = timeOfDay
        client = service.client()
        api = MediaAPI(base: base, client: client)
    }

    /// The server that a command line names: `--library`, else `--server`, else the stored one, else samples inside.
    ///
    /// - Parameters:
    ///   - invocation: The command line.
    ///   - world: Where the settings and the embedded server's things are.
    ///   - fallback: The address to use where the line names none.
    /// - Throws: `.usage`, `.notFound`, `.failed`, `.unavailable`.
    init(_ invocation: Invocation, in world: HopeWorld, fallback: String? = nil) throws(CommandError) {
        if let folder = invocation[.library] {
            guard [nil, "embedded"].contains(invocation[.server]) else {
                throw .badUsage(
                    "--library is for a server inside the process; leave out --server",
                    see: invocation.path
                )
            }
            self = try MediaServerAccess(.folder(folder), in: world)
            return
        }
        let settings = try world.loadSettings()
        let typed = invocation[.server] ?? fallback ?? settings.serverURL ?? "embedded"
        guard typed != "embedded" else {
            if invocation[.server] == nil {
                world.output.say(
                    "hope: no --server is given and none is stored; this is the server inside hope with its samples, which "
                        + "ends with the command"
                )
            }
            self = try MediaServerAccess(.samples, in: world)
            return
        }
        self = try MediaServerAccess(
            ServerAccess(
                typed,
                pinned: invocation.all(.pin),
                settings: settings,
                key: world.environment["HOPE_SERVER_KEY"],
                clock: world.clock
            ),
            in: world
        )
    }

    /// The service inside the process, nil over the network.
    var service: MediaService? {
        if case .embedded(let service, _) = place { service } else { nil }
    }

    /// Whether the server ends with this process.
    var isEmbedded: Bool { service != nil }

    /// Where a room's player is now, as far as it has said so; seconds from the beginning.
    func position(of state: MediaState) -> Double? {
        guard let reported = state.reported, reported.trackID == state.track?.id else { return nil }
        let passed = reported.isPlaying ? max(0, timeOfDay() - reported.timestamp) : 0
        return min(reported.position + passed, state.track?.duration ?? .infinity)
    }

    /// Whether players cannot fetch the bytes by themselves: they lie inside the process, or behind pins and keys.
    var needsProxy: Bool {
        switch place {
        case .embedded: true
        case .network(let access): access.server.isSecure
        }
    }

    /// Header fields for fetching bytes from an address: proof for this server, nothing for any other.
    func headers(for url: URL, in room: String?) -> HTTPHeaders {
        guard case .network(let access) = place, url.scheme == base.scheme, url.host() == base.host(),
            url.port == base.port
        else { return [:] }
        return access.proof(for: room)
    }

    /// Lets the service inside the process do its work beside a body.
    ///
    /// - Throws: What the body throws.
    func serve<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        guard case .embedded(let service, true) = place else { return try await body() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await service.run() }
            defer { service.stop() }
            return try await body()
        }
    }
}

extension CommandOption {
    /// The folder of a media server inside the process.
    static let library = CommandOption(
        "library",
        value: "DIR",
        summary: "a folder of media files, served inside this process"
    )
    /// The room whose media are meant.
    static let room = CommandOption(
        "room",
        value: "NAME",
        summary: "a running conversation's room (default: \(MediaAPI.defaultRoom), of whoever is in none)"
    )
}

extension CommandOption {
    /// The options of every media command that say where the media are.
    static let mediaPlace: [CommandOption] = [.server, .library, .pin]
}
