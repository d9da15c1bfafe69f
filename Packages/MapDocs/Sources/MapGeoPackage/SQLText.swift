/// Writes names and texts of others into SQL.
enum SQLText {
    /// A name as SQL takes it, whatever it has in it.
    static func name(_ name: String) -> String { wrap(name, in: UInt8(ascii: "\"")) }

    /// A text as SQL takes it.
    static func literal(_ text: String) -> String { wrap(text, in: UInt8(ascii: "'")) }

    /// By bytes: a quotation mark with an accent on it is another character to Swift, but not to SQLite.
    private static func wrap(_ text: String, in mark: UInt8) -> String {
        var bytes = [mark]
        for byte in text.utf8 {
            if byte == mark { bytes.append(mark) }
            bytes.append(byte)
        }
        bytes.append(mark)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// Whether two names are the same bytes; Swift takes differently composed letters for equal, SQLite does not.
    func isSameName(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Whether two names are the same to SQLite: the letters A to Z count in either case, no others do.
    func isSameSQLName(as other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.foldedASCII == $1.foldedASCII }
    }

    /// The name with A to Z as a to z.
    var foldedASCII: String { String(decoding: utf8.map(\.foldedASCII), as: UTF8.self) }
}

extension UInt8 {
    var foldedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
