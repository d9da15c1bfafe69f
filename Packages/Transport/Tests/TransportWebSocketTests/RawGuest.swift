import TransportCore
import TransportHTTP

/// A client that speaks the protocol by hand.
struct RawGuest: Sendable {
    let socket: WebSocketConnection
    let welcome: JSONValue

    var resume: String { welcome["resume"]?.stringValue ?? "" }

    /// Opens a socket without a word.
    static func open(_ bench: RoomBench, _ identity: String) async throws -> WebSocketConnection {
        let token = bench.tokens.make(InMemoryHub.Grant(room: "room", identity: identity))
        return try await bench.client.openWebSocket(bench.url, headers: ["Authorization": "Bearer \(token)"])
    }

    init(_ bench: RoomBench, _ identity: String, resume: String? = nil) async throws {
        socket = try await Self.open(bench, identity)
        var hello: JSONValue = ["type": "hello", "version": 1, "client": "test"]
        if let resume {
            hello = ["type": "hello", "version": 1, "client": "test", "resume": .string(resume), "received": 0]
        }
        try await socket.send(hello.text)
        guard case .text(let text)? = try await socket.receive() else { throw TransportError(.closed) }
        welcome = try JSONValue(parsing: text.utf8)
    }

    /// The next message that is JSON.
    func next() async throws -> JSONValue? {
        while let message = try await socket.receive() {
            if case .text(let text) = message { return try JSONValue(parsing: text.utf8) }
        }
        return nil
    }

    /// A data packet as the protocol has it.
    static func packet(
        request: UInt64,
        isReliable: Bool = true,
        topic: [UInt8] = Array("t".utf8),
        receivers: [[UInt8]] = [],
        payload: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = [1, isReliable ? 1 : 0]
        func append(_ value: UInt64, _ size: Int) {
            for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(index * 8))) }
        }
        append(UInt64(topic.count), 2)
        append(UInt64(receivers.count), 2)
        append(request, 8)
        bytes += topic
        for receiver in receivers {
            append(UInt64(receiver.count), 2)
            bytes += receiver
        }
        return bytes + payload
    }
}
