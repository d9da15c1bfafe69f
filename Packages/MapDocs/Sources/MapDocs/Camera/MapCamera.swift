/// What a map shows: the place in the middle, how close, which way up and how much tilted.
///
/// A camera is always one that can be drawn: values out of range are clamped or wrapped when it is made, and a value
/// within range keeps every bit, so that a stored camera comes back equal.
public struct MapCamera: Hashable, Sendable {
    /// The zoom levels a camera can have; each whole step doubles the scale.
    public static let zoomRange: ClosedRange<Double> = 0...22
    /// The tilts a camera can have, in degrees from looking straight down.
    public static let pitchRange: ClosedRange<Double> = 0...60
    /// The latitude, in degrees, at which the square world of Web Mercator ends.
    public static let maximumLatitude = 85.051129

    /// The place in the middle of the viewport: latitude within ±`maximumLatitude`, longitude in -180...180.
    public let center: MapCoordinate
    /// The zoom level, in 0...22, for a world of 512 points at level 0.
    public let zoom: Double
    /// The compass direction that is up on the screen, in degrees clockwise from north, in 0..<360.
    public let bearing: Double
    /// The tilt in degrees, in 0...60; 0 looks straight down.
    public let pitch: Double

    /// Makes a camera, clamping zoom, pitch and the centre's latitude and wrapping bearing and longitude.
    ///
    /// - Parameters:
    ///   - center: The place in the middle.
    ///   - zoom: The zoom level, clamped to 0...22.
    ///   - bearing: Degrees clockwise from north, wrapped into 0..<360.
    ///   - pitch: Degrees of tilt, clamped to 0...60.
    /// - Throws: `MapValueError.notFinite` when a value is NaN or infinite; nothing else is refused.
    public init(
        center: MapCoordinate,
        zoom: Double,
        bearing: Double = 0,
        pitch: Double = 0
    ) throws(MapValueError) {
        self.init(
            center: center,
            finiteZoom: try zoom.finite("zoom"),
            bearing: try bearing.finite("bearing"),
            pitch: try pitch.finite("pitch")
        )
    }

    init(center: MapCoordinate, finiteZoom zoom: Double, bearing: Double, pitch: Double) {
        let latitude = min(max(center.latitude, -Self.maximumLatitude), Self.maximumLatitude)
        self.center = MapCoordinate(finiteLatitude: latitude, longitude: center.longitude).wrapped
        self.zoom = min(max(zoom, Self.zoomRange.lowerBound), Self.zoomRange.upperBound)
        self.bearing = Self.wrappedBearing(bearing)
        self.pitch = min(max(pitch, Self.pitchRange.lowerBound), Self.pitchRange.upperBound)
    }

    /// The same place and zoom seen from straight above with north up.
    public var flatNorthUp: MapCamera {
        MapCamera(center: center, finiteZoom: zoom, bearing: 0, pitch: 0)
    }

    /// Returns the camera turned about the map's centre.
    ///
    /// - Parameter degrees: How far to turn clockwise; negative turns the other way.
    /// - Returns: The turned camera, its bearing wrapped into 0..<360.
    /// - Throws: `MapValueError.notFinite` when `degrees` is NaN or infinite.
    public func rotated(by degrees: Double) throws(MapValueError) -> MapCamera {
        try MapCamera(center: center, zoom: zoom, bearing: bearing + degrees, pitch: pitch)
    }

    /// Returns the camera tilted about the map's centre.
    ///
    /// - Parameter degrees: How much more to tilt; negative looks further down.
    /// - Returns: The tilted camera, its pitch clamped to 0...60.
    /// - Throws: `MapValueError.notFinite` when `degrees` is NaN or infinite.
    public func tilted(by degrees: Double) throws(MapValueError) -> MapCamera {
        try MapCamera(center: center, zoom: zoom, bearing: bearing, pitch: pitch + degrees)
    }

    private static func wrappedBearing(_ bearing: Double) -> Double {
        let turned = bearing.truncatingRemainder(dividingBy: 360)
        let positive = turned < 0 ? turned + 360 : turned
        // A tiny negative bearing rounds up to 360 itself; adding zero turns -0 into 0.
        return positive < 360 ? positive + 0 : 0
    }
}
