/// What an import made of one layer.
public struct ImportedLayer: Hashable, Sendable {
    /// The layer's identifier in project.json.
    public let id: String
    /// The table of its features.
    public let table: String
    /// How many features it has.
    public let featureCount: Int
    /// What was changed or left out, each in a sentence for people; none when everything is as it was.
    public let notes: [String]
}

/// How far an import is.
public struct ImportProgress: Hashable, Sendable {
    /// The layer that is being imported.
    public let layer: String
    /// How many of its features are done.
    public let done: Int
    /// How many it has.
    public let total: Int
}
