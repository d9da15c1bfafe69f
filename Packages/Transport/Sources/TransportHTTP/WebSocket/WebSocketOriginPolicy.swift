import TransportCore

/// Which web pages may open a WebSocket connection to a server (RFC 6455, section 10.2).
///
/// Browsers let any page connect anywhere and only say where it came from, so the server has to look. Programs that are
/// not browsers send no Origin, and are let in by their tokens alone.
public enum WebSocketOriginPolicy: Hashable, Sendable {
    /// Pages that this server itself handed out: the origin's host and port are those of the Host field.
    case sameHost
    /// Pages of these origins, such as `https://hope.example.com`, and no others.
    case only(Set<String>)
    /// Programs without an Origin only.
    case noPages

    /// Whether a request may be upgraded.
    ///
    /// - Parameter request: The request's head.
    /// - Returns: True for a request without an Origin, false for more than one.
    public func allows(_ request: HTTPRequestHead) -> Bool {
        let origins = request.headers.values(of: "Origin")
        guard let origin = origins.first else { return true }
        guard origins.count == 1 else { return false }
        switch self {
        case .noPages: return false
        case .only(let allowed): return allowed.contains(origin)
        case .sameHost:
            for (scheme, port) in [("http://", 80), ("https://", 443)] where origin.hasPrefix(scheme) {
                guard let page = HTTPAuthority(origin.dropFirst(scheme.count)), let own = request.authority else {
                    return false
                }
                return page.host == own.host && (page.port ?? port) == (own.port ?? port)
            }
            return false
        }
    }
}
