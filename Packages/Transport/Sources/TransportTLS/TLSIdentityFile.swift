import Glibc
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
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw failure("cannot be opened", errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot be examined", errno) }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw TransportError(
                .unavailable,
                "\(path) holds a private key, but is not its owner's alone; run chmod 600 on it, or remove it to get a new key."
            )
        }
        var bytes: [UInt8] = []
        while bytes.count <= 1 << 20 {
            let part = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
                used = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            if part.isEmpty { break }
            bytes += part
        }
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
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        try makeFolder(folder)
        // Written beside and moved over, so that a reader finds the old pair or the new one, and never half a key.
        let draft = "\(path).\(getpid()).new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be written", errno) }
        var written = true
        for var rest in [identity.privateKeyPEM[...], identity.certificatePEM[...]] {
            while written, !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count <= 0 { written = false } else { rest = rest.dropFirst(count) }
            }
        }
        written = written && fsync(descriptor) == 0
        let reason = errno
        close(descriptor)
        guard written, rename(draft, path) == 0 else {
            let reason = written ? errno : reason
            unlink(draft)
            throw failure("cannot be written", reason)
        }
    }

    private func makeFolder(_ folder: String) throws(TransportError) {
        if folder.isEmpty || access(folder, F_OK) == 0 { return }
        if let slash = folder.lastIndex(of: "/") { try makeFolder(String(folder[..<slash])) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw failure("has a folder that cannot be made", errno)
        }
    }

    private func failure(_ what: String, _ code: Int32) -> TransportError {
        TransportError(.unavailable, "\(path) \(what): \(String(cString: strerror(code))).")
    }
}
