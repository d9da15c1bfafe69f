/// What a sheet over the map shows.
public struct WorkspaceSheetModel: Hashable, Sendable {
    /// A line of the sheet.
    public struct Row: Hashable, Sendable {
        /// The words.
        public let title: String
        /// The second line, or nil.
        public let detail: String?
        /// The colours of the swatch, or nil.
        public let swatch: MapLayerStyle?
        /// The pictograms, which say again what the words say.
        public let glyphs: [WorkspaceGlyph]
        /// Whether it is drawn with less opacity.
        public let isDimmed: Bool
        /// Whether it is the one that is chosen.
        public let isChosen: Bool
        /// What can be done with it.
        public let controls: [WorkspaceControl]
        /// What a screen reader says.
        public let spoken: String

        init(
            _ title: String,
            detail: String? = nil,
            swatch: MapLayerStyle? = nil,
            glyphs: [WorkspaceGlyph] = [],
            isDimmed: Bool = false,
            isChosen: Bool = false,
            controls: [WorkspaceControl] = [],
            spoken: String? = nil
        ) {
            self.title = title
            self.detail = detail
            self.swatch = swatch
            self.glyphs = glyphs
            self.isDimmed = isDimmed
            self.isChosen = isChosen
            self.controls = controls
            self.spoken = spoken ?? ([title] + (detail.map { [$0] } ?? [])).joined(separator: ", ")
        }
    }

    /// What it is for.
    public let kind: WorkspaceSheet.Kind
    /// How high it is.
    public let detent: WorkspaceSheet.Detent
    /// The heights it can have.
    public let detents: [WorkspaceSheet.Detent]
    /// Whether nothing else can be used before it is answered.
    public let isModal: Bool
    /// The header.
    public let title: String
    /// The count behind the header, or nil.
    public let count: String?
    /// The lines.
    public let rows: [Row]
    /// What stands in the place of lines when there are none, or nil.
    public let emptyText: String?
    /// The buttons below.
    public let controls: [WorkspaceControl]

    /// What a screen reader says.
    public var spoken: [String] {
        [count.map { "\(title), \($0)" } ?? title] + rows.flatMap { [$0.spoken] + $0.controls.map(\.spoken) }
            + (emptyText.map { [$0] } ?? []) + controls.map(\.spoken)
    }

    init(_ sheet: WorkspaceSheet, _ workspace: Workspace) {
        kind = sheet.kind
        detent = sheet.detent
        detents = sheet.detents
        isModal = sheet.isModal
        let content: Content
        switch sheet.kind {
        case .layers: content = .layers(workspace)
        case .basemap: content = .basemap(workspace)
        case .bookmarks: content = .bookmarks(workspace)
        case .inspector: content = .inspector(workspace)
        case .attributes: content = .attributes(workspace)
        case .note: content = .note(workspace)
        case .conflict: content = .conflict(workspace)
        }
        title = content.title
        count = content.count
        rows = content.rows
        emptyText = content.rows.isEmpty ? content.emptyText : nil
        controls = content.controls
    }
}

/// The content of the sheets, each a function of the workspace.
private struct Content {
    typealias Row = WorkspaceSheetModel.Row

    var title: String
    var count: String?
    var rows: [Row] = []
    var emptyText: String?
    var controls: [WorkspaceControl] = [
        WorkspaceControl("", .close, spoken: "Close", action: .closeSheet)
    ]

    static func layers(_ workspace: Workspace) -> Content {
        let rows = workspace.layers.reversed().map { layer in
            let features = layer.featureCount == 1 ? "1 feature" : "\(layer.featureCount) features"
            let isLocked = layer.lockReason != nil
            let eye = WorkspaceControl(
                "",
                layer.isVisible ? .eye : .eyeOff,
                spoken: "\(layer.isVisible ? "Hide" : "Show") \(layer.name)",
                isEnabled: workspace.readOnlyReason == nil,
                action: .toggleLayer(layer.id)
            )
            let states = [layer.isVisible ? "visible" : "hidden"] + (isLocked ? ["locked"] : [])
            return Row(
                layer.name,
                detail: isLocked ? "\(features) · Locked" : features,
                swatch: layer.style,
                glyphs: (layer.isVisible ? [] : [.eyeOff]) + (isLocked ? [.lock] : []),
                isDimmed: !layer.isVisible,
                controls: [eye],
                spoken: ([layer.name, features] + states).joined(separator: ", ")
            )
        }
        return Content(
            title: "Layers",
            count: "\(workspace.layers.count)",
            rows: rows,
            emptyText: "This project has no layers"
        )
    }

