/// A position of a geometry, in degrees of WGS84, with the height and measure that the package keeps.
public struct MapPosition: Hashable, Sendable {
    /// Degrees east of Greenwich, as stored: any finite value.
    public var longitude: Double
    /// Degrees north of the equator, as stored.
    public var latitude: Double
    /// The third ordinate, usually metres above the ellipsoid, or nil.
    public var altitude: Double?
    /// The measure, or nil.
    public var measure: Double?

    /// Makes a position.
    ///
    /// - Parameters:
    ///   - longitude: Degrees east.
    ///   - latitude: Degrees north.
    ///   - altitude: The third ordinate.
    ///   - measure: The measure.
    public init(longitude: Double, latitude: Double, altitude: Double? = nil, measure: Double? = nil) {
        self.longitude = longitude
        self.latitude = latitude
        self.altitude = altitude
        self.measure = measure
    }
}

/// The shape of a feature: the simple features of OGC 06-103r4, empty ones included.
///
/// Rings of polygons are closed: their last position is their first one again.
public indirect enum MapGeometry: Hashable, Sendable {
    /// A point; nil is POINT EMPTY.
    case point(MapPosition?)
    /// A line.
    case lineString([MapPosition])
    /// An outer ring and the holes in it.
    case polygon([[MapPosition]])
    /// Points.
    case multiPoint([MapPosition?])
    /// Lines.
    case multiLineString([[MapPosition]])
    /// Polygons.
    case multiPolygon([[[MapPosition]]])
    /// Geometries of any kind.
    case collection([MapGeometry])

    /// The kinds of geometry.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A point.
        case point
        /// A line.
        case lineString
        /// A polygon.
        case polygon
        /// Points.
        case multiPoint
        /// Lines.
        case multiLineString
        /// Polygons.
        case multiPolygon
        /// Geometries of any kind.
        case collection
    }

    /// The kind of this geometry.
    public var kind: Kind {
        switch self {
        case .point: .point
        case .lineString: .lineString
        case .polygon: .polygon
        case .multiPoint: .multiPoint
        case .multiLineString: .multiLineString
        case .multiPolygon: .multiPolygon
        case .collection: .collection
        }
    }

    /// Calls a closure for every position, in the order in which they are stored.
    ///
    /// - Parameter body: Called for each position; points that are empty have none.
    public func forEachPosition(_ body: (MapPosition) -> Void) {
        switch self {
        case .point(let position): if let position { body(position) }
        case .lineString(let positions): positions.forEach(body)
        case .polygon(let rings), .multiLineString(let rings): for ring in rings { ring.forEach(body) }
        case .multiPoint(let positions): for case .some(let position) in positions { body(position) }
        case .multiPolygon(let polygons): for rings in polygons { for ring in rings { ring.forEach(body) } }
        case .collection(let geometries): for geometry in geometries { geometry.forEachPosition(body) }
        }
    }

    /// The smallest box around all positions, or nil when there is none.
    public var bounds: MapBounds? {
        var bounds: MapBounds?
        forEachPosition { position in
            bounds = (bounds ?? MapBounds(around: position)).including(position)
        }
        return bounds
    }
}
