import MapDocs

/// Writes well-known binary, little-endian, with Z and M in the numbering of ISO.
struct WellKnownBinaryWriter {
    var bytes: [UInt8] = []
    private let hasZ: Bool
    private let hasM: Bool

    /// - Parameter geometry: The whole geometry: all its parts have the ordinates that any of its positions has.
    init(of geometry: MapGeometry) {
        (hasZ, hasM) = geometry.ordinates
    }

    mutating func append(_ geometry: MapGeometry) {
        switch geometry {
        case .point(let position):
            begin(1)
            append(position)
        case .lineString(let positions):
            begin(2)
            append(positions)
        case .polygon(let rings):
            begin(3)
            append(rings)
        case .multiPoint(let positions):
            begin(4, count: positions.count)
            for position in positions { append(.point(position)) }
        case .multiLineString(let lines):
            begin(5, count: lines.count)
            for line in lines { append(.lineString(line)) }
        case .multiPolygon(let polygons):
            begin(6, count: polygons.count)
            for polygon in polygons { append(.polygon(polygon)) }
        case .collection(let geometries):
            begin(7, count: geometries.count)
            for geometry in geometries { append(geometry) }
        }
    }

    mutating func append(_ value: UInt32) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ value: Double) {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func begin(_ kind: UInt32, count: Int? = nil) {
        bytes.append(1)
        append(kind + (hasZ ? 1000 : 0) + (hasM ? 2000 : 0))
        if let count { append(UInt32(clamping: count)) }
    }

    private mutating func append(_ rings: [[MapPosition]]) {
        append(UInt32(clamping: rings.count))
        for ring in rings { append(ring) }
    }

    private mutating func append(_ positions: [MapPosition]) {
        append(UInt32(clamping: positions.count))
        for position in positions { append(position) }
    }

    private mutating func append(_ position: MapPosition?) {
        append(position?.longitude ?? .nan)
        append(position?.latitude ?? .nan)
        if hasZ { append(position?.altitude ?? .nan) }
        if hasM { append(position?.measure ?? .nan) }
    }
}

extension MapGeometry {
    /// Whether any position has a third ordinate, and whether any has a measure.
    var ordinates: (z: Bool, m: Bool) {
        var result = (z: false, m: false)
        forEachPosition { position in
            if position.altitude != nil { result.z = true }
            if position.measure != nil { result.m = true }
        }
        return result
    }

    /// Whether all of it can be kept: coordinates that are numbers, not nested beyond what is read again.
    var isStorable: Bool {
        var isFinite = true
        forEachPosition { position in
            let ordinates = [position.longitude, position.latitude, position.altitude ?? 0, position.measure ?? 0]
            if !ordinates.allSatisfy(\.isFinite) { isFinite = false }
        }
        return isFinite && depth <= WellKnownBinaryReader.maximumDepth
    }

    /// How deep collections are nested in it.
    private var depth: Int {
        guard case .collection(let geometries) = self else { return 0 }
        return 1 + (geometries.map(\.depth).max() ?? 0)
    }
}
