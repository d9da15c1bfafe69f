public import HopeTokens
public import TransportCore

/// How a layer is drawn, as `style` of a layer in `project.json` says.
///
/// Keys: `fill`, `stroke` (colours as `#rrggbb` or `#rrggbbaa`), `fill_opacity`, `stroke_opacity` (0...1), `stroke_width`
/// and `radius` (points). What is missing or cannot be drawn has a default; other keys are another program's.
public struct MapLayerStyle: Hashable, Sendable {
    /// The colour of areas and points, with its opacity.
    public var fill: ColorValue
    /// The colour of lines, outlines and the rims of points, with its opacity.
    public var stroke: ColorValue
    /// The width of lines in points, in 0...64.
    public var strokeWidth: Double
    /// The radius of points in points, in 0...64.
    public var radius: Double

    /// Makes a style.
    ///
    /// - Parameters:
    ///   - fill: The colour of areas and points.
    ///   - stroke: The colour of lines, outlines and rims.
    ///   - strokeWidth: The width of lines in points.
    ///   - radius: The radius of points in points.
    public init(fill: ColorValue, stroke: ColorValue, strokeWidth: Double, radius: Double) {
        self.fill = fill
        self.stroke = stroke
        self.strokeWidth = strokeWidth
        self.radius = radius
    }

    /// Reads a style.
    ///
    /// - Parameters:
    ///   - json: The layer's `style`; nil or something else than an object has every default.
    ///   - kind: The kind of the layer's geometries, which decides the defaults; nil for any kind.
    public init(json: JSONValue?, kind: MapGeometry.Kind?) {
        let isArea = kind == .polygon || kind == .multiPolygon
        func color(_ name: String, _ standard: ColorValue) -> ColorValue {
            guard let text = json?[name]?.stringValue, let color = try? ColorValue(hex: text) else { return standard }
            return color
        }
        func number(_ name: String, in limits: ClosedRange<Double>) -> Double? {
            guard let value = json?[name]?.doubleValue, value.isFinite else { return nil }
            return min(max(value, limits.lowerBound), limits.upperBound)
        }
        let accent = AeroTheme.light.accent.value
        fill = color("fill", isArea ? accent.withOpacity(0.25) : accent)
        if let opacity = number("fill_opacity", in: 0...1) { fill = fill.withOpacity(opacity) }
        stroke = color("stroke", kind == .point || kind == .multiPoint ? .white : accent)
        if let opacity = number("stroke_opacity", in: 0...1) { stroke = stroke.withOpacity(opacity) }
        strokeWidth = number("stroke_width", in: 0...64) ?? 1.5
        radius = number("radius", in: 0...64) ?? 5
    }
}
