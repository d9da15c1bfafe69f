public import HopeTokens
public import MapDocs

/// Everything that a picture of a map shows, and the camera that it is seen through.
public struct MapSnapshot: Sendable {
    /// A layer of the picture.
    public struct Layer: Hashable, Sendable {
        /// The name that people read.
        public var name: String
        /// The table in the package.
        public var table: String
        /// How it is drawn.
        public var style: MapLayerStyle

        /// Makes a layer.
        ///
        /// - Parameters:
        ///   - name: The name that people read.
        ///   - table: The table in the package.
        ///   - style: How it is drawn.
        public init(name: String, table: String, style: MapLayerStyle) {
            self.name = name
            self.table = table
            self.style = style
        }
    }

    /// A note of the picture.
    public struct Note: Hashable, Sendable {
        /// Where it is pinned.
        public var anchor: MapCoordinate
        /// Where the leader line of a callout ends, or nil.
        public var target: MapCoordinate?
        /// What it says.
        public var text: String

        /// Makes a note.
        ///
        /// - Parameters:
        ///   - anchor: Where it is pinned.
        ///   - target: Where the leader line of a callout ends.
        ///   - text: What it says.
        public init(anchor: MapCoordinate, target: MapCoordinate? = nil, text: String) {
            self.anchor = anchor
            self.target = target
            self.text = text
        }
    }

    /// The name of the map.
    public var title: String
    /// The camera and the size of the picture.
    public var projection: MapProjection
    /// The visible layers, the lowest first.
    public var layers: [Layer]
    /// The notes.
    public var notes: [Note]
    /// The shape of the selected feature, or nil.
    public var selection: MapGeometry?
    /// The points that are being measured.
    public var measured: [MapCoordinate]
    /// Whether they are the corners of an area.
    public var measuresArea: Bool
    /// The colours.
    public var theme: AeroTheme
    /// The units of the scale bar.
    public var units: MeasurementUnits
    /// Whether meridians and parallels, the scale bar and the north arrow are drawn.
    public var hasFurniture: Bool

    /// Makes a picture of nothing.
    ///
    /// - Parameters:
    ///   - title: The name of the map.
    ///   - projection: The camera and the size of the picture.
    ///   - theme: The colours.
    ///   - units: The units of the scale bar.
    public init(
        title: String,
        projection: MapProjection,
        theme: AeroTheme = .light,
        units: MeasurementUnits = .metric
    ) {
        self.title = title
        self.projection = projection
        layers = []
        notes = []
        measured = []
        measuresArea = false
        self.theme = theme
        self.units = units
        hasFurniture = true
    }

    /// The colour of the ground, where no layer is.
    public var background: ColorValue {
        theme.accentSoft.value.mixed(with: theme.surfaceSheet.value.withOpacity(1), by: 0.5)
    }
}
