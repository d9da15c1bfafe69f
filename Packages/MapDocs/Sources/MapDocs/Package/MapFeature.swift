/// One feature of a table, as it is stored.
public struct MapFeature: Hashable, Sendable {
    /// What identifies it.
    public var id: FeatureID
    /// The primary key now; it can belong to another feature later.
    public var key: Int64
    /// The values of the columns that were asked for, by name, without key, `uuid` and geometry.
    public var values: [String: FeatureValue]
    /// The shape; nil when it is NULL, when it cannot be read, or when it was not asked for.
    public var geometry: MapGeometry?
    /// Why the shape cannot be read, in words for people, or nil.
    public var geometryProblem: String?

    /// Makes a feature.
    ///
    /// - Parameters:
    ///   - id: What identifies it.
    ///   - key: The primary key.
    ///   - values: The values by column.
    ///   - geometry: The shape.
    ///   - geometryProblem: Why the shape cannot be read.
    public init(
        id: FeatureID,
        key: Int64,
        values: [String: FeatureValue],
        geometry: MapGeometry? = nil,
        geometryProblem: String? = nil
    ) {
        self.id = id
        self.key = key
        self.values = values
        self.geometry = geometry
        self.geometryProblem = geometryProblem
    }
}
