/// How the transcript's times are written.
enum TranscriptTimestamp {
    /// `2025-08-30 01:20:00`, in UTC.
    static func dateAndTime(_ time: Double) -> String {
        let (days, seconds) = split(time)
        let (year, month, day) = civil(fromDays: days)
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2)) \(clock(seconds)):\(pad(seconds % 60, 2))"
    }

    /// `01:20`, with the offset of the reader's time zone.
    static func hoursAndMinutes(_ time: Double, utcOffset: Int) -> String {
        clock(split(time + Double(utcOffset)).seconds)
    }

    /// `00:01:20.000`: time since a start; the part after the seconds is set off by `separator`.
    static func elapsed(_ milliseconds: Int, separator: String) -> String {
        let seconds = milliseconds / 1_000
        let clock = "\(pad(seconds / 3_600, 2)):\(pad(seconds / 60 % 60, 2)):\(pad(seconds % 60, 2))"
        return clock + separator + pad(milliseconds % 1_000, 3)
    }

    private static func clock(_ seconds: Int) -> String {
        "\(pad(seconds / 3_600, 2)):\(pad(seconds / 60 % 60, 2))"
    }

    private static func split(_ time: Double) -> (days: Int, seconds: Int) {
        // Four digits of year; times outside are shown as the nearest inside.
        let bounded = time.isFinite ? min(max(time, 0), 253_402_300_799) : 0
        let whole = Int(bounded.rounded(.down))
        return (whole / 86_400, whole % 86_400)
    }

    /// The date of a day counted from 1970-01-01, in the proleptic Gregorian calendar (Howard Hinnant's algorithm).
    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func pad(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
