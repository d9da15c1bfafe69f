import COpenSSL
public import TransportCore

/// A server's certificate with its private key.
///
/// Printing it never shows the key.
public struct TLSIdentity: Sendable {
    /// What clients can pin.
    public let fingerprints: CertificateFingerprints
    let certificatePEM: [UInt8]
    let privateKeyPEM: [UInt8]

    /// Reads a certificate, with those that it was signed by behind it, and its key.
    ///
    /// - Parameters:
    ///   - certificates: PEM, the server's own certificate first.
    ///   - privateKey: PEM without a password; may be the same text.
    /// - Throws: `protocolViolation` when one of them cannot be read, or the key is another certificate's.
    public init(certificates: [UInt8], privateKey: [UInt8]) throws(TransportError) {
        let certificate = try X509Certificate(pemOrDER: certificates)
        let key = try PrivateKey(pem: privateKey)
        guard X509_check_private_key(certificate.pointer, key.pointer) == 1 else {
            ERR_clear_error()
            throw TransportError(.protocolViolation, "The private key does not belong to the certificate.")
        }
        guard let pem = key.pem() else {
            throw TransportError(.protocolViolation, "The private key cannot be written as PEM.")
        }
        fingerprints = try CertificateFingerprints(certificate)
        certificatePEM = certificates
        privateKeyPEM = pem
    }

    /// Makes a certificate that is signed with its own key (ECDSA on P-256), for a server that clients pin.
    ///
    /// - Parameters:
    ///   - names: The host names and addresses it is for.
    ///   - issuedAt: The time it begins to hold, in seconds since 1970; an hour is subtracted for clocks that go slow.
    ///   - days: How long it holds.
    ///   - key: An identity whose key is used again, so that pins of the public key stay; `nil` makes a new key.
    /// - Returns: The certificate with its key.
    /// - Throws: `protocolViolation` for a name that cannot stand in a certificate.
    public static func selfSigned(
        names: [String] = ["localhost", "127.0.0.1", "::1"],
        issuedAt: Double,
        days: Int = 825,
        reusingKeyOf key: TLSIdentity? = nil
    ) throws(TransportError) -> TLSIdentity {
        let alternatives = try alternativeNames(names)
        let secret = if let key { try PrivateKey(pem: key.privateKeyPEM) } else { try PrivateKey.generate() }
        let start = min(max(issuedAt.isFinite ? issuedAt : 0, 3600), 2e11) - 3600
        let end = start + 3600 + Double(min(max(days, 1), 36_500)) * 86_400

        guard let pointer = X509_new() else { throw makingFailed }
        let certificate = X509Certificate(owning: pointer)
        // Version 3 is written as 2 (RFC 5280, 4.1.2.1).
        guard X509_set_version(pointer, 2) == 1, X509_set_pubkey(pointer, secret.pointer) == 1,
            ASN1_TIME_set(X509_getm_notBefore(pointer), time_t(start)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(pointer), time_t(end)) != nil,
            let name = X509_get_subject_name(pointer),
            X509_NAME_add_entry_by_txt(name, "CN", 0x1001, names.first ?? "localhost", -1, -1, 0) == 1,
            X509_set_issuer_name(pointer, name) == 1
        else { throw makingFailed }

        // One key never gives two certificates the same number, unless they are made for the same second.
        var seed = X509Certificate.publicKeySHA256(of: pointer) ?? []
        seed += Array(String(start).utf8)
        let number = OpenSSLContentDigest().sha256(seed).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard ASN1_INTEGER_set_uint64(X509_get_serialNumber(pointer), number >> 1 | 1) == 1 else { throw makingFailed }

        let extensions = [
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth"),
            (NID_subject_alt_name, alternatives),
        ]
        for (identifier, value) in extensions {
            guard let made = X509V3_EXT_nconf_nid(nil, nil, identifier, value) else { throw makingFailed }
            defer { X509_EXTENSION_free(made) }
            guard X509_add_ext(pointer, made, -1) == 1 else { throw makingFailed }
        }
        guard X509_sign(pointer, secret.pointer, EVP_sha256()) > 0, let pem = certificate.pem(),
            let keyPEM = secret.pem()
        else { throw makingFailed }
        return try TLSIdentity(certificates: pem, privateKey: keyPEM)
    }

    /// Whether the certificate holds at a time, in seconds since 1970.
    public func isValid(at seconds: Double) -> Bool {
        guard let certificate = try? X509Certificate(pemOrDER: certificatePEM) else { return false }
        return certificate.isValid(at: seconds)
    }

    /// The certificates as PEM, which is no secret.
    public var certificates: [UInt8] { certificatePEM }

    private static var makingFailed: TransportError {
        ERR_clear_error()
        return TransportError(.protocolViolation, "OpenSSL could not make a certificate.")
    }

    private static func alternativeNames(_ names: [String]) throws(TransportError) -> String {
        var parts: [String] = []
        for name in names {
            // Anything else would be read as more of OpenSSL's little language.
            let isPlain = name.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                    || [42, 45, 46, 58].contains($0)
            }
            guard !name.isEmpty, isPlain else {
                throw TransportError(.protocolViolation, "“\(name)” cannot stand in a certificate as a host's name.")
            }
            parts.append(PeerVerification.isAddress(name) ? "IP:\(name)" : "DNS:\(name)")
        }
        guard !parts.isEmpty else {
            throw TransportError(.protocolViolation, "A certificate needs at least one host's name.")
        }
        return parts.joined(separator: ",")
    }
}

extension TLSIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The certificate's fingerprint, without the key.
    public var description: String { "TLSIdentity(leaf: \(fingerprints.leaf))" }

    /// The certificate's fingerprint, without the key.
    public var debugDescription: String { description }

    /// The certificate's fingerprints, without the key.
    public var customMirror: Mirror {
        Mirror(self, children: ["leaf": fingerprints.leaf, "publicKey": fingerprints.publicKey])
    }
}

/// Owns one private key of OpenSSL's.
struct PrivateKey: ~Copyable {
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    static func generate() throws(TransportError) -> PrivateKey {
        guard let pointer = hope_EVP_P256_generate() else {
            ERR_clear_error()
            throw TransportError(.protocolViolation, "OpenSSL could not make a key.")
        }
        return PrivateKey(owning: pointer)
    }

    init(pem: [UInt8]) throws(TransportError) {
        let pointer = pem.withUnsafeBytes { buffer -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return nil }
            defer { BIO_free(bio) }
            // Without a callback OpenSSL would ask for the password on the terminal.
            return PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        ERR_clear_error()
        guard let pointer else {
            throw TransportError(
                .protocolViolation,
                "There is no private key that can be read; it has to be PEM, without a password."
            )
        }
        self.init(owning: pointer)
    }

    func pem() -> [UInt8]? {
        MemoryBIO.text { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) == 1 }
    }
}
