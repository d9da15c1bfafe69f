import COpenSSL
public import TransportCore

/// Makes the server's ends of TLS connections, TLS 1.2 or newer, for HTTP/1.1.
public final class TLSServerContext: Sendable {
    private let context: SSLContext

    /// Sets up for many connections.
    ///
    /// - Parameter identity: The certificate to show.
    /// - Throws: `unavailable` when OpenSSL cannot be set up, `protocolViolation` when it does not take the identity.
    public init(identity: TLSIdentity) throws(TransportError) {
        let context = try SSLContext(TLS_server_method())
        let chain = X509Certificate.readPEM(identity.certificatePEM)
        defer { for certificate in chain { X509_free(certificate) } }
        let key = try PrivateKey(pem: identity.privateKeyPEM)
        var isComplete =
            chain.first.map {
                SSL_CTX_use_certificate(context.pointer, $0) == 1
                    && SSL_CTX_use_PrivateKey(context.pointer, key.pointer) == 1
                    && SSL_CTX_check_private_key(context.pointer) == 1
            } ?? false
        for certificate in chain.dropFirst() {
            isComplete = isComplete && hope_SSL_CTX_add_chain_certificate(context.pointer, certificate) == 1
        }
        guard isComplete else {
            ERR_clear_error()
            throw TransportError(.protocolViolation, "OpenSSL does not accept the certificate with its key.")
        }
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_NONE, nil)
        SSL_CTX_set_alpn_select_cb(
            context.pointer,
            { _, chosen, chosenCount, offered, offeredCount, _ in
                guard let offered, let found = TLSServerContext.findHTTP(offered, count: Int(offeredCount)) else {
                    return SSL_TLSEXT_ERR_ALERT_FATAL
                }
                chosen?.pointee = offered + found
                chosenCount?.pointee = UInt8(clamping: "http/1.1".utf8.count)
                return SSL_TLSEXT_ERR_OK
            },
            nil
        )
        self.context = context
    }

    /// Makes the server's end of one connection.
    ///
    /// - Throws: `unavailable` when OpenSSL is out of memory.
    public func makeEngine() throws(TransportError) -> TLSEngine {
        let engine = try TLSEngine(
            context.makeConnection(),
            peer: "the client",
            verification: nil
        )
        engine.prepareServer()
        return engine
    }

    /// Where `http/1.1` stands in what a client offers; one that offers only other things is turned away (RFC 7301, 3.2).
    private static func findHTTP(_ offered: UnsafePointer<UInt8>, count: Int) -> Int? {
        let list = UnsafeBufferPointer(start: offered, count: count)
        var start = 0
        while start < count {
            let end = start + 1 + Int(list[start])
            guard end <= count else { return nil }
            if list[(start + 1)..<end].elementsEqual("http/1.1".utf8) { return start + 1 }
            start = end
        }
        return nil
    }
}
