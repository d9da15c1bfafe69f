/// A host and perhaps a port, as the Host field and an absolute target have them.
public struct HTTPAuthority: Hashable, Sendable {
    /// The host in small letters; an IPv6 address without its brackets.
    public let host: String
    /// The port, 1 to 65535, where one is given.
    public let port: Int?

    /// Reads `host`, `host:port`, `1.2.3.4:port` or `[IPv6]:port`; `nil` for anything else, user names included.
    ///
    /// - Parameter text: What stands in the field. Names are letters, digits, `-`, `_` and `.`, at most 255 bytes.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 262 else { return nil }
        let hostEnd: Int
        if bytes[0] == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let address = bytes[1..<bracket]
            guard address.count >= 2, address.count <= 45, address.contains(UInt8(ascii: ":")),
                address.allSatisfy({
                    HTTPSyntax.hexValue($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
                })
            else { return nil }
            host = String(decoding: address, as: UTF8.self).lowercased()
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            let name = bytes[..<hostEnd]
            guard !name.isEmpty, name.count <= 255, name.allSatisfy(Self.isNameByte) else { return nil }
            host = String(decoding: name, as: UTF8.self).lowercased()
        }
        guard hostEnd < bytes.count else {
            port = nil
            return
        }
        let digits = bytes[(hostEnd + 1)...]
        guard bytes[hostEnd] == UInt8(ascii: ":"), digits.count <= 5 else { return nil }
        if digits.isEmpty {
            port = nil
            return
        }
        guard let number = HTTPSyntax.saturatingNumber(digits), (1...65535).contains(number) else { return nil }
        port = number
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether this is the machine itself by name or address, the only hosts that a loopback server answers to.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension HTTPAuthority: CustomStringConvertible {
    /// The text of the Host field.
    public var description: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }
}
