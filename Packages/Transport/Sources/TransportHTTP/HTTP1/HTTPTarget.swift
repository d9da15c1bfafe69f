/// What a request asks for, taken apart.
public struct HTTPTarget: Hashable, Sendable {
    /// The path as it was sent, beginning with `/`; `*` for `OPTIONS *`, empty for CONNECT.
    public let path: String
    /// What follows the first `?`, as it was sent; `nil` without one.
    public let query: String?
    /// The host that an absolute target or CONNECT names; `nil` for a plain path.
    public let authority: HTTPAuthority?

    /// Reads a target in any form of RFC 9112, section 3.2.
    ///
    /// - Parameters:
    ///   - text: The target.
    ///   - method: The request's method, which decides the forms that are allowed.
    /// - Throws: `invalidTarget` for another form, a forbidden character, or a `%` without two hexadecimal digits.
    public init(_ text: String, method: String) throws(HTTPMessageError) {
        func failure(_ reason: String) -> HTTPMessageError { HTTPMessageError(.invalidTarget, reason) }

        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"):
                throw failure("The target has a character that has to be percent-encoded.")
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.count, HTTPSyntax.hexValue(bytes[index + 1]) != nil,
                    HTTPSyntax.hexValue(bytes[index + 2]) != nil
                else { throw failure("The target has a % without two hexadecimal digits.") }
            case 0x21...0x7E: break
            default: throw failure("The target has a space, a control character or one beyond ASCII.")
            }
        }

        if method == "CONNECT" {
            guard let authority = HTTPAuthority(text), authority.port != nil else {
                throw failure("CONNECT needs a host and a port.")
            }
            (path, query, self.authority) = ("", nil, authority)
            return
        }
        if text == "*" {
            guard method == "OPTIONS" else { throw failure("Only OPTIONS may ask for *.") }
            (path, query, authority) = ("*", nil, nil)
            return
        }
        var rest = Substring(text)
        if !rest.hasPrefix("/") {
            let lowercased = text.prefix(8).lowercased()
            let scheme = ["http://", "https://"].first { lowercased.hasPrefix($0) }
            guard let scheme else { throw failure("The target is neither a path nor an http address.") }
            rest = rest.dropFirst(scheme.count)
            guard let authority = HTTPAuthority(rest.prefix { $0 != "/" && $0 != "?" }) else {
                throw failure("The target's host is not one.")
            }
            self.authority = authority
            rest = rest.drop { $0 != "/" && $0 != "?" }
        } else {
            authority = nil
        }
        let sentPath = rest.prefix { $0 != "?" }
        path = sentPath.isEmpty ? "/" : String(sentPath)
        query = sentPath.endIndex == rest.endIndex ? nil : String(rest[sentPath.endIndex...].dropFirst())
    }

    /// The parts of the path between slashes, decoded; `nil` when one of them could lead out of a folder.
    ///
    /// Refused are `.`, `..`, and parts with a slash, a backslash, a control character or bytes that are not UTF-8 once
    /// decoded. An empty part stays where it is, so a trailing slash gives a last part that is empty.
    public var segments: [String]? {
        guard path.hasPrefix("/") else { return nil }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let segment = Self.decoded(part), segment != ".", segment != "..",
                segment.utf8.allSatisfy({
                    $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\")
                })
            else { return nil }
            segments.append(segment)
        }
        return segments
    }

    /// The first value of a name in the query, decoded as forms are (`+` is a space); `nil` when it is not there.
    ///
    /// - Parameter name: The decoded name.
    /// - Returns: The value, empty for a name without `=`.
    public func queryValue(_ name: String) -> String? {
        guard let query else { return nil }
        for pair in query.split(separator: "&") {
            let key = pair.prefix { $0 != "=" }
            guard Self.decoded(key, plusIsSpace: true) == name else { continue }
            return Self.decoded(pair[key.endIndex...].dropFirst(), plusIsSpace: true)
        }
        return nil
    }

    private static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(HTTPSyntax.hexValue),
                    let low = rest.popFirst().flatMap(HTTPSyntax.hexValue)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(HTTPSyntax.space)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
