/// A note on the map: words at a place, or a callout whose words point at another place.
public struct MapNote: Hashable, Sendable {
    /// The kinds of notes.
    public enum Kind: Hashable, Sendable {
        /// Words at a place.
        case text
        /// Words with a line to what they are about.
        case callout
        /// Markup that was made elsewhere: kept, not changed.
        case other(String)
    }

    /// What identifies it.
    public let id: FeatureID
    /// The identifier of its layer.
    public let layer: String
    /// The kind.
    public let kind: Kind
    /// The words.
    public let text: String
    /// Where the words are; nil when the shape cannot be read.
    public let anchor: MapCoordinate?
    /// What a callout points at.
    public let target: MapCoordinate?
    /// The device or person that made it, or nil when it says nothing.
    public let author: String?

    static let kindColumn = "kind"
    static let textColumn = "text"
    static let authorColumn = "author"
    static let createdColumn = "created_at"

    /// The columns of a table that is made for notes.
    static let columns = [
        FeatureColumn(name: kindColumn, label: "Kind", type: .text(maximumLength: nil), isRequired: true),
        FeatureColumn(name: textColumn, label: "Text", type: .text(maximumLength: nil), isRequired: true),
        FeatureColumn(name: authorColumn, label: "Author", type: .text(maximumLength: nil)),
        FeatureColumn(name: createdColumn, label: "Created", type: .dateTime),
    ]

    /// Whether a table can hold notes.
    static func fits(_ table: FeatureTable) -> Bool {
        let names = Set(table.columns.filter { $0.role == .attribute }.map(\.name))
        return names.contains(kindColumn) && names.contains(textColumn)
            && table.columns.contains { $0.role == .identifier } && table.lockReason == nil
    }

    /// Reads a feature of a markup layer.
    ///
    /// - Parameters:
    ///   - feature: The feature.
    ///   - layer: The layer's identifier.
    public init(_ feature: MapFeature, layer: String) {
        id = feature.id
        self.layer = layer
        func text(_ column: String) -> String? {
            if case .text(let text) = feature.values[column] { text } else { nil }
        }
        kind =
            switch text(Self.kindColumn) {
            case "text": .text
            case "callout": .callout
            case let other: .other(other ?? "markup")
            }
        self.text = text(Self.textColumn) ?? ""
        author = text(Self.authorColumn)
        var places: [MapCoordinate] = []
        feature.geometry?.forEachPosition { position in
            guard places.count < 2 else { return }
            if let place = try? MapCoordinate(latitude: position.latitude, longitude: position.longitude) {
                places.append(place)
            }
        }
        anchor = places.first
        target = kind == .callout && places.count == 2 ? places[1] : nil
    }

    /// The shape that is stored: a point, or for a callout a line from the words to the target.
    static func geometry(anchor: MapCoordinate, target: MapCoordinate?) -> MapGeometry {
        func position(_ place: MapCoordinate) -> MapPosition {
            MapPosition(longitude: place.longitude, latitude: place.latitude)
        }
        guard let target else { return .point(position(anchor)) }
        return .lineString([position(anchor), position(target)])
    }
}
