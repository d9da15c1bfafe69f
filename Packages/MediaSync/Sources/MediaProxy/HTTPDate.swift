/// A moment as HTTP's fields write it: `Sat, 30 Aug 2025 07:46:40 GMT` (RFC 9110, section 5.6.7).
struct HTTPDate: Hashable, Sendable {
    /// Seconds since 1970.
    let seconds: Int

    /// Reads a date in the preferred form; `nil` for anything else, the two obsolete forms included.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, bytes[3] == UInt8(ascii: ","), text.hasSuffix(" GMT") else { return nil }
        let spaces = [4, 7, 11, 16]
        guard spaces.allSatisfy({ bytes[$0] == UInt8(ascii: " ") }), bytes[19] == UInt8(ascii: ":"),
            bytes[22] == UInt8(ascii: ":")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard days.contains(where: { $0.utf8.elementsEqual(bytes[0..<3]) }),
            let month = months.firstIndex(where: { $0.utf8.elementsEqual(bytes[8..<11]) }),
            let day = number(5..<7), (1...31).contains(day), let year = number(12..<16), year > 0,
            let hour = number(17..<19), hour < 24, let minute = number(20..<22), minute < 60,
            let second = number(23..<25), second <= 60
        else { return nil }
        // Days since 1970 by the civil calendar, with years that begin in March.
        let shifted = month >= 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let dayNumber = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        seconds = dayNumber * 86_400 + hour * 3600 + minute * 60 + second
    }
}
