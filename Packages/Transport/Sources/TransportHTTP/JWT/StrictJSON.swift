import Foundation

/// JSON of the outside world, read so that it can only mean one thing.
///
/// RFC 8259 leaves open what an object with the same key twice means, and two readers that disagree about it are a way
/// around checks; so such an object is refused, wherever it stands. What is written has sorted keys, so that the same
/// values are the same bytes.
enum StrictJSON {
    /// Reads a value; `nil` when the bytes are not such a value in JSON, or have a key twice.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
        // Foundation would also read UTF-16 and UTF-32, which all have zero bytes here.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil,
            let value = try? JSONDecoder().decode(type, from: Data(bytes)), !hasDuplicateKey(bytes)
        else { return nil }
        return value
    }

    /// Writes a value; empty when it has a number that JSON has no digits for.
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { Array($0) } ?? []
    }

    /// Whether an object in this JSON, which is known to be well-formed, has a key twice.
    private static func hasDuplicateKey(_ bytes: [UInt8]) -> Bool {
        // One set for each object that is open, and nil for each array.
        var open: [Set<String>?] = []
        var expectsKey = false
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"):
                open.append([])
                expectsKey = true
            case UInt8(ascii: "["):
                open.append(nil)
                expectsKey = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                expectsKey = false
            case UInt8(ascii: ","):
                expectsKey = open.last.map { $0 != nil } ?? false
            case UInt8(ascii: "\""):
                let start = index
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard expectsKey, index < bytes.count else { break }
                expectsKey = false
                // Decoded, since a key may be spelled with escapes.
                let quoted = Data(bytes[start...index])
                guard let key = try? JSONDecoder().decode(String.self, from: quoted), let last = open.indices.last,
                    open[last]?.insert(key).inserted == true
                else { return true }
            default: break
            }
            index += 1
        }
        return false
    }
}
