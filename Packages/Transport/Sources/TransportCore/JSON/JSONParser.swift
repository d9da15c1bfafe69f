/// Makes a ``JSONValue`` of a text, strictly.
struct JSONParser {
    private var scanner: JSONScanner
    private let profile: JSONValue.Profile

    static func parse(
        _ text: UnsafeRawBufferPointer,
        _ profile: JSONValue.Profile
    ) -> Result<JSONValue, JSONSyntaxError> {
        var parser = Self(scanner: JSONScanner(text), profile: profile)
        return Result { () throws(JSONSyntaxError) in try parser.parseText() }
    }

    private mutating func parseText() throws(JSONSyntaxError) -> JSONValue {
        scanner.skipByteOrderMark()
        scanner.skipWhitespace()
        guard !scanner.isAtEnd else { throw scanner.problem("it is empty") }
        let value = try parseValue(depth: 0)
        scanner.skipWhitespace()
        guard scanner.isAtEnd else { throw scanner.problem("something follows the value") }
        return value
    }

    private mutating func parseValue(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        scanner.skipWhitespace()
        guard let first = scanner.next else { throw scanner.problem("it ends where a value should stand") }
        switch first {
        case UInt8(ascii: "\""): return .string(try text(of: try scanner.scanString()))
        case UInt8(ascii: "{"): return try parseObject(depth: depth + 1)
        case UInt8(ascii: "["): return try parseArray(depth: depth + 1)
        default: break
        }
        let begin = scanner.position
        switch try scanner.scanScalar(first) {
        case .null: return .null
        case .bool: return .bool(first == UInt8(ascii: "t"))
        default: return .number(try number(begin..<scanner.position))
        }
    }

    private func checkDepth(_ depth: Int) throws(JSONSyntaxError) {
        guard depth <= JSONValue.maximumDepth else {
            throw scanner.problem("arrays and objects are nested deeper than \(JSONValue.maximumDepth)")
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        try checkDepth(depth)
        scanner.position += 1
        scanner.skipWhitespace()
        if scanner.take(UInt8(ascii: "]")) { return .array([]) }
        var elements: [JSONValue] = []
        while true {
            elements.append(try parseValue(depth: depth))
            scanner.skipWhitespace()
            if scanner.take(UInt8(ascii: ",")) { continue }
            if scanner.take(UInt8(ascii: "]")) { return .array(elements) }
            throw scanner.problem(
                scanner.isAtEnd ? "it ends in the middle of a list" : "a comma or a closing bracket is missing"
            )
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        try checkDepth(depth)
        let begin = scanner.position
        scanner.position += 1
        scanner.skipWhitespace()
        if scanner.take(UInt8(ascii: "}")) { return .object([JSONValue.Member]()) }
        var members: [JSONValue.Member] = []
        members.reserveCapacity(4)
        while true {
            let name = try text(of: try scanner.scanName())
            members.append(JSONValue.Member(name: name, value: try parseValue(depth: depth)))
            scanner.skipWhitespace()
            if scanner.take(UInt8(ascii: ",")) { continue }
            if scanner.take(UInt8(ascii: "}")) { break }
            throw scanner.problem(
                scanner.isAtEnd ? "it ends in the middle of an object" : "a comma or a closing brace is missing"
            )
        }
        if profile == .iJSON, let name = Self.firstRepeatedName(members) {
            throw scanner.problem("an object has two members named \"\(name)\"", at: begin)
        }
        return .object(members)
    }

    /// A name that stands twice, letter for letter; sorted, so that many members cost little more than few.
    private static func firstRepeatedName(_ members: [JSONValue.Member]) -> String? {
        guard members.count > 1 else { return nil }
        let names = members.map { Array($0.name.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        for (name, next) in zip(names, names.dropFirst()) where name == next {
            return String(decoding: name, as: UTF8.self)
        }
        return nil
    }

    private func text(of token: JSONScanner.StringToken) throws(JSONSyntaxError) -> String {
        guard let text = scanner.validText(of: token) else {
            throw scanner.problem("a string is not UTF-8", at: token.range.lowerBound - 1)
        }
        return text
    }

    private func number(_ range: Range<Int>) throws(JSONSyntaxError) -> JSONNumber {
        let digits = UnsafeRawBufferPointer(rebasing: scanner.raw[range])
        let number = JSONNumber(unchecked: String(decoding: digits, as: UTF8.self))
        if profile == .iJSON, number.doubleValue == nil {
            throw scanner.problem(
                "the number is too large for a 64-bit floating-point value",
                at: range.lowerBound
            )
        }
        return number
    }
}
