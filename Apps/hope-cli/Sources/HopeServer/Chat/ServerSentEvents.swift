/// Takes a stream of server-sent events apart as it comes (WHATWG HTML, 9.2.6), and keeps the data of each.
struct ServerSentEvents {
    /// The most bytes that the lines of one event may have together.
    static let maximumBytes = 1 << 20

    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var endedWithReturn = false
    private var isFirstLine = true

    /// Takes the next bytes.
    ///
    /// - Returns: The data of the events that are complete now, in order.
    /// - Throws: `malformed` for an event that is too large or not UTF-8.
    mutating func push(_ bytes: [UInt8]) throws(ChatError) -> [String] {
        var events: [String] = []
        for byte in bytes {
            let followsReturn = endedWithReturn
            endedWithReturn = false
            switch byte {
            case UInt8(ascii: "\n") where followsReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                endedWithReturn = byte == UInt8(ascii: "\r")
                if let event = try endLine() { events.append(event) }
            default:
                guard line.count + data.count < Self.maximumBytes else {
                    throw ChatError(.malformed, "sent more than \(Self.maximumBytes) bytes at once")
                }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() throws(ChatError) -> String? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        if line.isEmpty {
            defer {
                data.removeAll(keepingCapacity: true)
                hasData = false
            }
            guard hasData else { return nil }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw ChatError(.malformed, "sent text that is not UTF-8")
            }
            return text
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        guard name.elementsEqual("data".utf8) else { return nil }
        var value = line[name.endIndex...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if hasData { data.append(UInt8(ascii: "\n")) }
        data += value
        hasData = true
        return nil
    }
}
