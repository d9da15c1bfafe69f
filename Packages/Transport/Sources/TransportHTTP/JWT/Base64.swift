/// Base64 in its two alphabets (RFC 4648), read strictly: one text for each sequence of bytes, and no other.
enum Base64 {
    enum Alphabet {
        /// With `+` and `/`, padded: what the WebSocket handshake uses.
        case standard
        /// With `-` and `_`, without padding: what tokens use.
        case urlSafe
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    private static func tail(_ alphabet: Alphabet) -> [UInt8] {
        Array((alphabet == .standard ? "+/" : "-_").utf8)
    }

    static func encode(_ bytes: [UInt8], _ alphabet: Alphabet) -> String {
        let symbols = letters + tail(alphabet)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0) }
            for symbol in 0..<4 {
                if symbol <= count {
                    text.append(symbols[Int(group >> UInt32(18 - symbol * 6) & 63)])
                } else if alphabet == .standard {
                    text.append(UInt8(ascii: "="))
                }
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; `nil` for a foreign character, wrong padding, or bits behind the last byte that are not 0.
    static func decode(_ text: some Collection<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
        var symbols = Array(text)
        if alphabet == .standard {
            guard symbols.count.isMultiple(of: 4) else { return nil }
            for _ in 0..<2 where symbols.last == UInt8(ascii: "=") { symbols.removeLast() }
        }
        guard symbols.count % 4 != 1 else { return nil }
        let tail = tail(alphabet)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(symbols.count * 3 / 4)
        var pending: UInt32 = 0
        var bits = 0
        for symbol in symbols {
            let value: UInt32
            switch symbol {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(symbol - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(symbol - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(symbol - UInt8(ascii: "0")) + 52
            case tail[0]: value = 62
            case tail[1]: value = 63
            default: return nil
            }
            pending = pending << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
                pending &= (1 << UInt32(bits)) - 1
            }
        }
        return pending == 0 ? bytes : nil
    }
}
