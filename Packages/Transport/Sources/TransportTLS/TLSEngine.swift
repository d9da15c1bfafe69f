import COpenSSL
import Synchronization
public import TransportCore

/// One end of a TLS connection as a machine over bytes, without a socket.
///
/// The owner gives it what came from the network with ``receive(_:)-([UInt8])``, sends what ``takeOutput()`` returns, and
/// calls ``handshake()`` until that returns true. The other side is verified inside the handshake, and nothing can be
/// written before it is over, so no byte reaches a server that is not the right one. After any error there may still be an
/// alert to send in the output.
public final class TLSEngine: Sendable {
    /// What reading yields.
    public enum Reading: Hashable, Sendable {
        /// Decrypted bytes, never none.
        case bytes([UInt8])
        /// Nothing until more has been received.
        case needsInput
        /// The other side has said that no more will come.
        case end
    }

    private struct Session: ~Copyable {
        let ssl: OpaquePointer
        let peer: String
        let verification: PeerVerification?
        var isOpen = false
        var inputEnded = false
        var closeSent = false
        var failure: TransportError?
        /// Bytes that went through each memory buffer since it was new, which is what it may have grown to.
        var inputGrowth = 0
        var outputGrowth = 0

        deinit {
            SSL_free(ssl)
        }

        /// Moves what has to be sent to the end of an array.
        mutating func drain(into output: inout [UInt8]) {
            guard let bio = SSL_get_wbio(ssl) else { return }
            let pending = hope_BIO_pending(bio)
            guard pending > 0 else { return }
            outputGrowth += pending
            let start = output.count
            output.append(contentsOf: repeatElement(0, count: pending))
            let count = output.withUnsafeMutableBytes { buffer in
                Int(max(0, BIO_read(bio, buffer.baseAddress.map { $0 + start }, Int32(clamping: pending))))
            }
            if count < pending { output.removeLast(pending - count) }
        }

        /// Gives memory back: a buffer keeps its largest size, which thousands of idle connections cannot afford.
        mutating func shrinkOutput() {
            guard isOpen, outputGrowth > TLSEngine.keptBufferBytes, let fresh = BIO_new(BIO_s_mem()) else { return }
            SSL_set0_wbio(ssl, fresh)
            outputGrowth = 0
        }

        /// Gives memory back, as ``shrinkOutput()``, once everything has been read.
        mutating func shrinkInput() {
            guard inputGrowth > TLSEngine.keptBufferBytes, let bio = SSL_get_rbio(ssl), hope_BIO_pending(bio) == 0,
                let fresh = BIO_new(BIO_s_mem())
            else { return }
            SSL_set0_rbio(ssl, fresh)
            inputGrowth = 0
        }
    }

    private let session: Mutex<Session>

