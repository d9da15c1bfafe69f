internal import Synchronization

/// Things on their way from the tasks where they happen to the loop that draws them.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var openSenders: Int
    }

    private let state: Mutex<State>

    /// Makes an empty mailbox that a number of senders fill.
    init(senders: Int) {
        state = Mutex(State(openSenders: senders))
    }

    /// Whether every sender has ended, and what they sent has been taken.
    var isDrained: Bool {
        state.withLock { $0.openSenders == 0 && $0.elements.isEmpty }
    }

    func post(_ element: Element) {
        state.withLock { $0.elements.append(element) }
    }

    func closeOne() {
        state.withLock { $0.openSenders -= 1 }
    }

    /// Takes what has come, in order.
    func take() -> [Element] {
        state.withLock { state in
            defer { state.elements.removeAll(keepingCapacity: true) }
            return state.elements
        }
    }
}
