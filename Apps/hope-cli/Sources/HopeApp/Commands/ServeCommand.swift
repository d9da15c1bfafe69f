internal import Glibc
internal import HopeServer
internal import TransportCore
internal import TransportHTTP
internal import TransportTLS

extension Command {
    /// `hope serve`: the development server.
    public static func serve() -> Command {
        let host = CommandOption("host", value: "ADDRESS", summary: "the address to listen at (default: 127.0.0.1)")
        let port = CommandOption("port", value: "N", summary: "the port; 0 lets the system choose (default: 7443)")
        let tls = CommandOption(
            "tls",
            summary: "speak TLS with a certificate that is made once and kept; prints its pins"
        )
        let library = CommandOption(
            "library",
            value: "DIR",
            summary: "the folder of media files that people can play, with everything in it"
        )
        let llm = CommandOption(
            "llm",
            value: "URL",
            summary: "let a model answer: the address of an OpenAI-compatible endpoint"
        )
        let model = CommandOption("model", value: "NAME", summary: "with --llm: the model to ask (default: its first)")
        let ready = CommandOption("print-ready", summary: "print one line of JSON as soon as the server listens")
        return Command(
            "serve",
            summary: "run the development server: tokens, rooms, an agent in each, and media",
            discussion: [
                """
                One process on this machine alone, unless --host says otherwise. Keys come from HOPE_TOKEN_KEY, HOPE_SERVER_KEY
                and HOPE_LLM_KEY, else they are made once and kept in files that only their owner may read, so that a server
                that is started again knows its tokens and keeps its certificate.
                """,
                """
                With --library, titles and lengths come from ffprobe, and ffmpeg makes WebM and Ogg files into AAC, which every
                player opens; without them files have their names, and stay as they are. Links and hidden files are left out.
                A track that is removed is moved to the hidden folder .trash of the library.
                """,
            ],
            options: [host, port, tls, library, llm, model, ready],
            examples: [
                CommandExample("hope serve", "plain, on port 7443 of this machine"),
                CommandExample("hope serve --tls --port 0 --print-ready", "with TLS on any port, said as JSON"),
                CommandExample("hope serve --library ~/Music", "with the music of a folder"),
                CommandExample("hope serve --llm http://localhost:11434", "answers come from a local model"),
            ],
            action: { invocation, world in
                let keys = ServerKeys(folder: world.keysFolder, environment: world.environment)
                let address = invocation[host] ?? "127.0.0.1"
                let media = try Self.media(invocation[library], in: world)
                let makeAgent = try await Self.agentMaker(
                    invocation[llm],
                    model: invocation[model],
                    media: media,
                    in: world
                )
                let server: DevelopmentServer
                do {
                    var configuration = DevelopmentServerConfiguration(
                        host: address,
                        port: try invocation.integer(port, in: 0...65_535) ?? 7443,
                        tokenKey: try keys.tokenKey(),
                        serverKey: keys.serverKey,
                        media: media,
                        startedAt: world.timeOfDay(),
                        clock: world.clock,
                        makeAgent: makeAgent
                    )
                    if !configuration.isLoopback { configuration.tokenKey = try keys.tokenKey(isPublic: true) }
                    if invocation.has(tls) {
                        configuration.certificate = .kept(
                            keys.certificateFile,
                            names: ["localhost", "127.0.0.1", "::1", address]
                        )
                    }
                    server = try DevelopmentServer(configuration)
                } catch let error as TransportError {
                    throw CommandError(.unavailable, error.message)
                }
                try Self.tell(server, asJSON: invocation.has(ready), in: world)
                if let folder = invocation[library], !invocation.has(ready) {
                    try await Self.tell(media, of: folder, in: world)
                }
                await server.run()
                try Task.checkCancellation()
            }
        )
    }

    private static func tell(_ server: DevelopmentServer, asJSON: Bool, in world: HopeWorld) throws {
        if asJSON {
            let pins: JSONValue =
                server.pins.map { ["leaf": .string($0.leaf), "spki": .string($0.publicKey)] } ?? .null
            let line: JSONValue = ["url": .string(server.url), "pins": pins, "pid": .integer(Int(getpid()))]
            try world.output.line(line.text)
        } else {
            try world.output.line("Hope listens at \(server.url); Ctrl-C ends it.")
            if let pins = server.pins {
                try world.output.line("Its certificate is its own: clients need --pin-sha256 \(pins.publicKey)")
                try world.output.line("  or, for this certificate alone, --pin-sha256 \(pins.leaf)")
            }
        }
        try world.output.flush()
    }

    private static func tell(_ media: MediaService, of folder: String, in world: HopeWorld) async throws {
        let (count, notices) = await media.summary()
        try world.output.line("The library \(quoted(folder)) has \(count) \(count == 1 ? "track" : "tracks").")
        for notice in notices { try world.output.line("  \(notice)") }
        try world.output.flush()
    }

    private static func media(_ folder: String?, in world: HopeWorld) throws(CommandError) -> MediaService {
        let dataFolder = world.keysFolder + "/media"
        var library = MediaLibrary.samples(dataFolder: dataFolder)
        if let folder {
            do throws(MediaLibraryError) {
                library = try .folder(folder, dataFolder: dataFolder, tools: MediaTools(searching: world.environment))
            } catch {
                throw CommandError(error.code == .notFound ? .notFound : .failed, error.message)
            }
        }
        return MediaService(library, startedAt: world.timeOfDay(), clock: world.clock)
    }

    private static func agentMaker(
        _ endpoint: String?,
        model: String?,
        media: MediaService,
        in world: HopeWorld
    ) async throws -> @Sendable (String) -> any Agent {
        guard let endpoint else { return { room in ScriptedAgent(media: media.desk(for: room)) } }
        do {
            let chat = try ChatEndpoint(
                endpoint,
                client: try SocketHTTPClient(),
                apiKey: ChatEndpoint.apiKey(in: world.environment)
            )
            let agent = ChatAgent(endpoint: chat, model: model)
            return { _ in agent }
        } catch let error as TransportError {
            throw CommandError(.usage, "--llm: \(error.message)")
        } catch let error as ServerConfigError {
            throw CommandError(.usage, "--llm: \(error.message)")
        }
    }
}
