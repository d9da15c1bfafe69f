/// The phone's workspace as a view, a terminal or a page draws it: a pure function of the workspace's state.
public struct WorkspaceScreen: Hashable, Sendable {
    /// The pod at the top: the way back, the name and the document's state.
    public let statusPod: WorkspaceStatusPod
    /// The button that publishes.
    public let save: WorkspaceSaveButton
    /// The buttons at the bottom.
    public let cluster: [WorkspaceControl]
    /// The sheet, or nil.
    public let sheet: WorkspaceSheetModel?
    /// The selected feature, or nil.
    public let selection: WorkspaceSelectionModel?
    /// The measurement in progress, or nil.
    public let measure: WorkspaceMeasureModel?
    /// What to do next while the places of a note are tapped, or nil.
    public let prompt: WorkspacePrompt?
    /// Where the map is.
    public let readout: WorkspaceReadout
    /// Scale, compass and the ways back to north and flat.
    public let navigation: WorkspaceNavigation
    /// The short messages, the oldest first.
    public let toasts: [String]
    /// Where everything lies.
    public let layout: WorkspaceLayout

    /// Decides what the workspace looks like.
    ///
    /// - Parameter workspace: The state.
    public init(_ workspace: Workspace) {
        let cluster = WorkspaceControl.cluster(workspace)
        let navigation = WorkspaceNavigation(workspace)
        layout = WorkspaceLayout(workspace, clusterButtons: cluster.count, navigationButtons: navigation.controls.count)
        statusPod = WorkspaceStatusPod(workspace, isNarrow: layout.isNarrow)
        save = WorkspaceSaveButton(workspace, isNarrow: layout.isNarrow)
        self.cluster = cluster
        sheet = workspace.sheet.map { WorkspaceSheetModel($0, workspace) }
        selection = workspace.selection.map { WorkspaceSelectionModel($0, workspace) }
        measure = workspace.measuring.map { WorkspaceMeasureModel($0, workspace.format) }
        prompt = workspace.note.flatMap(WorkspacePrompt.init)
        readout = WorkspaceReadout(workspace.camera)
        self.navigation = navigation
        toasts = workspace.toasts
    }

    /// What a screen reader says, in the order in which it goes through the screen.
    public var spoken: [String] {
        var spoken = [statusPod.back.spoken, statusPod.spoken, save.spoken]
        if let selection { spoken.append(selection.spoken) }
        if let measure { spoken += [measure.spoken] + measure.controls.map(\.spoken) }
        if let prompt { spoken += [prompt.text] + prompt.controls.map(\.spoken) }
        if let sheet { spoken += sheet.spoken }
        spoken += cluster.flatMap { [$0.spoken] + $0.menu.map(\.spoken) }
        spoken.append(readout.spoken)
        spoken += navigation.spoken
        return spoken + toasts
    }

    /// Every control that can be seen now, those in menus and sheets included.
    public var controls: [WorkspaceControl] {
        let menus = cluster.flatMap(\.menu)
        let inSheet = sheet.map { $0.rows.flatMap(\.controls) + $0.controls } ?? []
        return [statusPod.back, save.control] + cluster + menus + navigation.controls + inSheet
            + (measure?.controls ?? []) + (prompt?.controls ?? [])
    }
}

/// A pictogram of the workspace.
public enum WorkspaceGlyph: String, CaseIterable, Hashable, Sendable {
    case back, save, spinner, layers, map, basemap, bookmark, measure, note, text, callout, inspector, eye, eyeOff
    case lock, edit, close, undo, line, area, done, compass, flat, reset, key, delete, rename, warning, copy, reload
}

/// Something that can be pressed.
public struct WorkspaceControl: Hashable, Sendable {
    /// How it stands out.
    public enum Style: String, Hashable, Sendable {
        /// Accent fill.
        case prominent
        /// Soft accent fill.
        case soft
        /// No fill.
        case plain
        /// The colour of danger.
        case danger
    }

    /// What is written on it; empty for a pictogram alone.
    public let title: String
    /// Its pictogram, or nil.
    public let glyph: WorkspaceGlyph?
    /// What a screen reader says.
    public let spoken: String
    /// How it stands out.
    public let style: Style
    /// Whether it can be pressed.
    public let isEnabled: Bool
    /// Whether what it is for is going on.
    public let isActive: Bool
    /// What it does; nil for a menu and for what needs words from the person first.
    public let action: WorkspaceAction?
    /// What its menu offers.
    public let menu: [WorkspaceControl]

    init(
        _ title: String = "",
        _ glyph: WorkspaceGlyph? = nil,
        spoken: String? = nil,
        style: Style = .plain,
        isEnabled: Bool = true,
        isActive: Bool = false,
        action: WorkspaceAction? = nil,
        menu: [WorkspaceControl] = []
    ) {
        self.title = title
        self.glyph = glyph
        let label = spoken ?? title
        self.spoken = isActive ? "\(label), active" : label
        self.style = isActive ? .soft : style
        self.isEnabled = isEnabled
        self.isActive = isActive
        self.action = action
        self.menu = menu
    }

