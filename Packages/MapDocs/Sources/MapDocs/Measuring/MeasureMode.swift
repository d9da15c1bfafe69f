import MapGeodesy

/// A measurement in progress: points that were tapped, joined to a line or, from three points on, to an area.
///
/// Lengths and areas are those of geodesics on the WGS84 ellipsoid. It makes no geometry and changes no document.
public struct MeasureMode: Hashable, Sendable {
    /// What the points are joined to.
    public enum Shape: String, CaseIterable, Hashable, Sendable {
        /// An open line.
        case line
        /// A closed ring.
        case area
    }

    /// The points in the order in which they were tapped.
    public private(set) var points: [MapCoordinate] = []
    /// What they are joined to.
    public private(set) var shape = Shape.line
    /// The length of the open line in metres; 0 with fewer than two points.
    public private(set) var length = 0.0
    /// The length around the closed ring in metres, or nil with fewer than three points.
    public private(set) var perimeter: Double?
    /// The area of the closed ring in square metres, that of its smaller side; nil with fewer than three points.
    public private(set) var area: Double?

    /// Begins a measurement without points.
    public init() {}

    /// Measures points that are known already.
    ///
    /// - Parameters:
    ///   - points: The points in their order.
    ///   - shape: What to join them to; fewer than three are a line.
    public init(points: [MapCoordinate], shape: Shape = .line) {
        self.points = points
        self.shape = points.count < 3 ? .line : shape
        measure()
    }

    /// Whether line and area can be changed for each other.
    public var canChooseShape: Bool { points.count >= 3 }

    /// Adds a point at the end.
    ///
    /// - Parameter point: Where the map was tapped.
    public mutating func add(_ point: MapCoordinate) {
        points.append(point)
        measure()
    }

    /// Takes the last point away; with fewer than three the rest is a line again.
    public mutating func undo() {
        guard !points.isEmpty else { return }
        points.removeLast()
        if points.count < 3 { shape = .line }
        measure()
    }

    /// Changes what the points are joined to; nothing happens with fewer than three.
    ///
    /// - Parameter shape: Line or area.
    public mutating func choose(_ shape: Shape) {
        if canChooseShape { self.shape = shape }
    }

    private mutating func measure() {
        let places = points.map(\.geodesicPoint)
        length = Geodesic.wgs84.length(of: places)
        let ring = points.count >= 3 ? Geodesic.wgs84.ring(of: places) : nil
        perimeter = ring?.perimeter
        area = ring?.area
    }
}

extension MapCoordinate {
    var geodesicPoint: GeodesicPoint { GeodesicPoint(latitude: latitude, longitude: longitude) }
}
