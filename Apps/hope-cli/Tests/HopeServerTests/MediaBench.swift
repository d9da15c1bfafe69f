import Foundation
import HopeServer
import MediaSync
import Testing
import TransportCore
import TransportHTTP

/// A library folder and a data folder of a test's own.
struct MediaBench: Sendable {
    /// What ffmpeg and ffprobe are on this machine.
    static let tools = MediaTools(searching: ProcessInfo.processInfo.environment)
    static let hasFFmpeg = tools.ffmpeg != nil && tools.ffprobe != nil

    let root: URL
    var library: URL { root.appending(path: "library") }
    var data: URL { root.appending(path: "data") }

    /// Makes the folders, and removes them afterwards.
    static func with(_ body: (MediaBench) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "media-\(UUID().uuidString)")
        let bench = MediaBench(root: root)
        try FileManager.default.createDirectory(at: bench.library, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        try await body(bench)
    }

    /// Writes a file of the library and the folders that it is in.
    @discardableResult
    func write(_ path: String, _ bytes: [UInt8] = wave(seconds: 1)) throws -> URL {
        let url = library.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url
    }

    /// Has ffmpeg make a file of the library with so many seconds of a tone.
    func make(_ path: String, seconds: Int, _ options: [String]) throws {
        let url = library.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.tools.ffmpeg))
        process.arguments =
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=440:d=\(seconds)"] + options + ["-y", url.path]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// A service over the folder, without any program unless told.
    func service(_ tools: MediaTools = .none) throws -> MediaService {
        MediaService(
            try .folder(library.path, dataFolder: data.path, tools: tools),
            startedAt: testTimeOfDay
        )
    }

    /// Runs a server over the folder while a test talks to it.
    func serve(
        _ tools: MediaTools = .none,
        _ configure: (inout DevelopmentServerConfiguration) -> Void = { _ in },
        _ body: (MediaCaller) async throws -> Void
    ) async throws {
        var configuration = DevelopmentServerConfiguration.forTests
        configuration.media = try service(tools)
        configure(&configuration)
        try await withDevelopmentServer(configuration) { server in try await body(MediaCaller(url: server.url)) }
    }

    /// A WAV file of silence: 8000 samples a second of one byte each (Multimedia Programming Interface 1.0).
    static func wave(seconds: Int) -> [UInt8] { wave(bytes: 44 + 8_000 * seconds) }

    /// A WAV file of so many bytes, 44 or more, of which no two in a row are alike.
    static func wave(bytes count: Int) -> [UInt8] {
        func little(_ number: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let head =
            Array("RIFF".utf8) + little(count - 8, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
            + little(1, 2) + little(8_000, 4) + little(8_000, 4) + little(1, 2) + little(8, 2) + Array("data".utf8)
            + little(count - 44, 4)
        return head + (44..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    }
}

/// The media API of a server, or of a service within the process.
struct MediaCaller: Sendable {
    let url: String
    var client: (any HTTPClient)?

    private var answers: MediaServer { MediaServer(base: URL(string: url) ?? URL(filePath: "/")) }

    func send(
        _ method: String,
        _ path: String,
        headers: HTTPHeaders = [:],
        body: JSONValue? = nil
    ) async throws -> HTTPResponse {
        let address = path.hasPrefix("/") ? url + path : "\(url)/media/api/\(path)"
        guard let client else {
            var headers = headers
            if method == "DELETE", headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
            return try await ask(method, address, headers: headers, body: body?.text)
        }
        return try await client.send(
            HTTPRequest(method, address, headers: headers, body: body.map { .bytes($0.bytes) } ?? .none)
        )
    }

    func get(_ path: String, range: String? = nil, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        var headers = headers
        if let range { headers["Range"] = range }
        return try await send("GET", path, headers: headers)
    }

    func tracks() async throws -> [MediaTrack] {
        let answer = try await get("library")
        return try answers.library(status: answer.status, body: answer.body)
    }

    /// Asks again until the files have been looked into; the test's time limit ends what never comes about.
    func tracks(until isReached: ([MediaTrack]) -> Bool) async throws -> [MediaTrack] {
        while true {
            let tracks = try await tracks()
            if isReached(tracks) { return tracks }
        }
    }

    func state(_ room: String = "default") async throws -> MediaState {
        let answer = try await get("state?room=\(room)")
        return try answers.state(status: answer.status, body: answer.body)
    }

    /// Sends a request whose answer is a state.
    @discardableResult
    func post(_ path: String, _ body: JSONValue) async throws -> MediaState {
        let answer = try await send("POST", path, body: body)
        return try answers.state(status: answer.status, body: answer.body)
    }

    func search(_ query: String) async throws -> [MediaChoice] {
        let answer = try await send("POST", "search", body: ["query": .string(query)])
        return try answers.results(status: answer.status, body: answer.body)
    }

    func addStream(_ name: String, _ url: String) async throws -> MediaTrack {
        let answer = try await send("POST", "streams", body: ["name": .string(name), "url": .string(url)])
        return try answers.track(status: answer.status, body: answer.body)
    }

    /// Asks again until a state is as it should be; the test's time limit ends what never comes about.
    func state(_ room: String = "default", until isReached: (MediaState) -> Bool) async throws -> MediaState {
        while true {
            let state = try await state(room)
            if isReached(state) { return state }
            await Task.yield()
        }
    }
}
