import COpenSSL
import Synchronization
public import TransportCore

/// Whom a client believes where there are no pins.
public enum TLSTrust: Hashable, Sendable {
    /// The authorities that the system knows.
    case system
    /// These authorities alone, as PEM.
    case authorities([UInt8])
}

/// Makes the client's ends of TLS connections, TLS 1.2 or newer.
///
/// An Apple backend would be Network.framework with a `sec_protocol_verify_t`.
public final class TLSClientContext: Sendable {
    private let context: SSLContext
    /// Reading all authorities of a system takes longer than everything else here, and who pins never needs them.
    private let mustLoadSystemTrust: Mutex<Bool>

    /// Sets up for many connections.
    ///
    /// - Parameter trust: Whom to believe where there are no pins.
    /// - Throws: `unavailable` when OpenSSL cannot be set up, `protocolViolation` for authorities that cannot be read.
    public init(trust: TLSTrust = .system) throws(TransportError) {
        let context = try SSLContext(TLS_client_method())
        switch trust {
        case .system: mustLoadSystemTrust = Mutex(true)
        case .authorities(let pem):
            mustLoadSystemTrust = Mutex(false)
            let certificates = X509Certificate.readPEM(pem)
            defer { for certificate in certificates { X509_free(certificate) } }
            guard !certificates.isEmpty, let store = SSL_CTX_get_cert_store(context.pointer) else {
                throw TransportError(
                    .protocolViolation,
                    "There is no certificate among the authorities; they have to be PEM."
                )
            }
            for certificate in certificates { X509_STORE_add_cert(store, certificate) }
            ERR_clear_error()
        }
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(context.pointer, { store, _ in PeerVerification.callback(store) }, nil)
        self.context = context
    }

    /// Makes the client's end of one connection.
    ///
    /// - Parameters:
    ///   - host: The host's name or address, without brackets; where there are no pins the certificate has to be for it.
    ///   - port: The port, for error messages.
    ///   - pins: What the server's certificate may be; any one is enough, and none leaves it to the trust store.
    ///   - protocols: What is spoken inside, in order of preference (RFC 7301); empty leaves it open.
    /// - Returns: The machine, whose handshake has not begun.
    /// - Throws: `invalidURL` for a host that cannot be asked for, `unavailable` when OpenSSL is out of memory.
    public func makeEngine(
        host: String,
        port: Int,
        pins: [CertificatePin] = [],
        protocols: [String] = ["http/1.1"]
    ) throws(TransportError) -> TLSEngine {
        guard !host.isEmpty, host.utf8.count <= 253, !host.utf8.contains(0) else {
            throw TransportError(.invalidURL, "“\(host.prefix(80))” is not a host's name.")
        }
        if pins.isEmpty { loadSystemTrust() }
        let engine = try TLSEngine(
            context.makeConnection(),
            peer: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)",
            verification: (host, port, pins)
        )
        var offered: [UInt8] = []
        for name in protocols where (1...255).contains(name.utf8.count) {
            offered += [UInt8(name.utf8.count)] + name.utf8
        }
        try engine.prepareClient(host: host, offered: offered)
        return engine
    }
}

extension TLSClientContext {
    private func loadSystemTrust() {
        mustLoadSystemTrust.withLock { mustLoad in
            guard mustLoad else { return }
            mustLoad = false
            // A system without authorities trusts nobody.
            SSL_CTX_set_default_verify_paths(context.pointer)
            ERR_clear_error()
        }
    }
}

/// Owns OpenSSL's settings for many connections, which is safe to use from several threads once it is set up.
final class SSLContext: Sendable {
    // An address may be shared where a pointer may not.
    private let address: UInt

    init(_ method: OpaquePointer?) throws(TransportError) {
        address = UInt(bitPattern: SSL_CTX_new(method))
        guard let pointer = OpaquePointer(bitPattern: address) else {
            ERR_clear_error()
            throw TransportError(.unavailable, "OpenSSL could not be set up.")
        }
        SSL_CTX_set_options(pointer, hope_SSL_options())
        hope_SSL_CTX_set_mode(pointer, hope_SSL_modes())
        // A resumed session would skip the verification.
        hope_SSL_CTX_disable_sessions(pointer)
        SSL_CTX_set_num_tickets(pointer, 0)
        // Only suites with forward secrecy and authenticated encryption; those of TLS 1.3 are all of that kind.
        guard hope_SSL_CTX_set_min_proto_version(pointer, TLS1_2_VERSION) == 1,
            SSL_CTX_set_cipher_list(pointer, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1
        else {
            ERR_clear_error()
            throw TransportError(.unavailable, "OpenSSL here has no TLS 1.2 with forward secrecy.")
        }
    }

    deinit {
        SSL_CTX_free(pointer)
    }

    var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Makes a connection and returns its address, 0 when there is no memory.
    func makeConnection() -> UInt {
        UInt(bitPattern: SSL_new(pointer))
    }
}
