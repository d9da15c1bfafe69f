import COpenSSL
public import TransportCore

/// What a certificate can be recognised by: SHA-256 over the whole of it, and over its public key.
public struct CertificateFingerprints: Hashable, Sendable {
    /// SHA-256 of the certificate's DER, as 64 lower-case hexadecimal digits.
    public let leaf: String
    /// SHA-256 of the DER of its SubjectPublicKeyInfo (RFC 7469, 2.4), which stays when it is renewed with the same key.
    public let publicKey: String

    /// Computes the fingerprints of a certificate.
    ///
    /// - Parameter certificate: DER, or PEM, of which the first certificate counts.
    /// - Throws: `protocolViolation` when there is no certificate in it.
    public init(certificate: [UInt8]) throws(TransportError) {
        try self.init(X509Certificate(pemOrDER: certificate))
    }

    init(_ certificate: borrowing X509Certificate) throws(TransportError) {
        guard let leaf = certificate.sha256, let publicKey = certificate.publicKeySHA256 else {
            throw TransportError(.protocolViolation, "The certificate's fingerprint could not be computed.")
        }
        self.leaf = leaf.lowerHex
        self.publicKey = publicKey.lowerHex
    }

    init?(borrowed pointer: OpaquePointer) {
        guard let leaf = X509Certificate.sha256(of: pointer),
            let publicKey = X509Certificate.publicKeySHA256(of: pointer)
        else { return nil }
        self.leaf = leaf.lowerHex
        self.publicKey = publicKey.lowerHex
    }
}
