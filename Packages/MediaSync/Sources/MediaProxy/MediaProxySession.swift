public import Foundation
import MediaSync
import Synchronization
import TransportCore
import TransportHTTP

/// What is shared with players for the time of one session.
///
/// Closing it, or letting it go, revokes its addresses and ends what is being sent.
public final class MediaProxySession: Sendable {
    private static let reservedFields: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "icy-metadata", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "proxy-connection",
        "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private struct State {
        var tokens: Set<String> = []
        var isClosed = false
    }

    private let files: SharedFiles
    private let port: Int
    private let state = Mutex(State())

    init(_ files: SharedFiles, port: Int) {
        self.files = files
        self.port = port
    }

    deinit {
        close()
    }

    /// Gives players on this machine an address for something on a server.
    ///
    /// A container that neither the type nor the address tells is asked of the server, once and in a few bytes; where
    /// that fails, players have to find it out themselves.
    ///
    /// - Parameter source: What to share.
    /// - Returns: An address `http://127.0.0.1:port/token/id.extension` that nobody guesses.
    /// - Throws: `invalidAddress`, `invalidHeader` or `sessionClosed`.
    public func share(_ source: MediaSource) async throws(MediaProxyError) -> URL {
        guard Origin(source.url) != nil else { throw .invalidAddress }
        for field in source.headers.fields {
            let probe = HTTPRequestHead(
                method: "GET",
                target: "/",
                headers: HTTPHeaders([HTTPHeaders.Field(name: "Host", value: "localhost"), field])
            )
            let isOwn = Self.reservedFields.contains(field.name.lowercased())
            guard !isOwn, (try? probe.serialized()) != nil else { throw .invalidHeader(name: field.name) }
        }
        if state.withLock({ $0.isClosed }) { throw .sessionClosed }
        let (token, path) = await files.add(source)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.tokens.insert(token) }
            return state.isClosed
        }
        guard !isClosed, let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            files.remove([token])
            throw .sessionClosed
        }
        return url
    }

    /// Revokes one address; one that is not of this session is left alone.
    ///
    /// - Parameter url: What ``share(_:)`` returned.
    public func revoke(_ url: URL) {
        let parts = url.path().split(separator: "/")
        guard let token = parts.first.map(String.init), state.withLock({ $0.tokens.remove(token) }) != nil else {
            return
        }
        files.remove([token])
    }

    /// Revokes all addresses and ends what is being sent; nothing can be shared any more.
    public func close() {
        let tokens = state.withLock { state in
            state.isClosed = true
            defer { state.tokens = [] }
            return state.tokens.sorted()
        }
        files.remove(tokens)
    }
}
