/// New attribute values for one feature: one change, whatever number of values it has.
public struct UpdateProperties: Hashable, Sendable {
    /// The layer's identifier.
    public let layer: String
    /// The feature.
    public let feature: FeatureID
    /// The new values by column; columns that are not named keep theirs.
    public let values: [String: FeatureValue]

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - layer: The layer's identifier.
    ///   - feature: The feature.
    ///   - values: The new values by column.
    public init(layer: String, feature: FeatureID, values: [String: FeatureValue]) {
        self.layer = layer
        self.feature = feature
        self.values = values
    }
}
