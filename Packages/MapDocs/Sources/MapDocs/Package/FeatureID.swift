/// Names one feature of a table for as long as it exists: its `uuid`, or its primary key where the table has no `uuid`.
///
/// A primary key can be used again after its feature was deleted; a `uuid` is not.
public struct FeatureID: Hashable, Sendable {
    /// The `uuid` as it stands in the table, or the primary key in decimal digits.
    public let text: String

    /// Makes an identifier.
    ///
    /// - Parameter text: The `uuid`, or the primary key in decimal digits.
    public init(_ text: String) {
        self.text = text
    }

    /// Makes the identifier of a feature in a table without `uuid`.
    ///
    /// - Parameter key: The primary key.
    public init(key: Int64) {
        text = String(key)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FeatureID: CustomStringConvertible {
    public var description: String { text }
}
