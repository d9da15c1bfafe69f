/// What is kept in memory of one table for taps: every feature's box, and its shape as long as there is room.
struct TapIndex: Sendable {
    /// The most positions that are kept of one table: 16 bytes each.
    static let mostPositions = 16_000_000

    /// The primary keys, in the order in which they were read.
    let keys: [Int64]
    /// The shapes in the order of the keys, or nil when they are too many to keep.
    let shapes: PackedShapes?
    /// The boxes.
    let boxes: PackedSpatialIndex

    /// Reads a table.
    init(_ table: String, of package: any MapPackage) throws(MapPackageError) {
        var keys: [Int64] = []
        var bounds: [SIMD4<Double>] = []
        var shapes = PackedShapes()
        var isTooLarge = false
        try package.readFeatures(in: table, FeatureQuery(columns: [])) { feature in
            guard let geometry = feature.geometry, let box = geometry.bounds else { return true }
            shapes.append(geometry)
            keys.append(feature.key)
            bounds.append(SIMD4(box.west, box.south, box.east, box.north))
            isTooLarge = shapes.positionCount > Self.mostPositions
            return !isTooLarge
        }
        if isTooLarge {
            keys = []
            bounds = []
            try package.readBounds(in: table) { key, box in
                keys.append(key)
                bounds.append(SIMD4(box.west, box.south, box.east, box.north))
            }
        }
        self.keys = keys
        self.shapes = isTooLarge ? nil : shapes
        boxes = PackedSpatialIndex(bounds)
    }
}
