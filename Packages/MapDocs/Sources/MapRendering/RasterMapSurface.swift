public import HopeRaster
public import HopeTokens
public import MapDocs

/// A drawing as pixels, one for each point unless scaled; it has no letters.
public struct RasterMapSurface: MapSurface {
    private var canvas: RasterCanvas
    private let scale: Double

    /// Makes an empty drawing.
    ///
    /// - Parameters:
    ///   - width: The width in points; with the scale at most 8192 pixels.
    ///   - height: The height in points; with the scale at most 8192 pixels.
    ///   - scale: Pixels for each point.
    ///   - background: The colour of the ground.
    public init(width: Double, height: Double, scale: Double = 1, background: ColorValue) {
        self.scale = scale
        func pixels(_ length: Double) -> Int {
            Int(min(max((length * scale).rounded(), 0), Double(RasterCanvas.maximumSide)))
        }
        canvas = RasterCanvas(width: pixels(width), height: pixels(height), background: background)
    }

    /// The picture as it is now.
    public var image: RasterImage { canvas.image() }

    private func place(_ point: ScreenPoint) -> RasterPoint { RasterPoint(x: point.x * scale, y: point.y * scale) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RasterMapSurface {
    public mutating func fill(_ rings: [[ScreenPoint]], color: ColorValue) {
        canvas.fill(rings: rings.map { $0.map(place) }, with: .solid(color))
    }

    public mutating func stroke(_ lines: [[ScreenPoint]], width: Double, color: ColorValue) {
        canvas.stroke(lines.map { $0.map(place) }, width: width * scale, with: .solid(color))
    }

    public mutating func dot(_ center: ScreenPoint, radius: Double, color: ColorValue) {
        canvas.fill(.circle(center: place(center), radius: radius * scale), with: .solid(color))
    }

    public mutating func write(_: String, at _: ScreenPoint, size _: Double, isCentered _: Bool, color _: ColorValue) {}

    public mutating func begin(_: String) {}
}
