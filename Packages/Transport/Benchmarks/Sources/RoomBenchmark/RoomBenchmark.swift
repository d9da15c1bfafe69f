import Foundation
import TransportCore
import TransportHTTP
import TransportWebSocket

/// A room server to be measured; the load is FanOutLoad's, which is the same for its peers.
///
///     RoomBenchmark     prints its port and serves; a token is ROOM/IDENTITY
@main
struct RoomBenchmark {
    static func main() async throws {
        let rooms = RoomServer(startedAt: Date().timeIntervalSince1970) { token throws(TransportError) in
            let parts = token.split(separator: "/")
            guard parts.count == 2 else { throw TransportError(.unauthorized) }
            return InMemoryHub.Grant(room: String(parts[0]), identity: String(parts[1]))
        }
        let server = try HTTPServer { request in rooms.accept(request) }
        // At once, for whoever waits for it at the other end of a pipe.
        FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
        await server.run()
    }
}
