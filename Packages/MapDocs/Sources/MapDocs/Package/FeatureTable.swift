/// A table of features in a map package, as its database describes it.
public struct FeatureTable: Hashable, Sendable {
    /// The name in the database.
    public let name: String
    /// The columns in the order of the table.
    public let columns: [FeatureColumn]
    /// The kind of its geometries; nil for any kind.
    public let geometryKind: MapGeometry.Kind?
    /// The coordinate system's number in the package; only 4326 is drawn and edited.
    public let spatialReference: Int
    /// Whether the database has a spatial index of it.
    public let hasSpatialIndex: Bool
    /// Why it cannot be drawn or edited, in words for people, or nil when it can.
    public let lockReason: String?

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - name: The name in the database.
    ///   - columns: The columns in the order of the table.
    ///   - geometryKind: The kind of its geometries; nil for any kind.
    ///   - spatialReference: The coordinate system's number.
    ///   - hasSpatialIndex: Whether the database has a spatial index of it.
    ///   - lockReason: Why it cannot be drawn or edited.
    public init(
        name: String,
        columns: [FeatureColumn],
        geometryKind: MapGeometry.Kind?,
        spatialReference: Int = 4326,
        hasSpatialIndex: Bool = false,
        lockReason: String? = nil
    ) {
        self.name = name
        self.columns = columns
        self.geometryKind = geometryKind
        self.spatialReference = spatialReference
        self.hasSpatialIndex = hasSpatialIndex
        self.lockReason = lockReason
    }
}
