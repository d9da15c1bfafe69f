/// One difference between the base and the present state of a project, as people read it before they publish.
public struct PendingChange: Hashable, Sendable {
    /// What was changed.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A value of a feature.
        case attribute
        /// A note that is new.
        case noteAdded = "note_added"
        /// The words, or another value, of a note.
        case noteChanged = "note_changed"
        /// The place of a note.
        case noteMoved = "note_moved"
        /// A note that is gone.
        case noteDeleted = "note_deleted"
        /// A layer that is shown or hidden.
        case layerVisibility = "layer_visibility"
        /// A bookmark that is new.
        case bookmarkAdded = "bookmark_added"
        /// The name of a bookmark.
        case bookmarkRenamed = "bookmark_renamed"
        /// Where a bookmark leads.
        case bookmarkMoved = "bookmark_moved"
        /// A bookmark that is gone.
        case bookmarkDeleted = "bookmark_deleted"
        /// The map below the layers.
        case basemap
        /// A feature that is new; made elsewhere.
        case featureAdded = "feature_added"
        /// A feature that is gone; deleted elsewhere.
        case featureDeleted = "feature_deleted"
        /// The shape of a feature; changed elsewhere.
        case shape
        /// A layer that is new.
        case layerAdded = "layer_added"
        /// A layer that is gone; removed elsewhere.
        case layerRemoved = "layer_removed"
        /// Something else about a layer, such as its name, lock or style; changed elsewhere.
        case layerChanged = "layer_changed"
        /// Something else about the project; changed elsewhere.
        case projectChanged = "project_changed"
        /// A file of the package; changed elsewhere.
        case fileChanged = "file_changed"
    }

    /// What was changed.
    public let kind: Kind
    /// The identifier of the layer, or nil.
    public let layer: String?
    /// The name of the layer, or nil.
    public let layerName: String?
    /// The feature or note, or nil.
    public let feature: FeatureID?
    /// The title of the feature, the first words of the note, or the name of the layer, bookmark or file.
    public let subject: String
    /// The column, or nil.
    public let column: String?
    /// What people read for the column, or nil.
    public let columnLabel: String?
    /// What it was; nil where there was nothing.
    public let from: FeatureValue?
    /// What it becomes; nil where there is nothing.
    public let to: FeatureValue?
    /// What tells changes of the same thing, whatever was done to it.
    let item: String

    init(
        _ kind: Kind,
        layer: MapLayer? = nil,
        feature: FeatureID? = nil,
        subject: String,
        column: FeatureColumn? = nil,
        item: String,
        from: FeatureValue? = nil,
        to: FeatureValue? = nil
    ) {
        self.kind = kind
        self.layer = layer?.id
        layerName = layer?.name
        self.feature = feature
        self.subject = subject
        self.column = column?.name
        columnLabel = column?.label
        self.item = item
        self.from = from
        self.to = to
    }

    /// The change in words, such as `Depth of “North” in Wells: 12 → 14`.
    public var words: String {
        let place = layerName.map { " in \($0)" } ?? ""
        let values = "\(Self.words(from)) → \(Self.words(to))"
        return switch kind {
        case .attribute, .noteChanged:
            "\(columnLabel ?? column ?? "Value") of “\(subject)”\(place): \(values)"
        case .noteAdded: "Note “\(subject)” added\(place)"
        case .noteMoved: "Note “\(subject)” moved\(place)"
        case .noteDeleted: "Note “\(subject)” deleted\(place)"
        case .layerVisibility: "Layer “\(subject)”: \(values)"
        case .bookmarkAdded: "Bookmark “\(subject)” saved"
        case .bookmarkRenamed: "Bookmark renamed: \(values)"
        case .bookmarkMoved: "Bookmark “\(subject)” moved"
        case .bookmarkDeleted: "Bookmark “\(subject)” deleted"
        case .basemap: "Basemap: \(values)"
        case .featureAdded: "“\(subject)” added\(place)"
        case .featureDeleted: "“\(subject)” deleted\(place)"
        case .shape: "Shape of “\(subject)”\(place) changed"
        case .layerAdded: "Layer “\(subject)” added"
        case .layerRemoved: "Layer “\(subject)” removed"
        case .layerChanged: "Layer “\(subject)” changed"
        case .projectChanged: "\(subject) changed"
        case .fileChanged: "File “\(subject)” changed"
        }
    }

    static func words(_ value: FeatureValue?) -> String {
        switch value {
        case nil: "nothing"
        case .null: "no value"
        case .integer(let value): "\(value)"
        case .real(let value): AttributeFormat.plain.text(of: value)
        case .text(""): "empty text"
        case .text(let text): text.count > 60 ? "\(text.prefix(59))…" : text
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}

/// What is lost when a working copy is dropped or replaced, named before it happens.
public struct LocalLosses: Hashable, Sendable {
    /// The document.
    public let name: DocumentName
    /// The changes that are in no store.
    public let changes: [PendingChange]

    init(name: DocumentName, changes: [PendingChange]) {
        self.name = name
        self.changes = changes
    }

    /// What is lost in a sentence, by name and count.
    public var words: String {
        guard !changes.isEmpty else { return "“\(name.title)” has no changes that would be lost." }
        let count = changes.count == 1 ? "1 change" : "\(changes.count) changes"
        let named = changes.prefix(5).map(\.words).joined(separator: "; ")
        let rest = changes.count > 5 ? "; and \(changes.count - 5) more" : ""
        return "\(count) to “\(name.title)” will be lost: \(named)\(rest)."
    }
}
