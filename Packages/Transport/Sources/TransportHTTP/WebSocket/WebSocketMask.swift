/// The masking of what clients send (RFC 6455, section 5.3); masking twice gives the original.
enum WebSocketMask {
    /// Masks bytes in place, eight at a time.
    ///
    /// - Parameters:
    ///   - bytes: What is masked.
    ///   - range: Where in `bytes`.
    ///   - key: The four bytes of the key, the first one highest.
    ///   - offset: How many bytes of the same payload came before.
    static func apply(to bytes: inout [UInt8], in range: Range<Int>, key: UInt32, offset: Int) {
        guard key != 0, !range.isEmpty, range.lowerBound >= 0, range.upperBound <= bytes.count else { return }
        // The key's bytes in the order of memory, turned so that the first one meets the first byte.
        let turn = UInt32(offset & 3) * 8
        let turned = turn == 0 ? key : key << turn | key >> (32 - turn)
        let word = UInt64(turned) << 32 | UInt64(turned)
        let inMemory = word.bigEndian
        bytes.withUnsafeMutableBytes { buffer in
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[range])
            var index = 0
            while index + 8 <= part.count {
                let masked = part.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ inMemory
                part.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < part.count {
                part[index] ^= UInt8(truncatingIfNeeded: turned >> (24 - UInt32(index & 3) * 8))
                index += 1
            }
        }
    }
}
