import Foundation
import MediaPlayerConformance
import Synchronization
import TransportCore
import TransportHTTP

/// Files and addresses for mpv to play, in a folder and on a server that last as long as a test.
final class MediaShelf: Sendable {
    /// The length of a song in seconds.
    static let songLength = 9.0
    private static let song = WaveFile.bytes(seconds: songLength)

    let folder: URL
    let port: Int
    private let server: HTTPServer

    private init(folder: URL, server: HTTPServer) {
        self.folder = folder
        self.server = server
        port = server.port
    }

    /// Sets files and a server up for `body`.
    ///
    /// - Parameters:
    ///   - resume: Waited for after the bytes of a second and a half, before the rest is sent.
    ///   - body: Uses them.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, and what keeps it from being set up.
    static func with<Result: Sendable>(
        resume: @escaping @Sendable () async -> Void = {},
        _ body: @Sendable (MediaShelf) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "media-shelf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try HTTPServer { request in
            guard request.path == "/song.wav" else { return .text("Nothing here.", status: 404) }
            var first = 0
            if let range = request.headers["Range"].flatMap({ RangeRequest($0) }),
                case .part(let part) = range.answer(length: song.count)
            {
                first = part.first
            }
            return HTTPServerResponse(
                status: 206,
                headers: [
                    "Content-Type": "audio/wav",
                    "Content-Range": "bytes \(first)-\(song.count - 1)/\(song.count)",
                ],
                body: .stream(
                    HaltingBody(bytes: song[first...], resume: resume),
                    length: song.count - first
                )
            )
        }
        let shelf = MediaShelf(folder: folder, server: server)
        try shelf.put(song, as: "song.wav")
        try shelf.put([], as: "empty.wav")
        try shelf.put((0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7919 % 251) }, as: "noise.wav")
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            return try await body(shelf)
        }
    }

    /// Writes a file and returns where it is.
    @discardableResult
    func put(_ bytes: [UInt8], as name: String) throws -> URL {
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return file
    }

    /// Writes a shell script that can be run and returns its path.
    func script(_ text: String) throws -> String {
        let file = try put(Array("#!/bin/sh\n\(text)\n".utf8), as: "mpv")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
        return file.path
    }

    func source(of sample: MediaSample) throws -> URL {
        switch sample {
        case .song: folder.appending(path: "song.wav")
        case .empty: folder.appending(path: "empty.wav")
        case .undecodable: folder.appending(path: "noise.wav")
        case .starving: try address("song.wav")
        case .unreachable: try address("missing.wav")
        }
    }

    private func address(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { throw URLError(.badURL) }
        return url
    }
}

/// A body that stops in the middle until it is told to go on.
private final class HaltingBody: HTTPBodyStream {
    private let rest: Mutex<(bytes: ArraySlice<UInt8>, hasHalted: Bool)>
    private let resume: @Sendable () async -> Void

    init(bytes: ArraySlice<UInt8>, resume: @escaping @Sendable () async -> Void) {
        rest = Mutex((bytes, false))
        self.resume = resume
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let (piece, halts) = rest.withLock { rest in
            let isAtHalt = rest.bytes.startIndex >= WaveFile.bytesPerSecond * 3 / 2 && !rest.hasHalted
            if isAtHalt {
                rest.hasHalted = true
                return ([UInt8](), true)
            }
            let piece = Array(rest.bytes.prefix(1 << 15))
            rest.bytes = rest.bytes.dropFirst(1 << 15)
            return (piece, false)
        }
        guard halts else { return piece.isEmpty ? nil : piece }
        await resume()
        return try await next()
    }

    func cancel() {}
}
