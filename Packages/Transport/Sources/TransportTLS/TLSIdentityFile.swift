public import TransportCore

/// Keeps a server's own certificate and key in a file that only its owner can read.
public struct TLSIdentityFile: Sendable {
    /// Where the file is.
    public let path: String

    /// Names a file; its folder is made when something is kept.
    public init(path: String) {
        self.path = path
    }

    /// Returns the identity that the file holds, making and keeping one where there is none.
    ///
    /// One that is about to end is replaced by a certificate with the same key, so that pins of the public key stay.
    ///
    /// - Parameters:
    ///   - names: The host names and addresses for a new certificate.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: An identity that holds for at least another day.
    /// - Throws: `unavailable` when the file cannot be read or written, or when others can read it, which says what to do;
    ///   `protocolViolation` when it is not an identity.
    public func loadOrCreate(
        names: [String] = ["localhost", "127.0.0.1", "::1"],
        now: Double
    ) throws(TransportError) -> TLSIdentity {
        let kept = try load()
        if let kept, kept.isValid(at: now), kept.isValid(at: now + 86_400) { return kept }
        let made = try TLSIdentity.selfSigned(names: names, issuedAt: now, reusingKeyOf: kept)
        try save(made)
        return made
    }

    /// Returns the identity that the file holds, `nil` where there is no file.
    ///
    /// - Throws: As ``loadOrCreate(names:now:)``.
    public func load() throws(TransportError) -> TLSIdentity? {
        guard let bytes = try file.read() else { return nil }
        do {
            return try TLSIdentity(certificates: bytes, privateKey: bytes)
        } catch {
            throw TransportError(
                .protocolViolation,
                "\(path) is not a certificate with its key (\(error.message)); remove it to get a new one."
            )
        }
    }

    /// Keeps an identity, in place of the one that was there.
    ///
    /// - Throws: `unavailable` when the file cannot be written.
    public func save(_ identity: TLSIdentity) throws(TransportError) {
        try file.replace(identity.privateKeyPEM + identity.certificatePEM)
    }

    private var file: OwnerOnlyFile {
        OwnerOnlyFile(path: path, holding: "a private key", or: "key", maximumBytes: 1 << 20)
    }
}
