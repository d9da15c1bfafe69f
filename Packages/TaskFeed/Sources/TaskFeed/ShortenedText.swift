/// A text within a bound: whole, or its head and tail with a mark between that says how much is missing.
struct ShortenedText {
    let text: String
    let omittedBytes: Int

    private static let markStart = "\n[\u{2026} "
    private static let markEnd = " bytes left out \u{2026}]\n"

    /// Keeps at most `limit / 2` bytes at each end, cut where a character of UTF-8 begins.
    ///
    /// A text that was already shortened to this bound comes back as it is, so that storing and restoring changes
    /// nothing.
    init(_ original: String, limit: Int) {
        guard original.utf8.count > limit else {
            text = original
            omittedBytes = 0
            return
        }
        var original = original
        let half = limit / 2
        (text, omittedBytes) = original.withUTF8 { bytes in
            if let omitted = Self.omitted(inShortened: bytes, half: half) {
                return (String(decoding: bytes, as: UTF8.self), omitted)
            }
            var head = half
            while head > 0, Self.isContinuation(bytes[head]) { head -= 1 }
            var tail = bytes.count - half
            while tail < bytes.count, Self.isContinuation(bytes[tail]) { tail += 1 }
            let mark = Self.markStart + String(tail - head) + Self.markEnd
            let start = String(decoding: UnsafeBufferPointer(rebasing: bytes[..<head]), as: UTF8.self)
            let end = String(decoding: UnsafeBufferPointer(rebasing: bytes[tail...]), as: UTF8.self)
            return (start + mark + end, tail - head)
        }
    }

    private static func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0xC0 == 0x80
    }

    /// The number in the mark, when the mark stands where shortening to this bound puts it.
    private static func omitted(inShortened bytes: UnsafeBufferPointer<UInt8>, half: Int) -> Int? {
        // A character has at most four bytes, so a cut is at most three before the half.
        for head in max(0, half - 3)...half where bytes[head...].starts(with: markStart.utf8) {
            let digits = bytes[(head + markStart.utf8.count)...].prefix { (0x30...0x39).contains($0) }
            guard digits.count <= 18, let omitted = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
            let rest = bytes[digits.endIndex...]
            guard rest.starts(with: markEnd.utf8) else { return nil }
            let tail = rest.count - markEnd.utf8.count
            return tail <= half && tail >= half - 3 ? omitted : nil
        }
        return nil
    }
}
