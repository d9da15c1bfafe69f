/// Why some bytes are not JSON, and where.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// Where it was found, in bytes from the start of what was read.
    public let offset: Int
    /// The line, beginning with 1.
    public let line: Int
    /// The place in that line, in Unicode scalars, beginning with 1.
    public let column: Int
    /// What was found there, as a part of a sentence.
    public let reason: String

    init(offset: Int, reason: String, in text: UnsafeRawBufferPointer) {
        self.offset = offset
        self.reason = reason
        var line = 1
        var column = 1
        for byte in text.prefix(offset) {
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }

    /// A sentence for people that names the place and the reason.
    public var message: String {
        "The JSON text cannot be read at line \(line), column \(column) (byte \(offset)): \(reason)."
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONSyntaxError: CustomStringConvertible {
    public var description: String { message }
}
