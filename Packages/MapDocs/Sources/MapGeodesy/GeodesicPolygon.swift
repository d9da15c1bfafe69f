/// A line or a ring that grows by one vertex at a time, with its length and area kept up to date.
///
/// A value of fixed size that never allocates: to undo a vertex, keep a copy from before it. The sums are compensated,
/// so a million vertices lose nothing. A vertex that is no place makes the length and the area NaN.
public struct GeodesicPolygon: Sendable {
    /// How many vertices were added.
    public private(set) var vertexCount = 0

    private let geodesic: Geodesic
    private var first = GeodesicPoint(latitude: .nan, longitude: .nan)
    private var last = GeodesicPoint(latitude: .nan, longitude: .nan)
    private var edges = EdgeSums()

    /// Starts without a vertex.
    ///
    /// - Parameter geodesic: The ellipsoid to measure on.
    public init(on geodesic: Geodesic = .wgs84) {
        self.geodesic = geodesic
    }

    /// Adds a vertex and the edge that leads to it, the shortest path from the vertex before.
    ///
    /// Repeated vertices change nothing; a ring may, but need not, end with its first vertex.
    public mutating func add(_ vertex: GeodesicPoint) {
        if vertexCount == 0 {
            first = vertex
        } else {
            edges.add(geodesic.edge(from: last, to: vertex))
        }
        last = vertex
        vertexCount += 1
    }

    /// The length of the open line from the first vertex to the last, in metres; 0 with fewer than two.
    public var lineLength: Double {
        edges.length.value
    }

    /// The ring that an edge from the last vertex back to the first closes; all 0 with fewer than two vertices.
    ///
    /// Costs as much as adding a vertex.
    public var ring: GeodesicRing {
        guard vertexCount > 1 else { return GeodesicRing(perimeter: 0, signedArea: 0, leftArea: 0) }
        var closed = edges
        closed.add(geodesic.edge(from: last, to: first))
        return closed.ring(surfaceArea: geodesic.surfaceArea)
    }
}

extension Geodesic {
    /// Measures a ring of points, an edge from the last back to the first included.
    ///
    /// - Parameter points: The vertices in order; the first may be repeated at the end.
    /// - Returns: Its perimeter and area; NaN if one of two or more points is no place.
    public func ring(of points: some Sequence<GeodesicPoint>) -> GeodesicRing {
        var polygon = GeodesicPolygon(on: self)
        for point in points { polygon.add(point) }
        return polygon.ring
    }
}

/// What the edges of a ring add up to.
private struct EdgeSums {
    var length = CompensatedSum()
    var area = CompensatedSum()
    var eastwardDegrees = 0.0

    mutating func add(_ edge: GeodesicEdge) {
        length += edge.length
        area += edge.area
        eastwardDegrees += edge.eastwardDegrees
    }

    func ring(surfaceArea: Double) -> GeodesicRing {
        // Clockwise is positive in the sum, counterclockwise in what is answered.
        var high = -area.value.remainder(dividingBy: surfaceArea)
        // Around a pole an odd number of times, the area between ring and equator is what lies outside, section 6.
        let turns = (eastwardDegrees / 360).rounded()
        if turns.remainder(dividingBy: 2) != 0 { high += high < 0 ? surfaceArea / 2 : -surfaceArea / 2 }
        // Never a negative zero, which would be printed as -0.
        let signed = high - area.rest + 0
        let isHalf = signed <= -surfaceArea / 2
        return GeodesicRing(
            perimeter: length.value,
            signedArea: isHalf ? signed + surfaceArea : signed,
            leftArea: signed < 0 ? signed + surfaceArea : signed
        )
    }
}
