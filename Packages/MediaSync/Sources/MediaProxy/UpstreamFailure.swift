import TransportCore

/// Why a server's bytes cannot be had, without anything secret in it.
struct UpstreamFailure: Error, Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Nobody wants the bytes any more.
        case cancelled
        /// Another attempt may go better.
        case transient
        /// The server would say the same again.
        case final
    }

    let kind: Kind
    /// What a player is answered.
    let status: Int
    /// A part of a sentence.
    let reason: String

    init(_ reason: String, kind: Kind = .final, status: Int = 502) {
        self.kind = kind
        self.status = status
        self.reason = reason
    }

    /// The failure of a connection; a transport's own words could quote an address, and are left out.
    init(_ error: TransportError, host: String) {
        switch error.code {
        case .cancelled: self.init("cancelled", kind: .cancelled)
        case .timedOut: self.init("\(host) did not answer in time", kind: .transient, status: 504)
        case .closed: self.init("\(host) broke the connection off", kind: .transient)
        case .unreachable: self.init("\(host) cannot be reached", kind: .transient)
        case .nameNotFound: self.init("the name \(host) is not known", kind: .transient)
        case .pinMismatch: self.init("the certificate of \(host) is not the expected one")
        case .protocolViolation: self.init("\(host) broke the rules of HTTP or TLS")
        default: self.init("\(host) cannot be asked")
        }
    }

    /// A status that is no file.
    init(status: Int, host: String) {
        switch status {
        case 404, 410: self.init("\(host) has no such file (HTTP \(status))", status: 404)
        case 401, 407: self.init("\(host) wants credentials (HTTP \(status))")
        case 403: self.init("\(host) refuses this file (HTTP \(status))", status: 403)
        case 429, 503: self.init("\(host) is busy (HTTP \(status))", kind: .transient, status: 503)
        case 500...: self.init("\(host) failed (HTTP \(status))", kind: .transient)
        default: self.init("\(host) answered with what is no file (HTTP \(status))")
        }
    }
}
