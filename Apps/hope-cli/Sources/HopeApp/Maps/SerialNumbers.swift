internal import Synchronization

/// Identifiers in the form of UUIDs that count up, for worlds in which the same things have to come out the same.
final class SerialNumbers: Sendable {
    private let last = Mutex(0)

    func next() -> String {
        let number = last.withLock { last in
            last += 1
            return last
        }
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}
