public import Foundation

/// How attribute values are shown and typed: numbers with the locale's decimal mark, instants in a time zone.
///
/// What is shown reads back as the same value. Numbers can be typed with either decimal mark, dates as `2026-03-29`,
/// instants as `2026-03-29 12:15` in the time zone, or with `Z` or an offset such as `+02:00` behind it.
public struct AttributeFormat: Hashable, Sendable {
    /// With a decimal point and in UTC.
    public static let plain = AttributeFormat(decimalMark: ".", timeZone: .gmt)

    /// The mark between whole numbers and fractions.
    public let decimalMark: String
    /// The time zone in which instants are shown and typed.
    public let timeZone: TimeZone

    /// Makes the format of a device.
    ///
    /// - Parameters:
    ///   - locale: The locale whose decimal mark is shown.
    ///   - timeZone: The time zone in which instants are shown and typed.
    public init(locale: Locale, timeZone: TimeZone) {
        self.init(decimalMark: locale.decimalSeparator ?? ".", timeZone: timeZone)
    }

    init(decimalMark: String, timeZone: TimeZone) {
        self.decimalMark = decimalMark
        self.timeZone = timeZone
    }

    /// Returns a value as people read it; empty for no value.
    ///
    /// - Parameters:
    ///   - value: The value, which may be of another type than its column's.
    ///   - column: Its column.
    /// - Returns: The text; a choice's label where the column has choices.
    public func text(of value: FeatureValue, in column: FeatureColumn) -> String {
        if case .choices(let choices) = column.domain,
            let choice = choices.first(where: { $0.value.isStored(like: value) })
        {
            return choice.label
        }
        switch (value, column.type) {
        case (.null, _): return ""
        case (.integer(0), .boolean): return "No"
        case (.integer(1), .boolean): return "Yes"
        case (.integer(let number), _): return String(number)
        case (.real(let number), .float): return text(of: number, isSingle: true)
        case (.real(let number), _): return text(of: number)
        case (.text(let stored), .dateTime):
            guard let instant = Instant(stored) else { return stored }
            let civil = instant.civil(in: timeZone)
            return "\(civil.dateText) \(civil.timeText)"
        case (.text(let stored), _): return stored
        case (.blob(let bytes), _): return bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
        }
    }

    /// Returns a number with the shortest digits that read back as the same, without an exponent up to 1e15.
    func text(of number: Double, isSingle: Bool = false) -> String {
        let digits: String
        if number.magnitude < 1e15, number == number.rounded(.towardZero) {
            digits = number == 0 && number.sign == .minus ? "-0" : String(Int64(number))
        } else if isSingle, Double(Float(number)) == number {
            digits = Float(number).description
        } else {
            digits = number.description
        }
        return digits.replacing(".", with: decimalMark)
    }

    /// Reads a number that was typed with either decimal mark; spaces between digits are passed over.
    ///
    /// - Returns: The digits with a decimal point, or nil when it is no number.
    func digits(of text: String) -> String? {
        var digits = ""
        for character in text.trimmingCharacters(in: .whitespacesAndNewlines) {
            switch character {
            case " ", "\u{A0}", "\u{202F}", "\u{2009}": continue
            case ",", "٫": digits.append(".")
            case "\u{2212}": digits.append("-")
            default: digits.append(character)
            }
        }
        guard let value = Double(digits), value.isFinite, digits.first?.isLetter != true,
            !digits.lowercased().contains("x")
        else { return nil }
        return digits.hasPrefix("+") ? String(digits.dropFirst()) : digits
    }
}
