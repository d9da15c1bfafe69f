import Synchronization
import TransportCore

/// Makes one frame of an event that many receive.
///
/// A hub gives an event to one receiver after the other, so remembering the last one is enough.
final class RoomFrameCache: Sendable {
    struct Entry: Sendable {
        let event: TransportEvent
        let frame: [UInt8]
        let isCounted: Bool
    }

    private let last = Mutex<Entry?>(nil)

    /// The frame for an event; `nil` for what is not sent.
    func entry(for event: TransportEvent) -> Entry? {
        last.withLock { last in
            if let last, last.event.isSame(as: event) { return last }
            guard let message = RoomServerMessage(event) else { return nil }
            let entry = Entry(event: event, frame: message.serverFrame, isCounted: message.isCounted)
            last = entry
            return entry
        }
    }
}

extension TransportEvent {
    /// Whether this is the other event; two that only look alike may count as different.
    ///
    /// Payloads are told apart by where they are: comparing them byte by byte for each receiver would cost more than all
    /// else.
    fileprivate func isSame(as other: TransportEvent) -> Bool {
        guard case .data(let packet) = self, case .data(let candidate) = other else { return self == other }
        return packet.payload.isSameStorage(as: candidate.payload) && packet.reliability == candidate.reliability
            && packet.topic == candidate.topic && packet.sender == candidate.sender
    }
}

extension [UInt8] {
    fileprivate func isSameStorage(as other: [UInt8]) -> Bool {
        withUnsafeBufferPointer { own in
            other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && own.count == $0.count }
        }
    }
}
