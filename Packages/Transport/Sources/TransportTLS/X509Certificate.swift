import COpenSSL
import TransportCore

/// Owns one certificate of OpenSSL's.
struct X509Certificate: ~Copyable {
    let pointer: OpaquePointer

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        X509_free(pointer)
    }

    init(pemOrDER bytes: [UInt8]) throws(TransportError) {
        var chain: [OpaquePointer] = []
        defer { for certificate in chain { X509_free(certificate) } }
        chain = Self.readPEM(bytes)
        if let first = chain.first {
            chain.removeFirst()
            self.init(owning: first)
            return
        }
        let decoded = bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            let decoded = d2i_X509(nil, &cursor, buffer.count)
            // What follows a certificate is no part of it, and a file with such a tail is not what it seems.
            if let decoded, cursor != buffer.baseAddress.map({ $0 + buffer.count }) {
                X509_free(decoded)
                return nil
            }
            return decoded
        }
        ERR_clear_error()
        guard let decoded else {
            throw TransportError(.protocolViolation, "This is not a certificate; it has to be in PEM or DER form.")
        }
        self.init(owning: decoded)
    }

    /// Returns the certificates of a PEM text, each with a reference that the caller has to free.
    static func readPEM(_ bytes: [UInt8]) -> [OpaquePointer] {
        var found: [OpaquePointer] = []
        bytes.withUnsafeBytes { buffer in
            guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return }
            defer { BIO_free(bio) }
            while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(certificate) }
        }
        ERR_clear_error()
        return found
    }

    var sha256: [UInt8]? { Self.sha256(of: pointer) }
    var publicKeySHA256: [UInt8]? { Self.publicKeySHA256(of: pointer) }

    /// Whether it is valid at a time, in seconds since 1970.
    func isValid(at seconds: Double) -> Bool {
        guard var time = time_t(exactly: seconds.rounded(.down)) else { return false }
        return X509_cmp_time(X509_get0_notBefore(pointer), &time) < 0
            && X509_cmp_time(X509_get0_notAfter(pointer), &time) > 0
    }

    func pem() -> [UInt8]? {
        MemoryBIO.text { PEM_write_bio_X509($0, pointer) == 1 }
    }

    static func sha256(of certificate: OpaquePointer) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        guard X509_digest(certificate, EVP_sha256(), &digest, &count) == 1, count == 32 else { return nil }
        return digest
    }

    static func publicKeySHA256(of certificate: OpaquePointer) -> [UInt8]? {
        guard let key = X509_get_X509_PUBKEY(certificate) else { return nil }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_PUBKEY(key, &encoded)
        guard count > 0, let encoded else { return nil }
        defer { CRYPTO_free(encoded, nil, 0) }
        return OpenSSLContentDigest().sha256(Array(UnsafeBufferPointer(start: encoded, count: Int(count))))
    }
}

/// Text that OpenSSL writes.
enum MemoryBIO {
    static func text(_ write: (OpaquePointer) -> Bool) -> [UInt8]? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard write(bio) else {
            ERR_clear_error()
            return nil
        }
        let count = hope_BIO_pending(bio)
        return [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, used in
            used = Int(max(0, BIO_read(bio, buffer.baseAddress, Int32(clamping: buffer.count))))
        }
    }
}

extension [UInt8] {
    var lowerHex: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(count * 2)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
