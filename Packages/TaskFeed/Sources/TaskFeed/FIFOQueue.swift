/// A queue whose operations take constant time on average.
struct FIFOQueue<Element: Hashable & Sendable>: Sendable {
    private var storage: [Element] = []
    private var first = 0

    var count: Int { storage.count - first }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    mutating func popFirst() -> Element? {
        guard first < storage.count else { return nil }
        let element = storage[first]
        first += 1
        if first > 32, first * 2 > storage.count {
            storage.removeFirst(first)
            first = 0
        }
        return element
    }
}

extension FIFOQueue: Hashable {
    static func == (one: Self, other: Self) -> Bool {
        one.storage[one.first...].elementsEqual(other.storage[other.first...])
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in storage[first...] { hasher.combine(element) }
    }
}
