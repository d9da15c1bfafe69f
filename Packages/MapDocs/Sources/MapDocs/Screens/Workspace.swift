/// Everything that the phone's workspace is drawn from: one document on the map, and what the person is doing with it.
///
/// A value without any connection to the document: the edit session's owner keeps the document's part up to date and
/// carries out the effects that `apply(_:)` asks for. `WorkspaceScreen` is what it looks like.
public struct Workspace: Hashable, Sendable {
    /// The project's name.
    public var name: String
    /// The words for where it is published to, such as `iCloud`.
    public var place: String
    /// Why it cannot be changed, in words for people, or nil.
    public var readOnlyReason: String?
    /// How many changes would be published, net of what was set back.
    public var changes = 0
    /// Whether the store has moved on while there are changes here.
    public var isInConflict = false
    /// Whether the store cannot be reached.
    public var isOffline = false
    /// How far publishing has come, in 0...1, or nil while nothing is published.
    public var publishing: Double?
    /// The layers in drawing order, the lowest first, markup included.
    public var layers: [WorkspaceLayer]
    /// The map below the layers.
    public var basemap = MapBasemap.standard
    /// Whether the key of the provider of satellite pictures is at hand.
    public var hasSatelliteKey = false
    /// The bookmarks in their order.
    public var bookmarks: [MapBookmark] = []
    /// What would be lost by reloading, a line for each change.
    public var pendingChanges: [String] = []
    /// What the map shows.
    public var camera: MapCamera
    /// The screen.
    public var viewport: WorkspaceViewport
    /// How lengths and areas are written.
    public var format: MeasurementFormat

    /// The selected feature, or nil.
    public internal(set) var selection: WorkspaceSelection?
    /// The sheet that is shown, or nil.
    public internal(set) var sheet: WorkspaceSheet?
    /// The measurement in progress, or nil.
    public internal(set) var measuring: MeasureMode?
    /// The note that is being made, or nil.
    public internal(set) var note: NoteDraft?
    /// The short messages that are shown, the oldest first.
    public internal(set) var toasts: [String] = []

    /// Makes the workspace of a document that was just opened.
    ///
    /// - Parameters:
    ///   - name: The project's name.
    ///   - place: The words for where it is published to.
    ///   - layers: The layers in drawing order, the lowest first.
    ///   - camera: What the map shows.
    ///   - viewport: The screen.
    ///   - format: How lengths and areas are written.
    public init(
        name: String,
        place: String = "iCloud",
        layers: [WorkspaceLayer],
        camera: MapCamera,
        viewport: WorkspaceViewport,
        format: MeasurementFormat
    ) {
        self.name = name
        self.place = place
        self.layers = layers
        self.camera = camera
        self.viewport = viewport
        self.format = format
    }

    /// The document's state: edited exactly when there are net changes.
    public var documentState: DocumentState {
        if isInConflict, changes > 0 { return .conflict }
        if changes > 0 { return .edited(changes: changes) }
        return isOffline ? .offlineCopy : .synced
    }

    /// Why the selected feature cannot be edited, in words for people, or nil when it can or nothing is selected.
    public var selectionLockReason: String? {
        guard let selection else { return nil }
        if let readOnlyReason { return readOnlyReason }
        guard let layer = layers.first(where: { $0.id == selection.layer }) else {
            return "The layer of this feature is not in the project any more."
        }
        return layer.editLockReason
    }

    /// Whether taps on the map make something instead of selecting.
    public var isPlacing: Bool { measuring != nil || note.map { $0.step != .typing } ?? false }
}

/// A layer as the workspace shows it.
public struct WorkspaceLayer: Hashable, Sendable {
    /// What identifies it in the project.
    public let id: String
    /// The name that people read.
    public let name: String
    /// Data or markup.
    public let role: MapLayer.Role
    /// How it is drawn, for the swatch.
    public let style: MapLayerStyle
    /// How many features it has.
    public var featureCount: Int
    /// Whether it is drawn.
    public var isVisible: Bool
    /// Why its features cannot be changed, in words for people, or nil when they can.
    public let lockReason: String?

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - id: What identifies it in the project.
    ///   - name: The name that people read.
    ///   - role: Data or markup.
    ///   - style: How it is drawn.
    ///   - featureCount: How many features it has.
    ///   - isVisible: Whether it is drawn.
    ///   - lockReason: Why its features cannot be changed.
    public init(
        id: String,
        name: String,
        role: MapLayer.Role = .authoritative,
        style: MapLayerStyle,
        featureCount: Int,
        isVisible: Bool = true,
        lockReason: String? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.style = style
        self.featureCount = featureCount
        self.isVisible = isVisible
        self.lockReason = lockReason
    }

    /// Why its features cannot be edited now: it is hidden or locked.
    public var editLockReason: String? {
        if let lockReason { return lockReason }
        return isVisible ? nil : "“\(name)” is hidden; show the layer to edit its features."
    }
}

/// The feature that is selected.
public struct WorkspaceSelection: Hashable, Sendable {
    /// One attribute in words.
    public struct Attribute: Hashable, Sendable {
        /// What it is.
        public let label: String
        /// Its value, or nil for none.
        public let value: String?

