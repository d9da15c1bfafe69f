public import TransportCore

/// Frames the pieces of one body, and sees to it that they add up to what the head promised.
public struct HTTPBodyWriter: Sendable {
    private let framing: HTTPBodyFraming
    private var rest: Int
    private var isFinished = false

    /// Creates a writer for a body of this framing.
    public init(_ framing: HTTPBodyFraming) {
        self.framing = framing
        if case .length(let length) = framing { rest = length } else { rest = 0 }
    }

    /// What goes before and after a piece of a body, so that the piece itself need not be copied.
    ///
    /// - Parameter count: The size of the piece in bytes; nothing is to be sent for an empty one.
    /// - Returns: Empty arrays where nothing goes around the piece.
    /// - Throws: `bodyLengthMismatch` when the body would become longer than promised, or was finished.
    public mutating func frame(_ count: Int) throws(HTTPMessageError) -> (before: [UInt8], after: [UInt8]) {
        guard count > 0 else { return ([], []) }
        guard !isFinished else { throw Self.mismatch("The body has been finished already.") }
        switch framing {
        case .empty: throw Self.mismatch("This message has no body.")
        case .untilClose: return ([], [])
        case .chunked: return (Array("\(String(count, radix: 16))\r\n".utf8), Array("\r\n".utf8))
        case .length:
            guard count <= rest else { throw Self.mismatch("The body is longer than its Content-Length.") }
            rest -= count
            return ([], [])
        }
    }

    /// A piece of the body with what goes around it.
    ///
    /// - Throws: As ``frame(_:)``.
    public mutating func encode(_ bytes: [UInt8]) throws(HTTPMessageError) -> [UInt8] {
        let (before, after) = try frame(bytes.count)
        return before.isEmpty ? bytes : before + bytes + after
    }

    /// What goes behind the last piece.
    ///
    /// - Parameter trailers: Fields behind the body; only a chunked one has room for them.
    /// - Returns: The last bytes to send, empty unless the body is chunked.
    /// - Throws: `bodyLengthMismatch` when the body is shorter than promised, `invalidHeader` for a trailer that cannot be
    ///   sent.
    public mutating func finish(trailers: HTTPHeaders = [:]) throws(HTTPMessageError) -> [UInt8] {
        guard rest == 0 else { throw Self.mismatch("The body is \(rest) bytes shorter than its Content-Length.") }
        guard !isFinished else { return [] }
        isFinished = true
        guard framing == .chunked else {
            guard trailers.fields.isEmpty else {
                throw HTTPMessageError(.invalidHeader, "Only a chunked body can have fields behind it.")
            }
            return []
        }
        var bytes = Array("0\r\n".utf8)
        try HTTPSyntax.write(trailers, to: &bytes)
        bytes += [HTTPSyntax.carriageReturn, HTTPSyntax.lineFeed]
        return bytes
    }

    private static func mismatch(_ message: String) -> HTTPMessageError {
        HTTPMessageError(.bodyLengthMismatch, message)
    }
}
