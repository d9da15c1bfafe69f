import Foundation

/// A bar as wide as a round distance on the ground: 1, 2 or 5 × 10^n of its unit.
///
/// The distance is true at the map's centre along the screen's horizontal, on the WGS84 ellipsoid.
public struct ScaleBar: Hashable, Sendable {
    /// The round distance with its unit, such as `200 m`, `5 km`, `1000 ft` or `2 mi`.
    public let label: String
    /// The distance in metres.
    public let meters: Double
    /// The bar's width in points, at most the width that was allowed.
    public let width: Double

    /// Makes the widest bar that fits.
    ///
    /// Metric bars are in cm below 1 m, in m below 1 km and in km; imperial ones in inches below 1 ft, in feet below
    /// 1 mile and in miles.
    ///
    /// - Parameters:
    ///   - camera: The camera whose centre, zoom and bearing decide the scale; the pitch leaves it as it is.
    ///   - units: The system of units.
    ///   - maximumWidth: The most points the bar may take.
    /// - Throws: `MapValueError` when the width is not finite or not above zero.
    public init(camera: MapCamera, units: MeasurementUnits, maximumWidth: Double) throws(MapValueError) {
        let metersPerPoint = Self.metersPerPoint(camera)
        let most = try maximumWidth.positive("scale bar width") * metersPerPoint
        let steps = Self.steps(units)
        let step = steps.last { most >= $0.meters } ?? steps[0]
        let count = Self.roundCount(atMost: most / step.meters)
        label = "\(Self.text(count)) \(step.symbol)"
        meters = count * step.meters
        width = meters / metersPerPoint
    }

    private struct Step {
        var symbol: String
        var meters: Double
    }

    private static func steps(_ units: MeasurementUnits) -> [Step] {
        switch units {
        case .metric:
            [Step(symbol: "cm", meters: 0.01), Step(symbol: "m", meters: 1), Step(symbol: "km", meters: 1000)]
        case .imperial:
            [
                Step(symbol: "in", meters: 0.0254), Step(symbol: "ft", meters: 0.3048),
                Step(symbol: "mi", meters: 1609.344),
            ]
        }
    }

    private static func roundCount(atMost most: Double) -> Double {
        let exponent = Int(max(floor(log10(most)), -300))
        // Starting one decade up makes up for a logarithm that was rounded down.
        for power in [exponent + 1, exponent, exponent - 1] {
            let unit = power < 0 ? 1 / pow(10, Double(-power)) : pow(10, Double(power))
            for count in [5.0, 2, 1] where count * unit <= most { return count * unit }
        }
        return most
    }

    private static func text(_ count: Double) -> String {
        count >= 1 ? String(format: "%.0f", count) : "\(count)"
    }

    /// Returns the length on the ground of one point along the screen's horizontal at the centre.
    private static func metersPerPoint(_ camera: MapCamera) -> Double {
        // WGS84: semi-major axis in metres and first eccentricity squared.
        let axis = 6_378_137.0
        let eccentricity = 0.0066943799901413165
        let latitude = camera.center.latitude * .pi / 180
        let bearing = camera.bearing * .pi / 180
        let curvature = 1 - eccentricity * sin(latitude) * sin(latitude)
        let eastRadius = axis / sqrt(curvature)
        let northRadius = eastRadius * (1 - eccentricity) / curvature
        let radius = hypot(eastRadius * cos(bearing), northRadius * sin(bearing))
        return 2 * .pi * radius * cos(latitude) / MapProjection.worldSize(zoom: camera.zoom)
    }
}