        /// Makes an attribute.
        ///
        /// - Parameters:
        ///   - label: What it is.
        ///   - value: Its value, or nil for none.
        public init(label: String, value: String?) {
            self.label = label
            self.value = value
        }
    }

    /// The layer in the project.
    public let layer: String
    /// The feature.
    public let feature: FeatureID
    /// Its title.
    public var title: String
    /// Its shape, or nil when it has none.
    public var geometry: MapGeometry?
    /// Its attributes in the order of the schema.
    public var attributes: [Attribute]

    /// Makes a selection.
    ///
    /// - Parameters:
    ///   - layer: The layer in the project.
    ///   - feature: The feature.
    ///   - title: Its title.
    ///   - geometry: Its shape.
    ///   - attributes: Its attributes in the order of the schema.
    public init(
        layer: String,
        feature: FeatureID,
        title: String,
        geometry: MapGeometry?,
        attributes: [Attribute] = []
    ) {
        self.layer = layer
        self.feature = feature
        self.title = title
        self.geometry = geometry
        self.attributes = attributes
    }
}

/// The one sheet over the map.
public struct WorkspaceSheet: Hashable, Sendable {
    /// What a sheet is for.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The layers.
        case layers
        /// The map below the layers.
        case basemap
        /// The bookmarks.
        case bookmarks
        /// The selected feature.
        case inspector
        /// The attributes of the selected feature, to edit.
        case attributes
        /// The text of a note.
        case note
        /// The three ways out of a conflict.
        case conflict
    }

    /// How high a sheet is.
    public enum Detent: String, CaseIterable, Hashable, Sendable {
        /// Half of the screen; the map above it can be moved.
        case medium
        /// Nearly all of the screen.
        case large
    }

    /// What it is for.
    public let kind: Kind
    /// How high it is.
    public internal(set) var detent: Detent

    init(_ kind: Kind) {
        self.kind = kind
        detent = kind == .attributes ? .large : .medium
    }

    /// The heights it can have, the first one at the beginning.
    public var detents: [Detent] {
        switch kind {
        case .layers, .inspector, .bookmarks: [.medium, .large]
        case .attributes: [.large]
        case .basemap, .note, .conflict: [.medium]
        }
    }

    /// Whether nothing else can be used before it is answered.
    public var isModal: Bool { kind == .conflict || kind == .attributes }

    /// Whether the map takes gestures above it.
    public var mapIsUsable: Bool { !isModal && detent == .medium }
}

/// A note that is being made.
public struct NoteDraft: Hashable, Sendable {
    /// The kinds of note.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A text at a place.
        case text
        /// A text with a line to a second place.
        case callout
    }

    /// What is needed next.
    public enum Step: Hashable, Sendable {
        /// A tap where the note is pinned.
        case anchor
        /// A tap where the leader line ends.
        case target
        /// The text.
        case typing
    }

    /// The kind.
    public let kind: Kind
    /// Where it is pinned.
    public internal(set) var anchor: MapCoordinate?
    /// Where the leader line ends.
    public internal(set) var target: MapCoordinate?
    /// What was typed.
    public internal(set) var text = ""

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// What is needed next.
    public var step: Step {
        if anchor == nil { return .anchor }
        return kind == .callout && target == nil ? .target : .typing
    }

    /// Whether it can be confirmed: everything is there and the text is not blank.
    public var canBeConfirmed: Bool { step == .typing && !text.allSatisfy(\.isWhitespace) }
}

/// The screen that the workspace is shown on, in points.
public struct WorkspaceViewport: Hashable, Sendable {
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double
    /// What the system keeps for itself at the top.
    public var safeTop: Double
    /// What the system keeps for itself at the bottom.
    public var safeBottom: Double
    /// What the system keeps for itself at the leading edge.
    public var safeLeading: Double
    /// What the system keeps for itself at the trailing edge.
    public var safeTrailing: Double
    /// The size of text relative to the standard one, in 0.5...4.
    public var textScale: Double

    /// Makes a screen.
    ///
    /// - Parameters:
    ///   - width: The width in points.
    ///   - height: The height in points.
    ///   - safeTop: What the system keeps at the top.
    ///   - safeBottom: What the system keeps at the bottom.
    ///   - safeLeading: What the system keeps at the leading edge.
    ///   - safeTrailing: What the system keeps at the trailing edge.
    ///   - textScale: The size of text relative to the standard one.
    public init(
        width: Double,
        height: Double,
        safeTop: Double = 0,
        safeBottom: Double = 0,
        safeLeading: Double = 0,
        safeTrailing: Double = 0,
        textScale: Double = 1
    ) {
        self.width = width
        self.height = height
        self.safeTop = safeTop
        self.safeBottom = safeBottom
        self.safeLeading = safeLeading
        self.safeTrailing = safeTrailing
        self.textScale = textScale
    }

    /// A phone held upright, with its notch and home indicator.
    public static let phone = WorkspaceViewport(width: 390, height: 844, safeTop: 47, safeBottom: 34)
}
