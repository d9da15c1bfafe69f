import TransportCore

/// The character classes and list rules of RFC 9110 (section 5.6) and RFC 9112.
enum HTTPSyntax {
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let colon = UInt8(ascii: ":")

    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    static func isToken(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy(isToken)
    }

    /// Visible characters, spaces, tabs and the bytes beyond ASCII: what a value or a reason may have.
    static func isFieldContent(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == tab
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// A number in decimal digits; larger ones become `Int.max`, anything else `nil`.
    static func saturatingNumber(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for digit in digits {
            guard isDigit(digit) else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            number = overflow || carry ? Int.max : sum
        }
        return number
    }

    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        var rest = bytes[...]
        while let first = rest.first, first == space || first == tab { rest = rest.dropFirst() }
        while let last = rest.last, last == space || last == tab { rest = rest.dropLast() }
        return rest
    }

    /// Text of a field: UTF-8 where it is that, else each byte is the character of that number (ISO 8859-1).
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    /// The elements of a comma-separated list, trimmed, without the empty ones that a sender may leave.
    static func elements(_ list: String) -> [String] {
        list.utf8.split(separator: UInt8(ascii: ",")).compactMap { element in
            let content = trimmed(element)
            return content.isEmpty ? nil : String(Substring(content))
        }
    }

    /// Reads `name: value`.
    static func field(_ line: ArraySlice<UInt8>) throws(HTTPMessageError) -> HTTPHeaders.Field {
        if line.first == space || line.first == tab {
            throw HTTPMessageError(.invalidHeader, "A header line begins with a space; folded lines are not accepted.")
        }
        guard let end = line.firstIndex(of: colon) else {
            throw HTTPMessageError(.invalidHeader, "A header line has no colon.")
        }
        let name = line[..<end]
        if name.last == space || name.last == tab {
            throw HTTPMessageError(.invalidHeader, "A header's name is followed by a space; write the colon at once.")
        }
        guard isToken(name) else {
            throw HTTPMessageError(.invalidHeader, "A header's name is empty or has a forbidden character.")
        }
        let value = trimmed(line[(end + 1)...])
        guard value.allSatisfy(isFieldContent) else {
            let shown = String(decoding: name, as: UTF8.self)
            throw HTTPMessageError(.invalidHeader, "The header \(shown) has a control character in its value.")
        }
        return HTTPHeaders.Field(name: String(decoding: name, as: UTF8.self), value: text(value))
    }

    /// Appends `name: value CR LF` for each field, and refuses whatever would be read as something else.
    static func write(_ headers: HTTPHeaders, to bytes: inout [UInt8]) throws(HTTPMessageError) {
        for field in headers.fields {
            guard isToken(field.name.utf8) else {
                throw HTTPMessageError(.invalidHeader, "A header's name is empty or has a forbidden character.")
            }
            guard field.value.utf8.allSatisfy(isFieldContent) else {
                throw HTTPMessageError(
                    .invalidHeader,
                    "The header \(field.name) cannot be sent: its value has a line end or a control character."
                )
            }
            bytes += field.name.utf8
            bytes += [colon, space]
            bytes += trimmed(field.value.utf8)
            bytes += [carriageReturn, lineFeed]
        }
    }
}

extension HTTPHeaders {
    /// All elements of a field that is a list of tokens, in small letters.
    func tokens(of name: String) -> [String] {
        values(of: name).flatMap(HTTPSyntax.elements).map { $0.lowercased() }
    }
}
