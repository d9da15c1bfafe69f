public import Foundation

/// Writes lengths and areas for people, in their units and with the digits of their language.
///
/// Three figures are shown where the number has them, and whole numbers from a hundred on; a number that would round up
/// to the next unit is written in it.
public struct MeasurementFormat: Hashable, Sendable {
    /// The system of units.
    public var units: MeasurementUnits
    /// The language whose decimal mark and grouping are used.
    public var locale: Locale

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - units: The system of units.
    ///   - locale: The language of the numbers.
    public init(units: MeasurementUnits, locale: Locale) {
        self.units = units
        self.locale = locale
    }

    /// Returns a length, such as `356 m`, `1.24 km`, `820 ft` or `2.10 mi`.
    ///
    /// - Parameter meters: The length in metres, not negative.
    /// - Returns: The length with its unit; `–` for a length that is not a number.
    public func length(_ meters: Double) -> String { text(meters, Self.lengths(units), \.symbol) }

    /// Returns an area, such as `840 m²`, `3.20 ha`, `12.5 km²`, `900 ft²`, `2.10 acres` or `1.30 mi²`.
    ///
    /// - Parameter squareMeters: The area in square metres, not negative.
    /// - Returns: The area with its unit; `–` for an area that is not a number.
    public func area(_ squareMeters: Double) -> String { text(squareMeters, Self.areas(units), \.symbol) }

    /// Returns a length with its unit as a word, for speaking.
    ///
    /// - Parameter meters: The length in metres, not negative.
    /// - Returns: Such as `1.24 kilometers`.
    public func spokenLength(_ meters: Double) -> String { text(meters, Self.lengths(units), \.word) }

    /// Returns an area with its unit in words, for speaking.
    ///
    /// - Parameter squareMeters: The area in square metres, not negative.
    /// - Returns: Such as `3.20 hectares`.
    public func spokenArea(_ squareMeters: Double) -> String { text(squareMeters, Self.areas(units), \.word) }

    private struct Unit {
        var symbol: String
        var word: String
        var size: Double
        /// From how many of the unit below this one is used.
        var from: Double
    }

    private static func lengths(_ units: MeasurementUnits) -> [Unit] {
        switch units {
        case .metric:
            [
                Unit(symbol: "m", word: "meters", size: 1, from: 0),
                Unit(symbol: "km", word: "kilometers", size: 1000, from: 1),
            ]
        case .imperial:
            [
                Unit(symbol: "ft", word: "feet", size: 0.3048, from: 0),
                Unit(symbol: "mi", word: "miles", size: 1609.344, from: 0.25),
            ]
        }
    }

    private static func areas(_ units: MeasurementUnits) -> [Unit] {
        switch units {
        case .metric:
            [
                Unit(symbol: "m²", word: "square meters", size: 1, from: 0),
                Unit(symbol: "ha", word: "hectares", size: 10_000, from: 1),
                Unit(symbol: "km²", word: "square kilometers", size: 1_000_000, from: 1),
            ]
        case .imperial:
            // International feet: an acre is 43,560 square feet, a square mile 640 acres.
            [
                Unit(symbol: "ft²", word: "square feet", size: 0.09290304, from: 0),
                Unit(symbol: "acres", word: "acres", size: 4046.8564224, from: 0.5),
                Unit(symbol: "mi²", word: "square miles", size: 2_589_988.110336, from: 1),
            ]
        }
    }

    private func text(_ value: Double, _ units: [Unit], _ name: KeyPath<Unit, String>) -> String {
        guard value.isFinite else { return "–" }
        let value = max(value, 0)
        var chosen = units[0]
        for unit in units.dropFirst() {
            let count = value / unit.size
            // The smaller unit would be rounded up to this one.
            let isNext = Self.rounded(value / chosen.size) * chosen.size >= unit.from * unit.size * (1 - 1e-12)
            if count >= unit.from || isNext { chosen = unit }
        }
        let count = Self.rounded(value / chosen.size)
        let decimals = Self.decimals(count)
        let style = FloatingPointFormatStyle<Double>(locale: locale).precision(.fractionLength(decimals))
        return "\(count.formatted(style)) \(chosen[keyPath: name])"
    }

    /// Decimals for three figures; none for nothing and for whole numbers from a hundred on.
    private static func decimals(_ count: Double) -> Int {
        count == 0 || count >= 100 ? 0 : count >= 10 ? 1 : 2
    }

    private static func rounded(_ count: Double) -> Double {
        let once = round(count, decimals: decimals(count))
        return round(count, decimals: decimals(once))
    }

    private static func round(_ count: Double, decimals: Int) -> Double {
        let scale = [1.0, 10, 100][decimals]
        return (count * scale).rounded() / scale
    }
}
