/// The lines of a JSON Lines text that hold something, one after the other.
///
/// Lines end with LF or CR LF; the last one need not. Blank lines are passed over but counted, and so is a byte order
/// mark in front of the first.
public struct JSONLines: Sequence, IteratorProtocol, Sendable {
    /// A line: where it is.
    public struct Line: Hashable, Sendable {
        /// The number of the line, beginning with 1.
        public let number: Int
        /// The bytes of the line in the text, without the line feed.
        public let range: Range<Int>
    }

    private let bytes: [UInt8]
    private var position = 0
    private var number = 0

    /// Begins with the first line.
    ///
    /// - Parameter bytes: The whole text in UTF-8.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next line that is not blank.
    public mutating func next() -> Line? {
        while position < bytes.count {
            number += 1
            let begin = position
            let end = bytes.withUnsafeBytes { ByteSearch.firstLineFeed(in: $0, from: begin) }
            position = end + 1
            let isBlank = bytes[begin..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            if !isBlank { return Line(number: number, range: begin..<end) }
        }
        return nil
    }
}
