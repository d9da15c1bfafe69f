import Synchronization
import TransportCore
import TransportHTTP

/// An echo server or client around the machine, as the public test suites for WebSocket expect one.
struct EchoPeer {
    private(set) var machine: WebSocketMachine
    private(set) var events: [WebSocketEvent] = []
    private(set) var sent: [UInt8] = []
    private let end: End

    init(_ end: End, limits: WebSocketLimits = WebSocketLimits()) {
        self.end = end
        let keys = MaskingKeys()
        let role: WebSocketMachine.Role = end == .server ? .server : .client { keys.next() }
        machine = WebSocketMachine(role: role, limits: limits)
    }

    var isOpen: Bool { machine.state == .open }

    /// What was sent, as frames; `nil` when it is not whole frames, or masked other than it should be.
    var frames: [RawFrame]? { RawFrame.all(in: sent, masked: end == .client) }

    mutating func receive(_ bytes: [UInt8]) throws {
        machine.receive(bytes)
        while let event = machine.next() {
            sent += machine.takeOutgoing()
            events.append(event)
            switch event {
            case .text(let text): if isOpen { try machine.send(text: text) }
            case .binary(let bytes): if isOpen { try machine.send(binary: bytes) }
            default: break
            }
            sent += machine.takeOutgoing()
        }
    }
}

private final class MaskingKeys: Sendable {
    private let random = Mutex(SeededRandom(seed: 7))

    func next() -> UInt32 {
        random.withLock { UInt32(truncatingIfNeeded: $0.next()) }
    }
}
