import TransportCore

/// How the end of a body is told (RFC 9112, section 6).
public enum HTTPBodyFraming: Hashable, Sendable {
    /// There is no body.
    case empty
    /// This many bytes, `Int.max` for anything larger.
    case length(Int)
    /// In chunks, until an empty one.
    case chunked
    /// Until the connection is closed; answers only.
    case untilClose

    /// Reads the two fields that give a body's length; `nil` when neither is there.
    init?(_ headers: HTTPHeaders, version: HTTPVersion) throws(HTTPMessageError) {
        let lengths = headers.values(of: "Content-Length")
        let codings = headers.values(of: "Transfer-Encoding")
        guard lengths.count <= 1 else {
            throw HTTPMessageError(.ambiguousLength, "The body's length is given more than once.")
        }
        if !codings.isEmpty {
            guard lengths.isEmpty else {
                throw HTTPMessageError(.ambiguousLength, "The body has a Content-Length and a Transfer-Encoding.")
            }
            guard version == .http11 else {
                throw HTTPMessageError(.ambiguousLength, "HTTP/1.0 has no Transfer-Encoding.")
            }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw HTTPMessageError(
                    .unsupportedTransferCoding,
                    "The only transfer coding that is understood here is chunked, once."
                )
            }
            self = .chunked
            return
        }
        guard let length = lengths.first else { return nil }
        guard let number = HTTPSyntax.saturatingNumber(length.utf8) else {
            throw HTTPMessageError(.invalidLength, "The Content-Length is not one number in decimal digits.")
        }
        self = .length(number)
    }
}
