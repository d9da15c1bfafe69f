import TransportCore

/// A frame as RFC 6455 draws it, with nothing checked: written byte by byte, without the code under test.
struct RawFrame: Hashable, Sendable {
    var opcode: UInt8
    var payload: [UInt8] = []
    var fin = true
    var rsv: UInt8 = 0
    /// How the length is written: 0 for the shortest way, else 2 or 8 bytes.
    var lengthBytes = 0

    static func text(_ text: String, fin: Bool = true) -> RawFrame {
        RawFrame(opcode: 1, payload: Array(text.utf8), fin: fin)
    }
    static func more(_ text: String, fin: Bool = true) -> RawFrame {
        RawFrame(opcode: 0, payload: Array(text.utf8), fin: fin)
    }
    static func ping(_ text: String = "") -> RawFrame { RawFrame(opcode: 9, payload: Array(text.utf8)) }
    static func pong(_ text: String = "") -> RawFrame { RawFrame(opcode: 10, payload: Array(text.utf8)) }

    static func close(_ code: UInt16? = 1000, _ reason: String = "") -> RawFrame {
        RawFrame(opcode: 8, payload: (code.map { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? []) + Array(reason.utf8))
    }

    func bytes(mask: [UInt8]?) -> [UInt8] {
        var bytes = [(fin ? 0x80 : 0) | rsv << 4 | opcode]
        let bit: UInt8 = mask == nil ? 0 : 0x80
        var length = payload.count
        let width = lengthBytes > 0 ? lengthBytes : length > 65535 ? 8 : length > 125 ? 2 : 0
        if width == 0 {
            bytes.append(bit | UInt8(length))
        } else {
            bytes.append(bit | (width == 2 ? 126 : 127))
            var digits: [UInt8] = []
            for _ in 0..<width {
                digits.insert(UInt8(length & 255), at: 0)
                length >>= 8
            }
            bytes += digits
        }
        guard let mask else { return bytes + payload }
        bytes += mask
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index % 4]) }
        return bytes
    }

    /// The frames in bytes; `nil` when they do not end with a whole one, or are masked other than they should be.
    static func all(in bytes: [UInt8], masked: Bool) -> [RawFrame]? {
        var frames: [RawFrame] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            guard let second = rest.popFirst(), (second & 0x80 != 0) == masked else { return nil }
            var length = Int(second & 0x7F)
            let width = length == 126 ? 2 : length == 127 ? 8 : 0
            if width > 0 {
                length = 0
                for _ in 0..<width {
                    guard let digit = rest.popFirst() else { return nil }
                    length = length << 8 | Int(digit)
                }
            }
            var mask: [UInt8] = [0, 0, 0, 0]
            if masked {
                guard rest.count >= 4 else { return nil }
                mask = Array(rest.prefix(4))
                rest = rest.dropFirst(4)
            }
            guard rest.count >= length else { return nil }
            var payload = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            for index in payload.indices { payload[index] ^= mask[index % 4] }
            frames.append(RawFrame(opcode: first & 15, payload: payload, fin: first & 0x80 != 0, rsv: first >> 4 & 7))
        }
        return frames
    }
}

/// Which end the machine under test is.
enum End: CaseIterable, Sendable {
    case server
    case client

    /// Masking keys that differ from frame to frame.
    func mask(_ index: Int) -> [UInt8]? {
        guard self == .server else { return nil }
        let key = UInt32(truncatingIfNeeded: (index &+ 1) &* 0x9E37_79B9)
        return [UInt8(key >> 24), UInt8(key >> 16 & 255), UInt8(key >> 8 & 255), UInt8(key & 255)]
    }

    func wire(_ frames: [RawFrame]) -> [[UInt8]] {
        frames.enumerated().map { $0.element.bytes(mask: mask($0.offset)) }
    }
}
