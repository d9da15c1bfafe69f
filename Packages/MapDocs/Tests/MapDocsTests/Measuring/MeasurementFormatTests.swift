import Foundation
import MapDocs
import Testing

struct MeasurementFormatTests {
    private static let american = Locale(identifier: "en_US")

    @Test(arguments: [
        (0.0, "0 m"), (0.456, "0.46 m"), (9.996, "10.0 m"), (12.34, "12.3 m"), (356.4, "356 m"), (999.4, "999 m"),
        (999.6, "1.00 km"), (1235, "1.24 km"), (12_345, "12.3 km"), (1_234_567, "1,235 km"), (.nan, "–"),
        (.infinity, "–"), (-3, "0 m"),
    ])
    func `metric lengths`(meters: Double, text: String) {
        #expect(MeasurementFormat(units: .metric, locale: Self.american).length(meters) == text)
    }

    @Test(arguments: [
        (0.0, "0 ft"), (0.3048, "1.00 ft"), (250, "820 ft"), (402.336, "0.25 mi"), (1609.344, "1.00 mi"),
        (160_934.4, "100 mi"),
    ])
    func `imperial lengths`(meters: Double, text: String) {
        #expect(MeasurementFormat(units: .imperial, locale: Self.american).length(meters) == text)
    }

    @Test(arguments: [
        (0.0, "0 m²"), (840, "840 m²"), (9_999.6, "1.00 ha"), (32_000, "3.20 ha"), (999_600, "1.00 km²"),
        (12_500_000, "12.5 km²"), (41_036_920_115_075, "41,036,920 km²"),
    ])
    func `metric areas`(squareMeters: Double, text: String) {
        #expect(MeasurementFormat(units: .metric, locale: Self.american).area(squareMeters) == text)
    }

    @Test(arguments: [
        (83.612736, "900 ft²"), (4046.8564224, "1.00 acres"), (2_589_988.110336, "1.00 mi²"),
        (3_366_984.54, "1.30 mi²"),
    ])
    func `imperial areas`(squareMeters: Double, text: String) {
        #expect(MeasurementFormat(units: .imperial, locale: Self.american).area(squareMeters) == text)
    }

    @Test func `numbers are written in the reader's language and units are spoken as words`() {
        let german = MeasurementFormat(units: .metric, locale: Locale(identifier: "de_DE"))
        #expect(german.length(1235) == "1,24 km")
        #expect(german.length(1_234_567) == "1.235 km")
        let swiss = MeasurementFormat(units: .metric, locale: Locale(identifier: "de_CH"))
        #expect(swiss.area(1_234_567_890_000).hasPrefix("1’234’568"))
        #expect(german.spokenLength(1235) == "1,24 kilometers")
        #expect(german.spokenArea(32_000) == "3,20 hectares")
    }
}
