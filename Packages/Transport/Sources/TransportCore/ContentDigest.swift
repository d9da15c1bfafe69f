/// A SHA-256 computation in progress.
public protocol ContentHasher {
    /// Takes in more bytes.
    mutating func update(_ bytes: [UInt8])

    /// Returns the 32 bytes of the digest; the hasher is used up.
    mutating func finalize() -> [UInt8]
}

/// Computes SHA-256 (FIPS 180-4), by whatever the platform has for it.
///
/// An Apple backend would be CryptoKit.
public protocol ContentDigest: Sendable {
    /// Begins a computation.
    func makeHasher() -> any ContentHasher
}

extension ContentDigest {
    /// Returns the 32 bytes of the digest of `bytes`.
    public func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hasher = makeHasher()
        hasher.update(bytes)
        return hasher.finalize()
    }

    /// Returns the digest of `bytes` as 64 lower-case hexadecimal digits.
    public func sha256Hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in sha256(bytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
