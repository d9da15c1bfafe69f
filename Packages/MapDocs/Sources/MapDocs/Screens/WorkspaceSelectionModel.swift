/// The selected feature in words and figures.
public struct WorkspaceSelectionModel: Hashable, Sendable {
    /// A figure of the inspector.
    public struct Tile: Hashable, Sendable {
        /// What it is.
        public let label: String
        /// The figure with its unit.
        public let value: String
        /// The figure with its unit as a word.
        public let spoken: String
    }

    /// The feature's title.
    public let title: String
    /// The kind and corners of its shape, such as `Polygon · 5 vertices`.
    public let summary: String
    /// The layer's name.
    public let layer: String
    /// The figures: area, perimeter, length and corners, as far as the shape has them.
    public let tiles: [Tile]
    /// Why it cannot be edited, or nil.
    public let lockReason: String?
    /// What a screen reader says: title, layer, shape and whether it can be edited.
    public let spoken: String

    /// The header of the form: `geometry · layer`.
    public var headline: String { "\(summary) · \(layer)" }

    /// The width of the outline on the map in points, heavier than any layer's standard one; corners have no handles.
    public static let strokeWidth = 4.0
    /// The opacity of the accent that fills the shape on the map.
    public static let fillOpacity = 0.35

    init(_ selection: WorkspaceSelection, _ workspace: Workspace) {
        title = selection.title
        layer = workspace.layers.first { $0.id == selection.layer }?.name ?? selection.layer
        lockReason = workspace.selectionLockReason
        summary = selection.geometry?.summary ?? "No geometry"
        tiles = selection.geometry.map { Self.tiles($0, workspace.format) } ?? []
        let editing = lockReason.map { "cannot be edited: \($0)" } ?? "can be edited"
        let shape = summary.replacing(" · ", with: ", ")
        spoken = "\(title), layer \(layer), \(shape), \(editing)"
    }

    private static func tiles(_ geometry: MapGeometry, _ format: MeasurementFormat) -> [Tile] {
        let measured = GeometryMeasurements(geometry)
        var tiles: [Tile] = []
        if let area = measured.area {
            tiles.append(Tile(label: "Area", value: format.area(area), spoken: format.spokenArea(area)))
        }
        if let perimeter = measured.perimeter {
            tiles.append(
                Tile(label: "Perimeter", value: format.length(perimeter), spoken: format.spokenLength(perimeter))
            )
        }
        if let length = measured.length {
            tiles.append(Tile(label: "Length", value: format.length(length), spoken: format.spokenLength(length)))
        }
        let vertices = geometry.vertexCount
        if vertices > 1 { tiles.append(Tile(label: "Vertices", value: "\(vertices)", spoken: "\(vertices)")) }
        return tiles
    }
}

/// The measurement in progress, in words and figures.
public struct WorkspaceMeasureModel: Hashable, Sendable {
    /// The figures, such as `7,716 km`; what to do when there are none yet.
    public let lines: [String]
    /// Line, Area, Undo and Done.
    public let controls: [WorkspaceControl]
    /// What a screen reader says.
    public let spoken: String

    init(_ measure: MeasureMode, _ format: MeasurementFormat) {
        var controls: [WorkspaceControl] = []
        if measure.canChooseShape {
            controls += [
                WorkspaceControl("Line", .line, isActive: measure.shape == .line, action: .chooseShape(.line)),
                WorkspaceControl("Area", .area, isActive: measure.shape == .area, action: .chooseShape(.area)),
            ]
        }
        controls += [
            WorkspaceControl(
                "",
                .undo,
                spoken: "Undo the last point",
                isEnabled: !measure.points.isEmpty,
                action: .undoPoint
            ),
            WorkspaceControl("Done", .done, spoken: "Done measuring", style: .prominent, action: .endMeasuring),
        ]
        self.controls = controls
        if measure.shape == .area, let area = measure.area, let perimeter = measure.perimeter {
            lines = [format.area(area), format.length(perimeter)]
            spoken = "Area \(format.spokenArea(area)), perimeter \(format.spokenLength(perimeter))"
        } else if measure.points.count > 1 {
            lines = [format.length(measure.length)]
            spoken = "Length \(format.spokenLength(measure.length))"
        } else {
            lines = [measure.points.isEmpty ? "Tap the map to measure" : "Tap the next point"]
            spoken = lines[0]
        }
    }
}
