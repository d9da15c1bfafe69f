public import HopeTokens

/// How a layer is drawn, every colour and length decided.
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

    /// Decides how a layer is drawn.
    ///
    /// - Parameters:
    ///   - style: What the project says; what is missing or cannot be drawn has a default.
    ///   - kind: The kind of the layer's geometries, which decides the defaults; nil for any kind.
    public init(_ style: MapStyle, kind: MapGeometry.Kind?) {
        let isArea = kind == .polygon || kind == .multiPolygon
        let isPoint = kind == .point || kind == .multiPoint
        func color(_ text: String?, _ standard: ColorValue) -> ColorValue {
            text.flatMap { try? ColorValue(hex: $0) } ?? standard
        }
        func length(_ value: Double?, _ standard: Double) -> Double {
            value.flatMap { $0.isFinite ? min(max($0, 0), 64) : nil } ?? standard
        }
        let accent = AeroTheme.light.accent.value
        fill = color(style.fill, isArea ? accent.withOpacity(0.25) : accent)
        stroke = color(style.stroke, isPoint ? .white : accent)
        strokeWidth = length(style.strokeWidth, 1.5)
        radius = length(style.radius, 5)
    }
}
