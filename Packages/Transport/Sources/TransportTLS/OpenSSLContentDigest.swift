import COpenSSL
public import TransportCore

/// SHA-256 by OpenSSL, which uses what the processor has for it.
public struct OpenSSLContentDigest: ContentDigest {
    /// Creates the digest.
    public init() {}

    /// Begins a computation.
    public func makeHasher() -> any ContentHasher {
        // Only memory running out can keep OpenSSL from it, and then the plain computation still gives the digest.
        OpenSSLHasher() ?? SoftwareContentDigest().makeHasher()
    }
}

private struct OpenSSLHasher: ContentHasher {
    private final class Context {
        let pointer: OpaquePointer

        init?() {
            guard let pointer = EVP_MD_CTX_new() else { return nil }
            self.pointer = pointer
        }

        deinit {
            EVP_MD_CTX_free(pointer)
        }
    }

    private var context: Context

    init?() {
        guard let context = Context(), EVP_DigestInit_ex(context.pointer, EVP_sha256(), nil) == 1 else { return nil }
        self.context = context
    }

    mutating func update(_ bytes: [UInt8]) {
        makeUnique()
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context.pointer, $0.baseAddress, $0.count) }
    }

    mutating func finalize() -> [UInt8] {
        makeUnique()
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context.pointer, &digest, nil)
        return digest
    }

    private mutating func makeUnique() {
        guard !isKnownUniquelyReferenced(&context), let copy = Context() else { return }
        EVP_MD_CTX_copy_ex(copy.pointer, context.pointer)
        context = copy
    }
}
