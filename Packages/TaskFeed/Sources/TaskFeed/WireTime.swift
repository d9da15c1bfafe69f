/// Reads the forms in which a time may stand on the wire.
enum WireTime {
    /// Seconds since 1970 from decimal digits or from an ISO 8601 date, with or without a time of day.
    ///
    /// A date without a zone is taken as UTC. Nil when it is neither, or not finite.
    static func seconds(from text: String) -> Double? {
        var parser = Parser(text)
        if parser.looksLikeNumber {
            guard let value = Double(String(decoding: parser.bytes, as: UTF8.self)), value.isFinite else { return nil }
            return value
        }
        return parser.date()
    }

    private struct Parser {
        let bytes: [UInt8]
        var position = 0

        init(_ text: String) {
            let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
            let trimmed = text.utf8.drop(while: isSpace)
            var all = Array(trimmed)
            while let last = all.last, isSpace(last) { all.removeLast() }
            bytes = all
        }

        /// Only digits, one sign at the start, one point, one exponent: never "nan", "inf" or hexadecimal.
        var looksLikeNumber: Bool {
            var digits = 0
            var points = 0
            var exponents = 0
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    digits += 1
                case UInt8(ascii: "+"), UInt8(ascii: "-"):
                    guard index == 0 || bytes[index - 1] | 0x20 == UInt8(ascii: "e") else { return false }
                case UInt8(ascii: "."):
                    points += 1
                case UInt8(ascii: "e"), UInt8(ascii: "E"):
                    guard digits > 0 else { return false }
                    exponents += 1
                default:
                    return false
                }
            }
            return digits > 0 && points <= 1 && exponents <= 1
        }

        mutating func date() -> Double? {
            guard let year = number(4) else { return nil }
            let extended = take(UInt8(ascii: "-"))
            guard let month = number(2), (1...12).contains(month) else { return nil }
            if extended, !take(UInt8(ascii: "-")) { return nil }
            guard let day = number(2), (1...Self.days(in: month, of: year)).contains(day) else { return nil }
            var seconds = Double(Self.daysSince1970(year: year, month: month, day: day)) * 86_400
            if position == bytes.count { return seconds }
            guard take(UInt8(ascii: "T")) || take(UInt8(ascii: "t")) || take(0x20) else { return nil }
            guard let hour = number(2), hour <= 24 else { return nil }
            let colons = take(UInt8(ascii: ":"))
            guard let minute = number(2), minute < 60 else { return nil }
            var second = 0.0
            if colons ? take(UInt8(ascii: ":")) : isDigit {
                guard let whole = number(2), whole <= 60 else { return nil }
                second = Double(whole)
                if take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) {
                    guard let fraction = fraction() else { return nil }
                    second += fraction
                }
            }
            if hour == 24, minute > 0 || second > 0 { return nil }
            seconds += Double(hour * 3_600 + minute * 60) + second
            if position == bytes.count || (take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z"))) {
                return position == bytes.count ? seconds : nil
            }
            let east = take(UInt8(ascii: "+"))
            guard east || take(UInt8(ascii: "-")), let zoneHour = number(2), zoneHour < 24 else { return nil }
            var zoneMinute = 0
            if take(UInt8(ascii: ":")) || isDigit {
                guard let minutes = number(2), minutes < 60 else { return nil }
                zoneMinute = minutes
            }
            guard position == bytes.count else { return nil }
            let offset = Double(zoneHour * 3_600 + zoneMinute * 60)
            return east ? seconds - offset : seconds + offset
        }

        private var isDigit: Bool {
            position < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
        }

        private mutating func number(_ digits: Int) -> Int? {
            var value = 0
            for _ in 0..<digits {
                guard isDigit else { return nil }
                value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
                position += 1
            }
            return value
        }

        private mutating func fraction() -> Double? {
            let begin = position
            while isDigit { position += 1 }
            guard position > begin else { return nil }
            return Double("0." + String(decoding: bytes[begin..<position], as: UTF8.self))
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        private static func days(in month: Int, of year: Int) -> Int {
            switch month {
            case 4, 6, 9, 11: 30
            case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
            default: 31
            }
        }

        /// Howard Hinnant's `days_from_civil` for the proleptic Gregorian calendar.
        private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
            let shifted = month <= 2 ? year - 1 : year
            let era = (shifted >= 0 ? shifted : shifted - 399) / 400
            let yearOfEra = shifted - era * 400
            let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
            let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            return era * 146_097 + dayOfEra - 719_468
        }
    }
}
