/// Finds where the parts of a collection of features lie, without looking into them.
struct GeoJSONSplitter {
    /// The parts.
    struct Parts {
        /// The members besides the features: where their names and values lie.
        var members: [(name: Range<Int>, value: Range<Int>)] = []
        /// Where each feature lies.
        var features: [Range<Int>] = []
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Returns the parts; nil when it is no object with a list named `features`, or no JSON.
    ///
    /// - Parameter bytes: The text.
    /// - Returns: The parts, each of which still has to be read.
    static func split(_ bytes: UnsafeBufferPointer<UInt8>) -> Parts? {
        var splitter = GeoJSONSplitter(bytes: bytes)
        return splitter.split()
    }

    private mutating func split() -> Parts? {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
        guard take("{") else { return nil }
        var parts = Parts()
        var hasFeatures = false
        repeat {
            skipWhitespace()
            guard let name = skipString(), take(":") else { return nil }
            skipWhitespace()
            let isFeatures = name.count == 10 && bytes[name].elementsEqual("\"features\"".utf8)
            if isFeatures, position < bytes.count, bytes[position] == UInt8(ascii: "[") {
                // Of two lists of that name the last counts, as everywhere.
                parts.features = []
                guard splitList(&parts.features) else { return nil }
                hasFeatures = true
            } else {
                guard let value = skipValue() else { return nil }
                parts.members.append((name, value))
                if isFeatures { return nil }
            }
        } while take(",")
        guard take("}") else { return nil }
        skipWhitespace()
        return position == bytes.count && hasFeatures ? parts : nil
    }

    private mutating func splitList(_ features: inout [Range<Int>]) -> Bool {
        position += 1
        if take("]") { return true }
        repeat {
            skipWhitespace()
            guard let value = skipValue() else { return false }
            features.append(value)
        } while take(",")
        return take("]")
    }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipWhitespace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipString() -> Range<Int>? {
        let start = position
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""):
                position += 1
                return start..<position
            default: position += 1
            }
        }
        return nil
    }

    /// Moves behind a value: a string, a word or number, or everything between brackets that match in number.
    private mutating func skipValue() -> Range<Int>? {
        let start = position
        guard position < bytes.count else { return nil }
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard skipString() != nil else { return nil }
                if depth == 0 { return start..<position }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return start < position ? start..<position : nil }
                depth -= 1
                position += 1
                if depth == 0 { return start..<position }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return start < position ? start..<position : nil }
                position += 1
            default: position += 1
            }
        }
        return depth == 0 && start < position ? start..<position : nil
    }
}
