/// A dictionary that forgets its oldest keys beyond a capacity.
struct BoundedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private var values: [Key: Value] = [:]
    private var keys: [Key] = []
    private var oldest = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    subscript(key: Key) -> Value? { values[key] }

    mutating func set(_ value: Value, for key: Key) {
        if values.updateValue(value, forKey: key) == nil {
            keys.append(key)
            if values.count > capacity {
                values[keys[oldest]] = nil
                oldest += 1
            }
        }
        if oldest > keys.count / 2 {
            keys.removeFirst(oldest)
            oldest = 0
        }
    }

    mutating func removeAll() { self = Self(capacity: capacity) }

    mutating func updateAll(_ update: (inout Value) -> Void) {
        for key in keys[oldest...] {
            guard var value = values[key] else { continue }
            update(&value)
            values[key] = value
        }
    }
}
