/// The parts of an address that somebody typed.
struct ServerAddress {
    let scheme: String
    let isSecure: Bool
    let host: String
    let port: Int?
    let path: String

    init(_ typed: String, schemes: [String: Bool]) throws(ServerConfigError) {
        func failure(_ reason: String) -> ServerConfigError { ServerConfigError(typed, reason) }

        let trimmed = String(
            String(typed.drop(while: \.isWhitespace)).reversed().drop(while: \.isWhitespace).reversed()
        )
        guard !trimmed.isEmpty else { throw failure("it is empty; write one such as https://hope.example.com.") }
        guard trimmed.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" }) else {
            throw failure("it has a space, a backslash or a control character in it.")
        }

        var rest = Substring(trimmed)
        var typedScheme: String?
        if let separator = rest.firstRange(of: "://") {
            let name = rest[..<separator.lowerBound].lowercased()
            guard schemes[name] != nil else {
                let known = schemes.keys.sorted().joined(separator: ", ")
                throw failure("“\(name)” is not a scheme it can have; use one of \(known).")
            }
            typedScheme = name
            rest = rest[separator.upperBound...]
        }

        if rest.contains("?") || rest.contains("#") {
            throw failure("leave out what follows “?” or “#”.")
        }
        let authority = rest.prefix { $0 != "/" }
        var pathText = rest[authority.endIndex...]
        while pathText.hasSuffix("/") { pathText = pathText.dropLast() }
        guard !authority.contains("@") else {
            throw ServerConfigError(
                "…@" + (authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""),
                "leave out the user name and password."
            )
        }
        path = String(pathText)
        guard !path.split(separator: "/").contains(where: { $0 == ".." || $0 == "." }), !path.contains("//") else {
            throw failure("its path has empty, “.” or “..” parts.")
        }

        let (hostText, portText) = try Self.splitPort(authority, failure)
        host = try Self.normalizedHost(hostText, failure)
        if let portText {
            guard (1...5).contains(portText.utf8.count), portText.utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int(portText), (1...65535).contains(number)
            else {
                throw failure("“\(portText)” is not a port; a port is a number from 1 to 65535.")
            }
            port = number
        } else {
            port = nil
        }
        let isLocal = host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host.hasPrefix("127.")
        scheme = typedScheme ?? (isLocal ? "http" : "https")
        isSecure = schemes[scheme] ?? true
    }

    func text(scheme: String, defaultPort: Int?) -> String {
        let shownHost = host.contains(":") ? "[\(host)]" : host
        let shownPort = port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
        return "\(scheme)://\(shownHost)\(shownPort)\(path)"
    }

    private static func splitPort(
        _ authority: Substring,
        _ failure: (String) -> ServerConfigError
    ) throws(ServerConfigError) -> (host: Substring, port: Substring?) {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else {
                throw failure("the bracket of its IPv6 address is not closed.")
            }
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else { throw failure("write the port as [address]:port.") }
            return (authority[...end], after.isEmpty ? nil : after.dropFirst())
        }
        let colons = authority.filter { $0 == ":" }.count
        // More than one colon without brackets can only be an IPv6 address, and then there is no telling a port.
        guard colons == 1, let colon = authority.firstIndex(of: ":") else { return (authority, nil) }
        return (authority[..<colon], authority[authority.index(after: colon)...])
    }

    private static func normalizedHost(
        _ text: Substring,
        _ failure: (String) -> ServerConfigError
    ) throws(ServerConfigError) -> String {
        guard !text.isEmpty else { throw failure("the host's name is missing.") }
        if text.hasPrefix("[") || text.contains(":") {
            let inner = text.hasPrefix("[") ? text.dropFirst().dropLast() : text
            guard let address = IPv6Address(inner) else { throw failure("“\(inner)” is not an IPv6 address.") }
            return address.description
        }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw failure("write the host's name in its xn-- form; letters beyond ASCII are not looked up.")
        }
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard name.utf8.count <= 253 else { throw failure("the host's name is longer than 253 characters.") }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            let isPlain = label.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95
            }
            guard (1...63).contains(label.utf8.count), isPlain, !label.hasPrefix("-"), !label.hasSuffix("-") else {
                throw failure("“\(name)” is not a host's name.")
            }
        }
        if let last = labels.last, last.utf8.allSatisfy({ (48...57).contains($0) }) {
            let isIPv4 =
                labels.count == 4
                && labels.allSatisfy { label in
                    guard let number = Int(label), label.utf8.count <= 3 else { return false }
                    return number <= 255 && (label == "0" || !label.hasPrefix("0"))
                }
            guard isIPv4 else {
                throw failure("“\(name)” is not an IPv4 address; it has four numbers from 0 to 255.")
            }
        }
        return name
    }
}

/// An IPv6 address, written in the canonical form of RFC 5952.
struct IPv6Address: CustomStringConvertible {
    private let groups: [UInt16]

    init?(_ text: Substring) {
        let halves = Self.splitAtGap(text)
        guard let halves, halves.count <= 2, let front = Self.groups(of: halves[0], mayEndInIPv4: halves.count == 1)
        else { return nil }
        guard halves.count == 2 else {
            guard front.count == 8 else { return nil }
            groups = front
            return
        }
        guard let back = Self.groups(of: halves[1], mayEndInIPv4: true), front.count + back.count <= 7 else {
            return nil
        }
        groups = front + Array(repeating: 0, count: 8 - front.count - back.count) + back
    }

    private static func splitAtGap(_ text: Substring) -> [Substring]? {
        guard let gap = text.firstRange(of: "::") else { return [text] }
        let rest = text[gap.upperBound...]
        return rest.hasPrefix(":") || rest.contains("::") ? nil : [text[..<gap.lowerBound], rest]
    }

    private static func groups(of text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(".") {
                let numbers = part.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
                guard numbers.count == 4, let a = numbers[0], let b = numbers[1], let c = numbers[2], let d = numbers[3]
                else { return nil }
                groups += [UInt16(a) << 8 | UInt16(b), UInt16(c) << 8 | UInt16(d)]
                continue
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }

    var description: String {
        // The longest run of two or more zero groups is left out, the first one of several.
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start >= 2, end - start > best.count { best = start..<end }
            start = max(end, start + 1)
        }
        func hex(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        return best.isEmpty ? hex(0..<8) : hex(0..<best.lowerBound) + "::" + hex(best.upperBound..<8)
    }
}
