import MapDocs
import TransportCore

/// A package with a table for each kind of shape, and what a tap on it hits.
struct TapScene {
    let package: InMemoryMapPackage
    let tester: MapHitTester
    private(set) var layers: [HitTestLayer] = []

    init(_ tables: [(name: String, kind: MapGeometry.Kind?, shapes: [MapGeometry?])]) throws {
        let described = tables.map { table in
            FeatureTable(
                name: table.name,
                columns: [
                    FeatureColumn(name: "fid", type: .integer(bits: 64), role: .key),
                    FeatureColumn(name: "uuid", type: .text(maximumLength: nil), role: .identifier),
                    FeatureColumn(name: "geom", type: .geometry, role: .geometry),
                ],
                geometryKind: table.kind,
                hasSpatialIndex: true
            )
        }
        package = InMemoryMapPackage(tables: described, digest: SoftwareContentDigest())
        try package.transaction { edits throws(MapPackageError) in
            for table in tables {
                for (number, shape) in table.shapes.enumerated() {
                    let id = FeatureID("\(table.name)-\(number + 1)")
                    try edits.insert(id, geometry: shape, values: [:], into: table.name)
                }
            }
        }
        tester = MapHitTester(package: package)
        layers = tables.map { HitTestLayer(id: $0.name, table: $0.name, geometryKind: $0.kind) }
    }

    /// Reads every table into an index in memory.
    func prepareIndexes() throws {
        for layer in layers { try tester.prepareIndex(of: layer.table) }
    }

    /// The feature that a tap hits, by its name.
    func hit(_ x: Double, _ y: Double, through projection: MapProjection) throws -> String? {
        let hit = try tester.hit(at: ScreenPoint(x: x, y: y), through: projection, layers: layers)
        return try hit.flatMap { try package.feature(withKey: $0.key, in: $0.table)?.id.text }
    }
}

extension MapProjection {
    /// A phone's viewport of 390 × 844 points.
    static func phone(
        _ latitude: Double,
        _ longitude: Double,
        zoom: Double,
        bearing: Double = 0,
        pitch: Double = 0
    ) throws -> MapProjection {
        let center = try MapCoordinate(latitude: latitude, longitude: longitude)
        let camera = try MapCamera(center: center, zoom: zoom, bearing: bearing, pitch: pitch)
        return try MapProjection(camera: camera, width: 390, height: 844)
    }

    /// The place under a point of the screen, as a position of a shape.
    func place(_ x: Double, _ y: Double) -> MapPosition {
        let place = unproject(ScreenPoint(x: x, y: y))
        return MapPosition(longitude: place?.longitude ?? .nan, latitude: place?.latitude ?? .nan)
    }

    /// A rectangle on the screen as a ring on the ground.
    func ring(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> [MapPosition] {
        [place(left, top), place(right, top), place(right, bottom), place(left, bottom), place(left, top)]
    }
}
