import Foundation

/// A calendar date and a time of day, by the proleptic Gregorian calendar.
struct CivilTime: Hashable, Sendable {
    var year: Int
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0
    var second = 0
    var millisecond = 0

    /// The seconds since 1970 that this is in UTC.
    ///
    /// Days are counted as in "chrono-Compatible Low-Level Date Algorithms" by Howard Hinnant (`days_from_civil`).
    var secondsSince1970: Double {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second) + Double(millisecond) / 1_000
    }

    /// The date and time in UTC of an instant, to the nearest millisecond (`civil_from_days`).
    init(secondsSince1970 seconds: Double) {
        let milliseconds = Int((seconds * 1_000).rounded())
        var days = milliseconds / 86_400_000
        var rest = milliseconds % 86_400_000
        if rest < 0 {
            rest += 86_400_000
            days -= 1
        }
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1_000 % 60
        millisecond = rest % 1_000
    }

    /// Reads `2026-03-29`; nil when there is no such day.
    init?(date text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = Self.digits(parts[0], 4), let month = Self.digits(parts[1], 2),
            let day = Self.digits(parts[2], 2)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        guard day <= length else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Takes in `12:15`, `12:15:30` or `12:15:30.250`; false when there is no such time.
    mutating func setTime(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = Self.digits(parts[0], 2), hour < 24,
            let minute = Self.digits(parts[1], 2), minute < 60
        else { return false }
        self.hour = hour
        self.minute = minute
        guard parts.count == 3 else { return true }
        let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
        guard seconds.count <= 2, let second = Self.digits(seconds[0], 2), second < 60 else { return false }
        self.second = second
        guard seconds.count == 2 else { return true }
        let fraction = seconds[1].prefix(3)
        guard seconds[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), !fraction.isEmpty else { return false }
        millisecond = (Int(fraction) ?? 0) * [100, 10, 1][fraction.count - 1]
        return true
    }

    private static func digits(_ text: some StringProtocol, _ count: Int) -> Int? {
        text.utf8.count == count && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    private static func padded(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// `2026-03-29`.
    var dateText: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

    /// `12:15:30`, with milliseconds where there are any.
    var timeText: String {
        let fraction = millisecond == 0 ? "" : ".\(Self.padded(millisecond, 3))"
        return "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))\(fraction)"
    }

    /// `2026-03-29T10:15:00.000Z`, the date and time of GeoPackage 1.3 (annex on data types) when this is in UTC.
    var instantText: String {
        "\(dateText)T\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2)).\(Self.padded(millisecond, 3))Z"
    }
}

/// An instant as it is stored or typed.
struct Instant: Hashable, Sendable {
    var secondsSince1970: Double

    init(secondsSince1970: Double) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Reads a date and a time with `T` or a space between them.
    ///
    /// - Parameters:
    ///   - text: With `Z`, with an offset such as `+02:00`, or in the time zone given.
    ///   - timeZone: The time zone of a text that names none.
    init?(_ text: String, in timeZone: TimeZone = .gmt) {
        let parts = text.split(maxSplits: 1) { $0 == "T" || $0 == "t" || $0 == " " }
        guard parts.count == 2, var civil = CivilTime(date: parts[0]) else { return nil }
        var time = parts[1]
        var offset: Double?
        if time.last == "Z" || time.last == "z" {
            offset = 0
            time = time.dropLast()
        } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            var shift = CivilTime(secondsSince1970: 0)
            guard shift.setTime(time[time.index(after: sign)...]) else { return nil }
            offset = Double(shift.hour * 3_600 + shift.minute * 60) * (time[sign] == "-" ? -1 : 1)
            time = time[..<sign]
        }
        guard civil.setTime(time) else { return nil }
        let seconds = civil.secondsSince1970
        if let offset {
            secondsSince1970 = seconds - offset
        } else {
            // Where clocks were set back the earlier of the two; where they were set forward the time after the gap.
            let before = Self.offset(of: timeZone, at: seconds - 86_400)
            let after = Self.offset(of: timeZone, at: seconds + 86_400)
            let candidates = [before, after].map { seconds - $0 }
            secondsSince1970 =
                candidates.first { $0 + Self.offset(of: timeZone, at: $0) == seconds } ?? seconds - before
        }
    }

    /// The date and time that clocks of a time zone show.
    func civil(in timeZone: TimeZone) -> CivilTime {
        CivilTime(secondsSince1970: secondsSince1970 + Self.offset(of: timeZone, at: secondsSince1970))
    }

    var text: String { CivilTime(secondsSince1970: secondsSince1970).instantText }

    private static func offset(of timeZone: TimeZone, at seconds: Double) -> Double {
        Double(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
    }
}
