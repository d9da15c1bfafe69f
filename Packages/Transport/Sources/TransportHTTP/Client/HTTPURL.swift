import TransportCore

/// An absolute `http`, `https`, `ws` or `wss` address, taken apart.
struct HTTPURL: Hashable, Sendable {
    /// What connections are kept by, and what credentials belong to.
    struct Origin: Hashable, Sendable {
        let isSecure: Bool
        let host: String
        let port: Int
    }

    let origin: Origin
    /// The path and query, as they go into the request.
    let target: String

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - known: Origins that were read before, since reading one takes longer than asking a server for something.
    /// - Throws: `invalidURL`, saying what is wrong.
    init(_ text: String, known: HTTPOriginCache? = nil) throws(TransportError) {
        let isWebSocket = text.prefix(2).lowercased() == "ws"
        guard let separator = text.firstRange(of: "://"),
            ["http", "https", "ws", "wss"].contains(text[..<separator.lowerBound].lowercased())
        else {
            throw TransportError(.invalidURL, "“\(text.prefix(80))” is not an address; write it as https://host/path.")
        }
        let rest = text[separator.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let base = String(text[..<authority.endIndex])
        if let seen = known?[base] {
            origin = seen
        } else {
            let config: ServerConfig
            do throws(ServerConfigError) {
                config = try ServerConfig(base)
            } catch {
                throw TransportError(.invalidURL, error.message)
            }
            origin = Origin(isSecure: config.isSecure, host: config.host, port: config.port)
            known?[base] = origin
        }
        let after = rest[authority.endIndex...]
        target = after.hasPrefix("/") ? String(after) : "/" + after
        guard (try? HTTPTarget(target, method: "GET")) != nil else {
            throw TransportError(
                .invalidURL,
                "The path of \(isWebSocket ? "the room's address" : "the address") on \(origin.host) has a character that has "
                    + "to be percent-encoded."
            )
        }
    }

    private init(origin: Origin, target: String) throws(TransportError) {
        self.origin = origin
        self.target = target
        guard (try? HTTPTarget(target, method: "GET")) != nil else {
            throw TransportError(.protocolViolation, "\(origin.host) redirects to an address that cannot be asked for.")
        }
    }

    /// The value of the Host field.
    var hostField: String {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return origin.port == (origin.isSecure ? 443 : 80) ? host : "\(host):\(origin.port)"
    }

    /// Follows a reference as an answer's Location has it (RFC 3986, section 5.2).
    ///
    /// - Throws: `protocolViolation` or `invalidURL` when it leads nowhere.
    func resolved(_ reference: String) throws(TransportError) -> HTTPURL {
        let reference = reference.prefix { $0 != "#" }
        if let colon = reference.firstIndex(of: ":"), !reference[..<colon].contains(where: { "/?".contains($0) }) {
            return try HTTPURL(String(reference))
        }
        if reference.hasPrefix("//") { return try HTTPURL((origin.isSecure ? "https:" : "http:") + reference) }
        let path = reference.prefix { $0 != "?" }
        let query = reference[path.endIndex...]
        let ownPath = target.prefix { $0 != "?" }
        if path.isEmpty {
            return try HTTPURL(origin: origin, target: query.isEmpty ? target : String(ownPath + query))
        }
        let folder = ownPath.prefix(through: ownPath.lastIndex(of: "/") ?? ownPath.startIndex)
        let merged = path.hasPrefix("/") ? String(path) : String(folder + path)
        return try HTTPURL(origin: origin, target: Self.withoutDots(merged) + query)
    }

    private static func withoutDots(_ path: String) -> String {
        var kept: [Substring] = []
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { kept.append("") }
            case "..":
                if !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
