import MapDocs

/// Reads well-known binary (OGC 06-103r4, clause 8), whatever bytes it is given.
struct WellKnownBinaryReader {
    /// How deep collections may be nested.
    static let maximumDepth = 32

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Reads one geometry that fills the bytes.
    mutating func readAll() throws(GeoPackageBlobError) -> MapGeometry {
        let geometry = try readGeometry(depth: 0)
        guard position == bytes.count else { throw .overlong }
        return geometry
    }

    /// What stands in front of each geometry.
    private struct Prefix {
        var isLittle: Bool
        var kind: UInt32
        var hasZ: Bool
        var hasM: Bool
        var ordinates: Int { 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0) }
    }

    private mutating func readPrefix() throws(GeoPackageBlobError) -> Prefix {
        guard position < bytes.count else { throw .truncated }
        let order = bytes[position]
        guard order < 2 else { throw .notAGeometry }
        position += 1
        let code = try readCount(order == 1)
        var prefix = Prefix(isLittle: order == 1, kind: 0, hasZ: false, hasM: false)
        if code & 0xE000_0000 != 0 {
            prefix.kind = code & 0x0FFF_FFFF
            prefix.hasZ = code & 0x8000_0000 != 0
            prefix.hasM = code & 0x4000_0000 != 0
            if code & 0x2000_0000 != 0 { _ = try readCount(order == 1) }
        } else {
            prefix.kind = code % 1000
            switch code / 1000 {
            case 0: break
            case 1: prefix.hasZ = true
            case 2: prefix.hasM = true
            case 3: (prefix.hasZ, prefix.hasM) = (true, true)
            default: throw .notAGeometry
            }
        }
        return prefix
    }

    private mutating func readGeometry(depth: Int) throws(GeoPackageBlobError) -> MapGeometry {
        let prefix = try readPrefix()
        switch prefix.kind {
        case 1: return .point(try readPoint(prefix))
        case 2: return .lineString(try readLine(prefix))
        case 3: return .polygon(try readPolygon(prefix))
        case 4:
            return .multiPoint(
                try readParts(prefix, of: 1) { reader, prefix throws(GeoPackageBlobError) in
                    try reader.readPoint(prefix)
                }
            )
        case 5:
            return .multiLineString(
                try readParts(prefix, of: 2) { reader, prefix throws(GeoPackageBlobError) in
                    try reader.readLine(prefix)
                }
            )
        case 6:
            return .multiPolygon(
                try readParts(prefix, of: 3) { reader, prefix throws(GeoPackageBlobError) in
                    try reader.readPolygon(prefix)
                }
            )
        case 7:
            guard depth < Self.maximumDepth else { throw .tooDeep }
            let count = try readCount(prefix.isLittle, each: 9)
            var geometries: [MapGeometry] = []
            geometries.reserveCapacity(count)
            for _ in 0..<count { geometries.append(try readGeometry(depth: depth + 1)) }
            return .collection(geometries)
        case 8...14: throw .unsupported("a curved geometry")
        case 15...17: throw .unsupported("a surface of triangles or faces")
        default: throw .notAGeometry
        }
    }

    /// Reads the parts of a geometry of several, each with a prefix of its own.
    private mutating func readParts<Part>(
        _ prefix: Prefix,
        of kind: UInt32,
        _ read: (inout WellKnownBinaryReader, Prefix) throws(GeoPackageBlobError) -> Part
    ) throws(GeoPackageBlobError) -> [Part] {
        // The least part is an empty line: a prefix and a count.
        let count = try readCount(prefix.isLittle, each: 9)
        var parts: [Part] = []
        parts.reserveCapacity(count)
        for _ in 0..<count {
            let inner = try readPrefix()
            guard inner.kind == kind else { throw .mixed }
            parts.append(try read(&self, inner))
        }
        return parts
    }

    private mutating func readPolygon(_ prefix: Prefix) throws(GeoPackageBlobError) -> [[MapPosition]] {
        let count = try readCount(prefix.isLittle, each: 4)
        var rings: [[MapPosition]] = []
        rings.reserveCapacity(count)
        for _ in 0..<count {
            var ring = try readLine(prefix)
            if let first = ring.first, let last = ring.last,
                first.longitude != last.longitude || first.latitude != last.latitude
            {
                ring.append(first)
            }
            rings.append(ring)
        }
        return rings
    }

    private mutating func readLine(_ prefix: Prefix) throws(GeoPackageBlobError) -> [MapPosition] {
        let count = try readCount(prefix.isLittle, each: prefix.ordinates * 8)
        var positions: [MapPosition] = []
        positions.reserveCapacity(count)
        for _ in 0..<count {
            guard let position = try readPoint(prefix) else { throw .notFinite }
            positions.append(position)
        }
        return positions
    }

    /// Reads a position; two ordinates that are both NaN are none.
    private mutating func readPoint(_ prefix: Prefix) throws(GeoPackageBlobError) -> MapPosition? {
        guard bytes.count - position >= prefix.ordinates * 8 else { throw .truncated }
        let x = readDouble(prefix.isLittle)
        let y = readDouble(prefix.isLittle)
        let z = prefix.hasZ ? readDouble(prefix.isLittle) : .nan
        let m = prefix.hasM ? readDouble(prefix.isLittle) : .nan
        if x.isNaN && y.isNaN { return nil }
        guard x.isFinite, y.isFinite, !z.isInfinite, !m.isInfinite else { throw .notFinite }
        return MapPosition(longitude: x, latitude: y, altitude: z.isNaN ? nil : z, measure: m.isNaN ? nil : m)
    }

    /// Reads a number of parts that each take at least so many bytes.
    private mutating func readCount(_ isLittle: Bool, each size: Int) throws(GeoPackageBlobError) -> Int {
        let count = Int(try readCount(isLittle))
        guard count <= (bytes.count - position) / size else { throw .truncated }
        return count
    }

    private mutating func readCount(_ isLittle: Bool) throws(GeoPackageBlobError) -> UInt32 {
        guard bytes.count - position >= 4 else { throw .truncated }
        let raw = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
        position += 4
        return isLittle ? UInt32(littleEndian: raw) : UInt32(bigEndian: raw)
    }

    private mutating func readDouble(_ isLittle: Bool) -> Double {
        let raw = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        position += 8
        return Double(bitPattern: isLittle ? UInt64(littleEndian: raw) : UInt64(bigEndian: raw))
    }
}
