import Synchronization
import TransportCore

/// Makes one frame of an event that many receive.
///
/// A hub gives an event to one receiver after the other, so remembering the last one is enough, and comparing with it is
/// comparing addresses.
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
            if let last, last.event == event { return last }
            guard let message = RoomServerMessage(event) else { return nil }
            let entry = Entry(event: event, frame: message.serverFrame, isCounted: message.isCounted)
            last = entry
            return entry
        }
    }
}