    static func basemap(_ workspace: Workspace) -> Content {
        var rows: [Row] = []
        for basemap in [MapBasemap.standard, .satellite] {
            let isChosen = workspace.basemap == basemap
            let needsKey = basemap == .satellite && !workspace.hasSatelliteKey
            let control =
                needsKey
                ? WorkspaceControl("Enter key", .key, spoken: "Enter the key of the satellite provider")
                : WorkspaceControl(
                    "",
                    isChosen ? .done : .basemap,
                    spoken: "Use \(basemap.name)",
                    isEnabled: !isChosen && workspace.readOnlyReason == nil,
                    action: .chooseBasemap(basemap)
                )
            rows.append(
                Row(
                    basemap.name,
                    detail: needsKey ? "Needs a provider's key, which stays on this device" : nil,
                    glyphs: isChosen ? [.done] : [],
                    isChosen: isChosen,
                    controls: [control],
                    spoken: [basemap.name, isChosen ? "in use" : nil, needsKey ? "needs a provider's key" : nil]
                        .compactMap { $0 }.joined(separator: ", ")
                )
            )
        }
        if case .other = workspace.basemap {
            rows.append(
                Row(
                    workspace.basemap.name,
                    detail: "Chosen elsewhere and kept",
                    glyphs: [.done],
                    isChosen: true,
                    spoken: "\(workspace.basemap.name), in use, chosen elsewhere"
                )
            )
        }
        return Content(title: "Basemap", rows: rows)
    }

    static func bookmarks(_ workspace: Workspace) -> Content {
        let canEdit = workspace.readOnlyReason == nil
        let rows = workspace.bookmarks.map { bookmark in
            Row(
                bookmark.name,
                detail: "\(bookmark.camera.coordinateReadout) · \(bookmark.camera.zoomReadout)",
                controls: [
                    WorkspaceControl(
                        "",
                        .bookmark,
                        spoken: "Go to \(bookmark.name)",
                        action: .openBookmark(bookmark.id)
                    ),
                    WorkspaceControl("", .rename, spoken: "Rename bookmark \(bookmark.name)", isEnabled: canEdit),
                    WorkspaceControl(
                        "",
                        .delete,
                        spoken: "Delete bookmark \(bookmark.name)",
                        style: .danger,
                        isEnabled: canEdit,
                        action: .deleteBookmark(bookmark.id)
                    ),
                ],
                spoken: bookmark.name
            )
        }
        var content = Content(
            title: "Bookmarks",
            count: "\(rows.count)",
            rows: rows,
            emptyText: "No bookmarks yet"
        )
        content.controls.append(
            WorkspaceControl("Save this view", .bookmark, spoken: "Save this view as a bookmark", isEnabled: canEdit)
        )
        return content
    }

    static func inspector(_ workspace: Workspace) -> Content {
        guard let selection = workspace.selection else { return Content(title: "Inspector") }
        let model = WorkspaceSelectionModel(selection, workspace)
        var content = Content(title: model.title)
        content.rows = [Row(model.summary, detail: model.layer)]
        content.rows += model.tiles.map { Row($0.label, detail: $0.value, spoken: "\($0.label) \($0.spoken)") }
        content.rows += selection.attributes.map { Row($0.label, detail: $0.value ?? "–", spoken: spoken($0)) }
        if let reason = model.lockReason { content.rows.append(Row(reason, glyphs: [.lock])) }
        content.controls.append(
            WorkspaceControl(
                "Edit Attributes",
                .edit,
                spoken: model.lockReason.map { "Edit Attributes, not possible: \($0)" },
                style: .prominent,
                isEnabled: model.lockReason == nil,
                action: .open(.attributes)
            )
        )
        return content
    }

    private static func spoken(_ attribute: WorkspaceSelection.Attribute) -> String {
        "\(attribute.label), \(attribute.value.map { $0.isEmpty ? "empty text" : $0 } ?? "no value")"
    }

    static func attributes(_ workspace: Workspace) -> Content {
        guard let selection = workspace.selection else { return Content(title: "Attributes") }
        var content = Content(title: selection.title)
        content.rows = [Row(WorkspaceSelectionModel(selection, workspace).headline)]
        content.controls = [
            WorkspaceControl("Cancel", .close, action: .closeSheet),
            WorkspaceControl("Save", .done, style: .prominent),
        ]
        return content
    }

    static func note(_ workspace: Workspace) -> Content {
        let note = workspace.note
        var content = Content(title: note?.kind == .callout ? "Callout" : "Text note")
        content.rows = [Row(note?.text ?? "", spoken: note.map { $0.text.isEmpty ? "no text yet" : $0.text })]
        content.controls = [
            WorkspaceControl("Cancel", .close, spoken: "Cancel the note", action: .cancelNote),
            WorkspaceControl(
                "Add",
                .done,
                spoken: "Add the note",
                style: .prominent,
                isEnabled: note?.canBeConfirmed ?? false,
                action: .confirmNote
            ),
        ]
        return content
    }

    static func conflict(_ workspace: Workspace) -> Content {
        let count = workspace.changes == 1 ? "1 change" : "\(workspace.changes) changes"
        var content = Content(
            title: "The \(workspace.place) copy changed since you started editing.",
            count: nil,
            rows: workspace.pendingChanges.map { Row($0) }
        )
        // Three choices of equal weight: none of them is filled.
        content.controls = [
            WorkspaceControl(
                "Reload \(workspace.place) version",
                .reload,
                spoken: "Reload \(workspace.place) version, \(count) made here will be lost",
                action: .resolve(.reload)
            ),
            WorkspaceControl(
                "Save as conflict copy",
                .copy,
                spoken: "Save as conflict copy, both versions are kept",
                action: .resolve(.saveConflictCopy)
            ),
            WorkspaceControl(
                "Cancel",
                .close,
                spoken: "Cancel, decide later, nothing is lost",
                action: .resolve(.cancel)
            ),
        ]
        return content
    }
}
