/// A version of HTTP/1.
public enum HTTPVersion: String, Hashable, Sendable {
    /// HTTP/1.0, whose connections end after one answer unless both sides say otherwise.
    case http10 = "HTTP/1.0"
    /// HTTP/1.1; a higher minor version is read as this one (RFC 9110, section 2.5).
    case http11 = "HTTP/1.1"

    init(_ bytes: ArraySlice<UInt8>) throws(HTTPMessageError) {
        let text = Array(bytes)
        guard text.count == 8, text.starts(with: "HTTP/".utf8), HTTPSyntax.isDigit(text[5]),
            text[6] == UInt8(ascii: "."), HTTPSyntax.isDigit(text[7])
        else { throw HTTPMessageError(.invalidStartLine, "The first line names no version such as HTTP/1.1.") }
        guard text[5] == UInt8(ascii: "1") else {
            throw HTTPMessageError(.unsupportedVersion, "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
        }
        self = text[7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    /// Whether the connection stays open after a message with these Connection tokens.
    func keepsAlive(_ connection: [String]) -> Bool {
        if connection.contains("close") { return false }
        return self == .http11 || connection.contains("keep-alive")
    }
}
