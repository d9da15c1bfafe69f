import COpenSSL

/// Message authentication with SHA-256 (RFC 2104).
public enum HMACSHA256 {
    /// Returns the 32 bytes that only who knows the key can compute for a message.
    ///
    /// - Parameters:
    ///   - message: What is authenticated.
    ///   - key: The secret, of any length.
    /// - Returns: The authentication code; empty when OpenSSL is out of memory, which verifies nothing.
    public static func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        // A null pointer would mean “the same key as before” to OpenSSL, so an empty key needs an address too.
        let padded = key.isEmpty ? [0] : key
        let result = padded.withUnsafeBytes { keyBytes in
            message.withUnsafeBufferPointer {
                HMAC(
                    EVP_sha256(),
                    keyBytes.baseAddress,
                    Int32(clamping: key.count),
                    $0.baseAddress,
                    $0.count,
                    &code,
                    &count
                )
            }
        }
        return result != nil && count == 32 ? code : []
    }

    /// Whether a code is the right one, in a time that does not depend on where it differs.
    public static func isValid(_ code: [UInt8], for message: [UInt8], key: [UInt8]) -> Bool {
        let expected = authenticationCode(for: message, key: key)
        guard expected.count == 32, code.count == 32 else { return false }
        return CRYPTO_memcmp(expected, code, 32) == 0
    }
}
