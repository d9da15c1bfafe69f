import MapGeodesy

/// What can be measured of a shape, on the WGS84 ellipsoid.
public struct GeometryMeasurements: Hashable, Sendable {
    /// The length of all lines in metres, or nil when there is none.
    public private(set) var length: Double?
    /// The length around all areas in metres, holes included, or nil when there is none.
    public private(set) var perimeter: Double?
    /// The area in square metres, holes subtracted, or nil when there is none.
    public private(set) var area: Double?

    /// Measures a shape.
    ///
    /// - Parameter geometry: The shape; empty parts add nothing.
    public init(_ geometry: MapGeometry) {
        add(geometry)
    }

    private mutating func add(_ geometry: MapGeometry) {
        switch geometry {
        case .point, .multiPoint: break
        case .lineString(let line): add(line: line)
        case .multiLineString(let lines): for line in lines { add(line: line) }
        case .polygon(let rings): add(polygon: rings)
        case .multiPolygon(let polygons): for rings in polygons { add(polygon: rings) }
        case .collection(let geometries): for geometry in geometries { add(geometry) }
        }
    }

    private mutating func add(line: [MapPosition]) {
        guard !line.isEmpty else { return }
        length = (length ?? 0) + Geodesic.wgs84.length(of: line.map(\.geodesicPoint))
    }

    private mutating func add(polygon rings: [[MapPosition]]) {
        for (index, ring) in rings.enumerated() where !ring.isEmpty {
            let measured = Geodesic.wgs84.ring(of: ring.map(\.geodesicPoint))
            perimeter = (perimeter ?? 0) + measured.perimeter
            area = (area ?? 0) + (index == 0 ? measured.area : -measured.area)
        }
    }
}

extension MapPosition {
    var geodesicPoint: GeodesicPoint { GeodesicPoint(latitude: latitude, longitude: longitude) }
}

extension MapGeometry {
    /// The number of corners: the end of a ring, which is its beginning again, is not counted twice.
    public var vertexCount: Int {
        func corners(_ rings: [[MapPosition]]) -> Int {
            rings.reduce(0) { $0 + ($1.count > 1 && $1.first == $1.last ? $1.count - 1 : $1.count) }
        }
        switch self {
        case .point(let position): return position == nil ? 0 : 1
        case .multiPoint(let positions): return positions.count { $0 != nil }
        case .lineString(let line): return line.count
        case .multiLineString(let lines): return lines.reduce(0) { $0 + $1.count }
        case .polygon(let rings): return corners(rings)
        case .multiPolygon(let polygons): return polygons.reduce(0) { $0 + corners($1) }
        case .collection(let geometries): return geometries.reduce(0) { $0 + $1.vertexCount }
        }
    }

    /// The kind and the number of corners in words, such as `Polygon · 5 vertices` or `Point`.
    public var summary: String {
        let vertices = vertexCount
        switch (kind, vertices) {
        case (_, 0): return "\(kind.name) · empty"
        case (.point, _): return kind.name
        case (.multiPoint, _): return "\(kind.name) · \(vertices == 1 ? "1 point" : "\(vertices) points")"
        default: return "\(kind.name) · \(vertices == 1 ? "1 vertex" : "\(vertices) vertices")"
        }
    }
}

extension MapGeometry.Kind {
    /// The kind in words.
    public var name: String {
        switch self {
        case .point: "Point"
        case .lineString: "Line"
        case .polygon: "Polygon"
        case .multiPoint: "Points"
        case .multiLineString: "Lines"
        case .multiPolygon: "Polygons"
        case .collection: "Collection"
        }
    }
}
