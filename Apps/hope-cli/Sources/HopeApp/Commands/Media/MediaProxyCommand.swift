internal import Foundation
internal import Glibc
internal import MediaProxy
internal import MediaSync
internal import PresenceKit
internal import Synchronization
internal import TaskFeed
internal import TransportCore

extension Command {
    /// `hope media proxy`: tracks for players that cannot pin a certificate.
    static func mediaProxy() -> Command {
        let port = CommandOption("port", value: "N", summary: "the port on 127.0.0.1 (default: the system chooses)")
        let ready = CommandOption("print-ready", summary: "print one line of JSON as soon as the proxy answers")
        let log = CommandOption("log", summary: "tell on standard error what the proxy does")
        return Command(
            "proxy",
            summary: "serve tracks to players on this machine, through pins and in ranges",
            discussion: [
                """
                For players that can neither pin a certificate nor send credentials. Prints an address that nobody guesses for
                each track, and answers there until Ctrl-C. Without a TRACK it is the whole library.
                """
            ],
            arguments: [
                CommandArgument(
                    "TRACK",
                    summary: "a track's id, or an address; without --server the pins are of the first one's host",
                    isOptional: true,
                    repeats: true
                )
            ],
            options: [port, ready, log] + CommandOption.mediaPlace + [.json],
            examples: [
                CommandExample("hope media proxy --library ~/Music", "every track of a folder"),
                CommandExample(
                    "hope media proxy https://127.0.0.1:7443/media/api/stream/4f1c.mp3 --pin-sha256 HEX",
                    "one address, behind a pin"
                ),
            ],
            action: { invocation, world in
                let printsJSON = invocation.has(ready) || invocation.has(.json)
                let serving = try MediaProxyServing(
                    invocation,
                    port: try invocation.integer(port, in: 0...65_535) ?? 0,
                    printsJSON: printsJSON,
                    logs: invocation.has(log),
                    world: world
                )
                try await serving.run()
            }
        )
    }
}

/// One run of `hope media proxy`.
private struct MediaProxyServing: Sendable {
    private let world: HopeWorld
    private let access: MediaServerAccess
    private let names: [String]
    private let port: Int
    private let printsJSON: Bool
    private let logs: Bool

    init(
        _ invocation: Invocation,
        port: Int,
        printsJSON: Bool,
        logs: Bool,
        world: HopeWorld
    ) throws(CommandError) {
        self.world = world
        self.port = port
        self.printsJSON = printsJSON
        self.logs = logs
        names = invocation.arguments(from: 0)
        let addresses = names.compactMap(Self.address)
        // Where only addresses are asked for, the server is theirs.
        let origin = addresses.count == names.count ? addresses.first.flatMap(Self.origin) : nil
        access = try MediaServerAccess(invocation, in: world, fallback: origin)
    }

    func run() async throws {
        try await access.serve {
            let tracks = try await tracks()
            let proxy: LoopbackMediaProxy
            do throws(TransportError) {
                var configuration = MediaProxyConfiguration()
                configuration.port = port
                proxy = try LoopbackMediaProxy(
                    client: access.client,
                    configuration: configuration,
                    clock: world.clock
                ) { event in
                    if logs { world.output.say("proxy: \(event)") }
                }
            } catch {
                throw CommandError(.unavailable, error.message)
            }
            let session = proxy.makeSession()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await proxy.run() }
                var shared: [(track: MediaTrack, url: URL)] = []
                for track in tracks {
                    guard let url = track.audioURL else { continue }
                    do {
                        let source = MediaSource(track, headers: access.headers(for: url, in: nil))
                        if let source { shared.append((track, try await session.share(source))) }
                    } catch let error as MediaProxyError {
                        // By its title: the address may hold a key.
                        let problem = "\(quoted(track.title)): \(error)"
                        guard names.isEmpty else {
                            group.cancelAll()
                            throw CommandError(.usage, problem)
                        }
                        // One track that cannot be shared takes the others of the library with it no more than elsewhere.
                        world.output.say("hope: \(problem)")
                    }
                }
                try tell(shared, of: proxy)
                try await group.waitForAll()
            }
            session.close()
            try Task.checkCancellation()
        }
    }

    private func tell(_ shared: [(track: MediaTrack, url: URL)], of proxy: LoopbackMediaProxy) throws {
        if printsJSON {
            let media = shared.map { entry -> JSONValue in
                [
                    "id": .string(entry.track.id), "title": .string(entry.track.title),
                    "url": .string(entry.url.absoluteString),
                ]
            }
            let line: JSONValue = [
                "port": .integer(proxy.port), "media": .array(media), "pid": .integer(Int(getpid())),
            ]
            try world.output.line(line.text)
        } else {
            for entry in shared {
                try world.output.line("\(entry.url.absoluteString)  \(TerminalText.singleLine(entry.track.title))")
            }
            world.output.say("hope: the proxy answers until Ctrl-C ends it")
        }
        try world.output.flush()
    }

    /// What is to be shared.
    ///
    /// - Throws: `.notFound` for an id that the library does not have.
    private func tracks() async throws -> [MediaTrack] {
        let ids = names.filter { Self.address($0) == nil }
        let library = names.isEmpty || !ids.isEmpty ? try await access.api.library() : []
        guard !names.isEmpty else { return library }
        return try names.map { name in
            if let url = Self.address(name) {
                let title = url.lastPathComponent
                return MediaTrack(id: url.deletingPathExtension().lastPathComponent, title: title, audioURL: url)
            }
            guard let track = library.first(where: { $0.id == name }) else {
                throw CommandError(
                    .notFound,
                    "there is no track \(quoted(name)) in the library; hope media library lists them"
                )
            }
            return track
        }
    }

    private static func address(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
        else {
            return nil
        }
        return url
    }

    private static func origin(_ url: URL) -> String? {
        guard let scheme = url.scheme, let host = url.host() else { return nil }
        let shown = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(scheme)://\(shown)\(url.port.map { ":\($0)" } ?? "")"
    }
}
