/// Lets actions go to the server one after the other, in the order in which they were done; belongs to one actor.
final class ActionTurn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Whether the turn was had at once; if not, the continuation is resumed when it is.
    func take(_ continuation: CheckedContinuation<Void, Never>) {
        if isTaken {
            waiting.append(continuation)
        } else {
            isTaken = true
            continuation.resume()
        }
    }

    func pass() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
