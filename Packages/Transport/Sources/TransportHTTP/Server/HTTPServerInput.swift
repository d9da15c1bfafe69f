import Synchronization
import TransportCore

/// Why a request could not be read.
enum HTTPServerFault: Error {
    /// It breaks a rule, which can be answered.
    case message(HTTPMessageError)
    /// The connection failed.
    case transport(TransportError)
}

/// Reads the requests of one connection.
final class HTTPServerInput: Sendable {
    let connection: SocketConnection
    private let parser: Mutex<HTTPRequestParser>

    init(_ connection: SocketConnection, limits: HTTPLimits) {
        self.connection = connection
        parser = Mutex(HTTPRequestParser(limits: limits))
    }

    /// Whether nothing of a next request has come.
    var isIdle: Bool { parser.withLock { $0.isIdle } }

    func setBodyLimit(_ limit: Int) {
        parser.withLock { $0.bodyLimit = limit }
    }

    func takeUnread() -> [UInt8] {
        parser.withLock { $0.takeUnread() }
    }

    /// What is there of the next event without waiting.
    func ready() throws(HTTPServerFault) -> HTTPRequestEvent? {
        try parser.withLock { parser throws(HTTPServerFault) in
            do throws(HTTPMessageError) { return try parser.next() } catch { throw .message(error) }
        }
    }

    /// Waits for the next event, until the time that `due` gives anew for each piece.
    ///
    /// `nil` when the connection has ended between requests.
    func next(due: () -> Duration) async throws(HTTPServerFault) -> HTTPRequestEvent? {
        while true {
            if let event = try ready() { return event }
            let bytes: [UInt8]?
            do throws(TransportError) {
                bytes = try await connection.receive(atMost: 128 * 1024, due: due())
            } catch {
                throw .transport(error)
            }
            guard let bytes else {
                parser.withLock { $0.pushEnd() }
                return try ready()
            }
            parser.withLock { $0.push(bytes) }
        }
    }
}
