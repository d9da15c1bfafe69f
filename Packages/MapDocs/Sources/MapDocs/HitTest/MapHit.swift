/// The feature that a tap has hit.
public struct MapHit: Hashable, Sendable {
    /// The layer of the project.
    public let layer: String
    /// The layer's table.
    public let table: String
    /// The feature's primary key, by which it can be read as long as the package is open.
    public let key: Int64
    /// How far from the tap it is drawn, in points: 0 inside a polygon, never more than the fingertip's radius.
    public let distance: Double

    /// Makes a hit.
    ///
    /// - Parameters:
    ///   - layer: The layer of the project.
    ///   - table: The layer's table.
    ///   - key: The feature's primary key.
    ///   - distance: How far from the tap it is drawn, in points.
    public init(layer: String, table: String, key: Int64, distance: Double) {
        self.layer = layer
        self.table = table
        self.key = key
        self.distance = distance
    }
}

/// A layer that can be hit.
public struct HitTestLayer: Hashable, Sendable {
    /// The layer of the project.
    public let id: String
    /// Its table.
    public let table: String
    /// The kind of its geometries; nil for any kind.
    public let geometryKind: MapGeometry.Kind?

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - id: The layer of the project.
    ///   - table: Its table.
    ///   - geometryKind: The kind of its geometries; nil for any kind.
    public init(id: String, table: String, geometryKind: MapGeometry.Kind?) {
        self.id = id
        self.table = table
        self.geometryKind = geometryKind
    }
}