    /// Takes over a connection of OpenSSL's, given as its address.
    init(
        _ address: UInt,
        peer: String,
        verification: (host: String, port: Int, pins: [CertificatePin])?
    ) throws(TransportError) {
        guard let ssl = OpaquePointer(bitPattern: address) else { throw Self.outOfMemory }
        guard let input = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw Self.outOfMemory
        }
        guard let output = BIO_new(BIO_s_mem()) else {
            BIO_free(input)
            SSL_free(ssl)
            throw Self.outOfMemory
        }
        SSL_set_bio(ssl, input, output)
        let peerVerification = verification.map { PeerVerification(host: $0.host, port: $0.port, pins: $0.pins) }
        if let peerVerification {
            SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(peerVerification).toOpaque())
        }
        session = Mutex(Session(ssl: ssl, peer: peer, verification: peerVerification))
    }

    func prepareClient(host: String, offered: [UInt8]) throws(TransportError) {
        let isPrepared = session.withLock { session in
            let ssl = session.ssl
            SSL_set_connect_state(ssl)
            let isNamed: Bool
            if PeerVerification.isAddress(host) {
                // An address is not sent as a server name (RFC 6066, 3).
                isNamed = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1
            } else {
                SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
                isNamed = SSL_set1_host(ssl, host) == 1 && hope_SSL_set_server_name(ssl, host) == 1
            }
            let isOffered = offered.isEmpty || SSL_set_alpn_protos(ssl, offered, UInt32(offered.count)) == 0
            return isNamed && isOffered
        }
        guard isPrepared else {
            ERR_clear_error()
            throw TransportError(.invalidURL, "“\(host)” is not a host's name.")
        }
    }

    func prepareServer() {
        session.withLock { SSL_set_accept_state($0.ssl) }
    }

    // MARK: Network side

    /// Takes in bytes that came from the network.
    public func receive(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { receive($0) }
    }

    /// Takes in bytes that came from the network.
    public func receive(_ bytes: UnsafeRawBufferPointer) {
        // OpenSSL copies the bytes before this returns.
        let address = UInt(bitPattern: bytes.baseAddress)
        let count = bytes.count
        session.withLock { session in
            guard let bio = SSL_get_rbio(session.ssl), count > 0 else { return }
            session.inputGrowth += count
            // A memory buffer takes everything, or there is no memory left.
            if BIO_write(bio, UnsafeRawPointer(bitPattern: address), Int32(clamping: count)) != Int32(clamping: count) {
                session.failure = session.failure ?? Self.outOfMemory
            }
        }
    }

    /// Says that no more will come from the network.
    public func receiveEnd() {
        session.withLock { $0.inputEnded = true }
    }

    /// The bytes that have to be sent now, empty when there are none.
    public func takeOutput() -> [UInt8] {
        session.withLock { session in
            var output: [UInt8] = []
            session.drain(into: &output)
            session.shrinkOutput()
            return output
        }
    }

    // MARK: Handshake

    /// Goes on with the handshake as far as what was received allows.
    ///
    /// - Returns: Whether it is over, the other side verified and encryption on.
    /// - Throws: `pinMismatch` when the server is not the right one (with nothing expected where it is the trust store that
    ///   does not know it), `closed` when the other side broke off, `protocolViolation` when there is no common ground.
    @discardableResult
    public func handshake() throws(TransportError) -> Bool {
        try session.withLock { session throws(TransportError) in
            if let failure = session.failure { throw failure }
            if session.isOpen { return true }
            ERR_clear_error()
            let result = SSL_do_handshake(session.ssl)
            if result == 1 {
                session.isOpen = true
                return true
            }
            let reason = SSL_get_error(session.ssl, result)
            if reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE {
                guard session.inputEnded else { return false }
                let error = TransportError(.closed, "\(session.peer) closed the connection before TLS was set up.")
                session.failure = error
                throw error
            }
            let error = session.verification?.failure ?? Self.failure(of: session.peer, duringHandshake: true)
            session.failure = error
            throw error
        }
    }

    /// Whether the handshake is over.
    public var isOpen: Bool {
        session.withLock { $0.isOpen }
    }

    /// The fingerprints of the server's certificate, once it has been seen, also when it was refused.
    public var peerFingerprints: CertificateFingerprints? {
        session.withLock { $0.verification?.fingerprints }
    }

    /// What both sides agreed to speak inside, or `nil`.
    public var applicationProtocol: String? {
        session.withLock { session in
            var name: UnsafePointer<UInt8>?
            var count: UInt32 = 0
            SSL_get0_alpn_selected(session.ssl, &name, &count)
            guard let name, count > 0 else { return nil }
            return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
        }
    }

    /// The version of the protocol, such as `TLSv1.3`.
    public var protocolVersion: String {
        session.withLock { String(cString: SSL_get_version($0.ssl)) }
    }

    // MARK: Application side

    /// Encrypts bytes into the output.
    ///
    /// - Throws: `notConnected` before the handshake is over, `closed` after ``close()``, or the error that ended it.
    public func write(_ bytes: [UInt8]) throws(TransportError) {
        try session.withLock { session throws(TransportError) in
            try Self.write(bytes, &session) { _ in }
        }
    }

    /// Encrypts bytes and returns them together with whatever else has to be sent before.
    ///
    /// The same as ``write(_:)`` and ``takeOutput()``, with less copying.
    ///
    /// - Throws: As ``write(_:)``.
    public func encrypt(_ bytes: [UInt8]) throws(TransportError) -> [UInt8] {
        try session.withLock { session throws(TransportError) in
            var output: [UInt8] = []
            // A record adds 22 bytes in TLS 1.3 and 29 in TLS 1.2.
            output.reserveCapacity(bytes.count + (bytes.count / Self.recordBytes + 2) * 32)
            try Self.write(bytes, &session) { $0.drain(into: &output) }
            session.shrinkOutput()
            return output
        }
    }

    private static func write(
        _ bytes: [UInt8],
        _ session: inout Session,
        afterRecord: (inout Session) -> Void
    ) throws(TransportError) {
        if let failure = session.failure { throw failure }
        guard session.isOpen else { throw TransportError(.notConnected, "TLS with \(session.peer) is not set up yet.") }
        guard !session.closeSent else { throw TransportError(.closed) }
        let ssl = session.ssl
        var start = 0
        while start < bytes.count {
            ERR_clear_error()
            var written = 0
            let result = bytes.withUnsafeBytes { buffer in
                SSL_write_ex(
                    ssl,
                    buffer.baseAddress.map { $0 + start },
                    min(recordBytes, buffer.count - start),
                    &written
                )
            }
            guard result == 1, written > 0 else {
                let error = failure(of: session.peer, duringHandshake: false)
                session.failure = error
                throw error
            }
            start += written
            afterRecord(&session)
        }
    }

    /// Decrypts what was received.
    ///
    /// - Parameter limit: The most bytes to return; what is left stays for the next call.
    /// - Returns: Bytes, or why there are none.
    /// - Throws: `closed` when the connection ended without the other side saying so, which may be somebody cutting it
    ///   short; `protocolViolation` for bytes that were tampered with; the error of the handshake.
    public func read(atMost limit: Int = 65_536) throws(TransportError) -> Reading {
        try session.withLock { session throws(TransportError) in
            if let failure = session.failure { throw failure }
            guard session.isOpen else { return .needsInput }
            // What is decrypted is never longer than what was encrypted.
            let most = SSL_get_rbio(session.ssl).map { hope_BIO_pending($0) + Int(SSL_pending(session.ssl)) } ?? 0
            let size = max(1, min(limit, most))
            let ssl = session.ssl
            var reason = SSL_ERROR_NONE
            let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
                reason = Self.read(ssl, into: buffer, &used)
            }
            let ending = try Self.ending(of: &session, reason: reason, hasBytes: !bytes.isEmpty)
            return bytes.isEmpty ? ending : .bytes(bytes)
        }
    }

    /// Takes in bytes that came from the network and decrypts what can be.
    ///
    /// The same as ``receive(_:)-([UInt8])`` and ``read(atMost:)`` without a limit, with less copying.
    ///
    /// - Returns: Bytes, or why there are none.
    /// - Throws: As ``read(atMost:)``.
    public func decrypt(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Reading {
        // OpenSSL copies the bytes before this returns.
        let address = UInt(bitPattern: bytes.baseAddress)
        let count = bytes.count
        return try session.withLock { session throws(TransportError) in
            if let failure = session.failure { throw failure }
            guard session.isOpen, let bio = SSL_get_rbio(session.ssl) else {
                throw TransportError(.notConnected, "TLS with \(session.peer) is not set up yet.")
            }
            session.inputGrowth += count
            let ssl = session.ssl
            // Besides what waits in the buffer, the first part of a record may have been taken out of it already.
            let waiting = hope_BIO_pending(bio) + Int(SSL_pending(ssl)) + Self.recordBytes
            var reason = SSL_ERROR_WANT_READ
            var isTaken = true
            let decrypted = [UInt8](unsafeUninitializedCapacity: waiting + count) { buffer, used in
                var start = 0
                // Record by record, so that the buffer in between stays small.
                repeat {
                    let size = min(Self.recordBytes, count - start)
                    let pointer = UnsafeRawPointer(bitPattern: address).map { $0 + start }
                    isTaken = size == 0 || BIO_write(bio, pointer, Int32(clamping: size)) == Int32(clamping: size)
                    start += size
                    reason = Self.read(ssl, into: buffer, &used)
                } while isTaken && start < count && (reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_NONE)
            }
            if !isTaken { session.failure = Self.outOfMemory }
            let ending = try Self.ending(of: &session, reason: reason, hasBytes: !decrypted.isEmpty)
            if decrypted.isEmpty { return ending }
            // Few bytes do not keep the room that was made for many.
            return .bytes(
                decrypted.count < decrypted.capacity / 2 ? decrypted.withUnsafeBufferPointer { Array($0) } : decrypted
            )
        }
    }

    /// Decrypts into the rest of a buffer, and returns why there is no more.
    private static func read(
        _ ssl: OpaquePointer,
        into buffer: UnsafeMutableBufferPointer<UInt8>,
        _ used: inout Int
    ) -> Int32 {
        while used < buffer.count {
            ERR_clear_error()
            var count = 0
            let result = SSL_read_ex(ssl, buffer.baseAddress.map { $0 + used }, buffer.count - used, &count)
            guard result == 1 else { return SSL_get_error(ssl, result) }
            used += count
        }
        return SSL_ERROR_NONE
    }

    private static func ending(
        of session: inout Session,
        reason: Int32,
        hasBytes: Bool
    ) throws(TransportError) -> Reading {
        switch reason {
        case SSL_ERROR_NONE: return .needsInput
        case SSL_ERROR_ZERO_RETURN: return .end
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
            session.shrinkInput()
            guard session.inputEnded, !hasBytes else { return .needsInput }
            let error = TransportError(
                .closed,
                "The connection to \(session.peer) broke off without TLS's closing message; what came may be incomplete."
            )
            session.failure = error
            throw error
        default:
            let error = failure(of: session.peer, duringHandshake: false)
            session.failure = error
            // What was decrypted before is genuine, and is handed over first.
            if hasBytes { return .needsInput }
            throw error
        }
    }

    /// Puts the closing message into the output; nothing can be written afterwards, but what comes can still be read.
    public func close() {
        session.withLock { session in
            guard session.isOpen, session.failure == nil, !session.closeSent else { return }
            session.closeSent = true
            ERR_clear_error()
            _ = SSL_shutdown(session.ssl)
            ERR_clear_error()
        }
    }

    // MARK: Errors

    private static let keptBufferBytes = 4096
    /// The most that one record holds (RFC 8446, 5.1).
    private static let recordBytes = 16_384

    private static var outOfMemory: TransportError {
        ERR_clear_error()
        return TransportError(.unavailable, "OpenSSL is out of memory.")
    }

    private static func failure(of peer: String, duringHandshake: Bool) -> TransportError {
        let code = ERR_peek_error()
        var reason = ERR_reason_error_string(code).map { String(cString: $0) } ?? "unknown reason"
        ERR_clear_error()
        switch reason {
        case "wrong version number", "http request", "packet length too long":
            reason += "; is it TLS that is spoken on this port?"
        case "unsupported protocol", "tlsv1 alert protocol version", "no protocols available":
            reason += "; TLS 1.2 or newer is needed"
        default: break
        }
        return TransportError(
            .protocolViolation,
            duringHandshake
                ? "TLS with \(peer) could not be set up: \(reason)." : "TLS with \(peer) failed: \(reason)."
        )
    }
}
