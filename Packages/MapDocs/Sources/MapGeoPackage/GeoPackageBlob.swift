import MapDocs

/// The binary form of a geometry in a GeoPackage: a header and well-known binary (OGC 12-128r18, clause 2.1.3).
///
/// Both byte orders, ordinates Z and M in the numbering of ISO and with the flags of PostGIS, and polygons whose rings
/// were not closed are read. Nothing in the bytes decides how much memory or stack is used beyond their own number.
enum GeoPackageBlob {
    /// The box of a geometry, without reading more of it than needed.
    enum Extent: Hashable {
        /// There is no position in it.
        case empty
        /// The box.
        case box(MapBounds)
    }

    /// Reads a geometry.
    static func geometry(_ bytes: UnsafeRawBufferPointer) throws(GeoPackageBlobError) -> MapGeometry {
        let header = try Header(bytes)
        var reader = WellKnownBinaryReader(UnsafeRawBufferPointer(rebasing: bytes[header.length...]))
        return try reader.readAll()
    }

    /// Reads a geometry's box: from the header where it has one.
    static func extent(_ bytes: UnsafeRawBufferPointer) throws(GeoPackageBlobError) -> Extent {
        let header = try Header(bytes)
        if let box = header.envelope { return .box(box) }
        var reader = WellKnownBinaryReader(UnsafeRawBufferPointer(rebasing: bytes[header.length...]))
        guard let box = try reader.readAll().bounds else { return .empty }
        return .box(box)
    }

    /// The number of the coordinate system that a geometry carries.
    static func srsID(_ bytes: UnsafeRawBufferPointer) throws(GeoPackageBlobError) -> Int32 {
        try Header(bytes).srsID
    }

    /// Writes a geometry: little-endian, with an envelope unless it is a point or empty, as GDAL does.
    ///
    /// - Parameters:
    ///   - geometry: The geometry.
    ///   - srsID: The number of the coordinate system in the package.
    /// - Returns: The bytes.
    static func bytes(of geometry: MapGeometry, srsID: Int32) -> [UInt8] {
        let bounds = geometry.bounds
        var isPoint = false
        if case .point = geometry { isPoint = true }
        let hasEnvelope = bounds != nil && !isPoint
        var writer = WellKnownBinaryWriter(of: geometry)
        writer.bytes = [0x47, 0x50, 0, 0x01 | (hasEnvelope ? 0x02 : 0) | (bounds == nil ? 0x10 : 0)]
        writer.append(UInt32(bitPattern: srsID))
        if hasEnvelope, let bounds {
            for ordinate in [bounds.west, bounds.east, bounds.south, bounds.north] { writer.append(ordinate) }
        }
        writer.append(geometry)
        return writer.bytes
    }

    private struct Header {
        let length: Int
        let srsID: Int32
        let envelope: MapBounds?

        init(_ bytes: UnsafeRawBufferPointer) throws(GeoPackageBlobError) {
            guard bytes.count >= 8 else { throw .truncated }
            guard bytes[0] == 0x47, bytes[1] == 0x50 else { throw .notAGeometry }
            guard bytes[2] == 0 else { throw .unsupported("version \(bytes[2]) of the binary form") }
            let flags = bytes[3]
            guard flags & 0x20 == 0 else { throw .unsupported("an extended geometry") }
            let ordinates = [0, 4, 6, 6, 8]
            let kind = Int(flags >> 1 & 7)
            guard kind < ordinates.count else { throw .notAGeometry }
            length = 8 + ordinates[kind] * 8
            guard bytes.count >= length else { throw .truncated }
            let isLittle = flags & 1 == 1
            let raw = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
            srsID = Int32(bitPattern: isLittle ? UInt32(littleEndian: raw) : UInt32(bigEndian: raw))
            guard kind > 0, flags & 0x10 == 0 else {
                envelope = nil
                return
            }
            let values = (0..<4).map { index in
                let raw = bytes.loadUnaligned(fromByteOffset: 8 + index * 8, as: UInt64.self)
                return Double(bitPattern: isLittle ? UInt64(littleEndian: raw) : UInt64(bigEndian: raw))
            }
            // A header that makes no sense is not believed; the geometry itself is read instead.
            let isSensible = values.allSatisfy(\.isFinite) && values[0] <= values[1] && values[2] <= values[3]
            envelope =
                isSensible ? MapBounds(west: values[0], south: values[2], east: values[1], north: values[3]) : nil
        }
    }
}

/// Why bytes are no geometry that can be shown.
enum GeoPackageBlobError: Error, Hashable {
    case notAGeometry
    case truncated
    case tooDeep
    case notFinite
    case mixed
    case overlong
    case unsupported(String)

    /// A sentence for people.
    var message: String {
        switch self {
        case .notAGeometry: "The geometry cannot be read: it is not in the binary form of GeoPackage."
        case .truncated: "The geometry cannot be read: it is cut off."
        case .tooDeep: "The geometry cannot be read: collections are nested too deeply in it."
        case .notFinite: "The geometry cannot be read: a coordinate in it is not a number."
        case .mixed: "The geometry cannot be read: a part of it is of a kind that does not belong there."
        case .overlong: "The geometry cannot be read: there are more bytes than it needs."
        case .unsupported(let what): "The geometry cannot be shown: \(what) is not supported."
        }
    }
}