    static func cluster(_ workspace: Workspace) -> [WorkspaceControl] {
        func sheet(_ title: String, _ glyph: WorkspaceGlyph, _ kind: WorkspaceSheet.Kind) -> WorkspaceControl {
            WorkspaceControl(title, glyph, isActive: workspace.sheet?.kind == kind, action: .open(kind))
        }
        let map = [
            sheet("Basemap", .basemap, .basemap), sheet("Bookmarks", .bookmark, .bookmarks),
            WorkspaceControl(
                "Measure",
                .measure,
                isActive: workspace.measuring != nil,
                action: workspace.measuring == nil ? .beginMeasuring : .endMeasuring
            ),
        ]
        var cluster = [
            sheet("Layers", .layers, .layers),
            WorkspaceControl("Map", .map, isActive: map.contains(where: \.isActive), menu: map),
        ]
        if workspace.readOnlyReason == nil {
            let kinds = [
                WorkspaceControl("Text", .text, spoken: "Add a text note", action: .beginNote(.text)),
                WorkspaceControl("Callout", .callout, spoken: "Add a callout", action: .beginNote(.callout)),
            ]
            cluster.append(WorkspaceControl("Add Note", .note, isActive: workspace.note != nil, menu: kinds))
        }
        if workspace.selection != nil { cluster.append(sheet("Inspector", .inspector, .inspector)) }
        return cluster
    }
}

/// What is asked of the person while a note is placed.
public struct WorkspacePrompt: Hashable, Sendable {
    /// The words.
    public let text: String
    /// The ways out.
    public let controls: [WorkspaceControl]

    init?(_ note: NoteDraft) {
        switch note.step {
        case .anchor: text = "Tap where the \(note.kind == .text ? "note" : "callout") goes"
        case .target: text = "Tap what the callout points at"
        case .typing: return nil
        }
        controls = [WorkspaceControl("Cancel", .close, spoken: "Cancel the note", action: .cancelNote)]
    }
}

/// Where the map is, for reading and copying.
public struct WorkspaceReadout: Hashable, Sendable {
    /// Latitude and longitude of the centre, such as `47.60621, -122.33207`.
    public let coordinates: String
    /// The zoom level, such as `z 12.4`.
    public let zoom: String
    /// What a screen reader says.
    public let spoken: String

    init(_ camera: MapCamera) {
        coordinates = camera.coordinateReadout
        zoom = camera.zoomReadout
        spoken = "Map center \(coordinates), zoom \(zoom.dropFirst(2))"
    }
}

/// Scale, compass and the ways back to north and flat.
public struct WorkspaceNavigation: Hashable, Sendable {
    /// The scale bar, or nil where none fits.
    public let scale: ScaleBar?
    /// The direction that is up, in degrees clockwise from north.
    public let bearing: Double
    /// The tilt in whole degrees, such as `45°`, or nil when the map is flat.
    public let pitch: String?
    /// Compass, Flat and Reset; only those that would change something can be pressed.
    public let controls: [WorkspaceControl]

    init(_ workspace: Workspace) {
        let camera = workspace.camera
        bearing = camera.bearing
        pitch = camera.pitch > 0 ? "\(Int(camera.pitch.rounded()))°" : nil
        scale = try? ScaleBar(camera: camera, units: workspace.format.units, maximumWidth: 96)
        let isTurned = camera.bearing != 0
        let isTilted = camera.pitch != 0
        controls = [
            WorkspaceControl(
                glyph: .compass,
                spoken: isTurned ? "Compass, \(Self.direction(camera.bearing)) is up; turn north up" : "North is up",
                isEnabled: isTurned,
                action: .resetBearing
            ),
            WorkspaceControl(
                glyph: .flat,
                spoken: isTilted ? "Tilted \(pitch ?? ""); look straight down" : "The map is flat",
                isEnabled: isTilted,
                action: .resetPitch
            ),
            WorkspaceControl(
                glyph: .reset,
                spoken: "Reset map to flat, north up",
                isEnabled: isTurned || isTilted,
                action: .resetView
            ),
        ]
    }

    /// What a screen reader says.
    public var spoken: [String] { (scale.map { ["Scale \($0.label)"] } ?? []) + controls.map(\.spoken) }

    private static func direction(_ bearing: Double) -> String {
        let names = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
        return names[Int((bearing / 45).rounded()) % names.count]
    }
}

extension WorkspaceControl {
    init(
        glyph: WorkspaceGlyph,
        spoken: String,
        style: Style = .plain,
        isEnabled: Bool = true,
        action: WorkspaceAction?
    ) {
        self.init("", glyph, spoken: spoken, style: style, isEnabled: isEnabled, action: action)
    }
}
