/// What stands in front of the payload of a frame (RFC 6455, section 5.2).
public struct WebSocketFrameHeader: Hashable, Sendable {
    /// What the frame holds.
    public var opcode: WebSocketOpcode
    /// Whether it is the last frame of its message.
    public var isFinal: Bool
    /// How many bytes of payload follow.
    public var length: Int
    /// The masking key, its first byte highest; `nil` for what servers send.
    public var maskingKey: UInt32?

    /// Creates a header.
    ///
    /// - Parameters:
    ///   - opcode: What the frame holds.
    ///   - isFinal: Whether it is the last frame of its message.
    ///   - length: How many bytes of payload follow, 0 or more.
    ///   - maskingKey: The masking key; `nil` for what servers send.
    public init(_ opcode: WebSocketOpcode, isFinal: Bool = true, length: Int, maskingKey: UInt32? = nil) {
        self.opcode = opcode
        self.isFinal = isFinal
        self.length = max(0, length)
        self.maskingKey = maskingKey
    }

    /// The 2 to 14 bytes of the header.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(14)
        bytes.append(opcode.rawValue | (isFinal ? 0x80 : 0))
        let maskBit: UInt8 = maskingKey == nil ? 0 : 0x80
        switch length {
        case ...125: bytes.append(maskBit | UInt8(length))
        case ...0xFFFF:
            bytes.append(maskBit | 126)
            Self.append(UInt64(length), count: 2, to: &bytes)
        default:
            bytes.append(maskBit | 127)
            Self.append(UInt64(length), count: 8, to: &bytes)
        }
        if let maskingKey { Self.append(UInt64(maskingKey), count: 4, to: &bytes) }
        return bytes
    }

    /// A whole unmasked frame, which is the same for every receiver and so may be made once for all of them.
    ///
    /// - Parameters:
    ///   - opcode: What the frame holds.
    ///   - payload: Its payload.
    /// - Returns: The bytes of a frame that is a message by itself.
    public static func serverFrame(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [UInt8] {
        WebSocketFrameHeader(opcode, length: payload.count).bytes + payload
    }

    private static func append(_ value: UInt64, count: Int, to bytes: inout [UInt8]) {
        for index in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(index * 8)))
        }
    }

    /// Reads a header from the front of bytes; `nil` when it is not whole yet.
    ///
    /// - Returns: The header and how many bytes it has.
    /// - Throws: `protocolViolation` as soon as a byte breaks a rule.
    static func parse(_ bytes: ArraySlice<UInt8>) throws(WebSocketError) -> (WebSocketFrameHeader, size: Int)? {
        func violation(_ message: String) -> WebSocketError { WebSocketError(.protocolViolation, message) }

        guard let first = bytes.first else { return nil }
        guard first & 0x70 == 0 else {
            throw violation("A frame has reserved bits set, though no extension was agreed on.")
        }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw violation("A frame has the reserved opcode \(first & 0x0F).")
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw violation("A control frame is fragmented.") }
        let start = bytes.startIndex
        guard bytes.count >= 2 else { return nil }
        let isMasked = bytes[start + 1] & 0x80 != 0
        let short = Int(bytes[start + 1] & 0x7F)
        guard short <= 125 || !opcode.isControl else {
            throw violation("A control frame has more than 125 bytes of payload.")
        }
        let lengthBytes = short == 127 ? 8 : short == 126 ? 2 : 0
        let size = 2 + lengthBytes + (isMasked ? 4 : 0)
        var length = UInt64(short)
        if lengthBytes > 0 {
            guard bytes.count >= 2 + lengthBytes else { return nil }
            length = bytes[(start + 2)..<(start + 2 + lengthBytes)].reduce(0) { $0 << 8 | UInt64($1) }
            guard length <= UInt64(Int64.max) else { throw violation("A frame's length has its highest bit set.") }
            guard length > (lengthBytes == 2 ? 125 : 0xFFFF) else {
                throw violation("A frame's length is not written in the shortest way.")
            }
        }
        guard bytes.count >= size else { return nil }
        let key = isMasked ? bytes[(start + size - 4)..<(start + size)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } : nil
        let header = WebSocketFrameHeader(opcode, isFinal: isFinal, length: Int(length), maskingKey: key)
        return (header, size)
    }
}
