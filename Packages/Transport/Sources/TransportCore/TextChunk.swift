/// How texts are cut into the chunks of a stream.
package enum TextChunk {
    /// The largest chunk, in bytes of UTF-8 (what LiveKit's libraries send).
    package static let maximumBytes = 15_000
}

extension String {
    /// Cuts the text into pieces of at most `limit` bytes of UTF-8, never within a Unicode scalar; none when it is empty.
    package func chunks(ofAtMost limit: Int) -> [String] {
        // No scalar is longer than four bytes, so each piece gets on by at least one.
        let limit = max(4, limit)
        if utf8.count <= limit { return isEmpty ? [] : [self] }
        var chunks: [String] = []
        var start = startIndex
        while start < endIndex {
            var end = utf8.index(start, offsetBy: limit, limitedBy: endIndex) ?? endIndex
            while end < endIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
            chunks.append(String(unicodeScalars[start..<end]))
            start = end
        }
        return chunks
    }
}
