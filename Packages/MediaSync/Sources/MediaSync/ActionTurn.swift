/// Lets actions go to the server one after the other, in the order in which they were done; belongs to one actor.
final class ActionTurn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Resumes the continuation when it is its turn.
    func take(_ continuation: CheckedContinuation<Void, Never>) {
        if isTaken {
            waiting.append(continuation)
        } else {
            isTaken = true
            continuation.resume()
        }
    }

    /// Gives the turn to the next one.
    func pass() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
