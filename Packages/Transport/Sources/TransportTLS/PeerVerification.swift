import COpenSSL
import TransportCore

/// Decides inside the handshake whether a server is the right one.
///
/// Not `Sendable`: it belongs to one engine, and is asked under that engine's lock.
final class PeerVerification {
    let host: String
    let port: Int
    let pins: [CertificatePin]
    /// What was found, once the server has shown its certificate.
    private(set) var fingerprints: CertificateFingerprints?
    /// Why it was refused.
    private(set) var failure: TransportError?

    init(host: String, port: Int, pins: [CertificatePin]) {
        self.host = host
        self.port = port
        self.pins = pins
    }

    /// What OpenSSL calls with the certificates of the other side, before it goes on with the handshake.
    static func callback(_ store: OpaquePointer?) -> Int32 {
        guard let store,
            let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let raw = SSL_get_ex_data(OpaquePointer(ssl), 0)
        else { return 0 }
        return Unmanaged<PeerVerification>.fromOpaque(raw).takeUnretainedValue().decide(store) ? 1 : 0
    }

    private func decide(_ store: OpaquePointer) -> Bool {
        guard let leaf = X509_STORE_CTX_get0_cert(store), let found = CertificateFingerprints(borrowed: leaf) else {
            return refuse(store, TransportError(.protocolViolation, "\(name) showed no certificate."))
        }
        fingerprints = found
        guard !pins.isEmpty else {
            if X509_verify_cert(store) == 1 { return true }
            let reason = X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(store))).map { String(cString: $0) }
            return refuse(store, untrusted(found, reason ?? "unknown"), keepingReason: true)
        }
        guard pins.contains(where: { $0.matches(found) }) else { return refuse(store, mismatch(found)) }
        X509_STORE_CTX_set_error(store, X509_V_OK)
        return true
    }

    private func refuse(_ store: OpaquePointer, _ error: TransportError, keepingReason: Bool = false) -> Bool {
        failure = error
        // The reason decides which alert is sent.
        if !keepingReason { X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED) }
        return false
    }

    var name: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private func mismatch(_ found: CertificateFingerprints) -> TransportError {
        let expected = pins.map(\.description)
        return TransportError(
            .pinMismatch(
                expected: pins.map(\.sha256),
                found: pins.allSatisfy { $0.subject == .publicKey } ? found.publicKey : found.leaf
            ),
            "\(name) is pinned to \(expected.joined(separator: " or ")), but its certificate is leaf:\(found.leaf), "
                + "spki:\(found.publicKey). Nothing was sent. If the server's certificate was changed on purpose, store the "
                + "new pin; else somebody may stand between you and the server."
        )
    }

    private func untrusted(_ found: CertificateFingerprints, _ reason: String) -> TransportError {
        TransportError(
            .pinMismatch(expected: [], found: found.leaf),
            "\(name) shows a certificate that is not trusted here (\(reason)): leaf:\(found.leaf), spki:\(found.publicKey). "
                + "Nothing was sent. If you know one of these fingerprints to be your server's, pin it."
        )
    }

    /// Whether a host is written as an address rather than a name.
    static func isAddress(_ host: String) -> Bool {
        if host.contains(":") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
