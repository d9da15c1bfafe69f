internal import MapDocs
internal import TransportCore

extension Command {
    /// `hope map workspace`: what the phone's screen would show.
    static func mapWorkspace() -> Command {
        let select = CommandOption("select", value: "LAYER/FEATURE", summary: "with this feature selected")
        let sheet = CommandOption(
            "sheet",
            value: "NAME",
            summary: "with a sheet: layers, basemap, bookmarks or inspector",
            choices: ["layers", "basemap", "bookmarks", "inspector"]
        )
        let points = CommandOption("measure", value: "LIST", summary: "while measuring places LAT,LON")
        let area = CommandOption("area", summary: "the measured places closed to an area")
        let textScale = CommandOption("text-scale", value: "FACTOR", summary: "the size of text, 0.5 to 4 (default: 1)")
        return Command(
            "workspace",
            summary: "say what the phone's screen shows: the screen model, with everything that is spoken",
            arguments: [MapDesk.document],
            options: MapDesk.places + MapValues.cameraOptions + [
                select, sheet, points, textScale, MapValues.units, .json,
            ],
            examples: [CommandExample("hope map workspace World.gispad --json", "the screen model as one JSON object")],
            action: { invocation, world in
                let desk = try MapDesk(invocation, world)
                let named = try desk.document(invocation.argument(0) ?? "")
                let status = try? await desk.copies.status(of: named.source, in: named.store)
                let measured = try (invocation[points] ?? "").split(whereSeparator: \.isWhitespace).map {
                    try MapValues.place(String($0), "--measure", invocation)
                }
                let scale = try invocation.number(textScale, in: 0.5...4) ?? 1
                try await desk.view(invocation.argument(0) ?? "") { view in
                    let projection = try MapValues.projection(invocation, over: view.project.openingCamera)
                    var workspace = try await Workspace(
                        view,
                        projection,
                        textScale: scale,
                        MapValues.format(invocation, world)
                    )
                    workspace.hasSatelliteKey = (try? world.maps.secrets.secret(named: "satellite")) != nil
                    if let state = status?.state {
                        workspace.isInConflict = state == .conflict
                        workspace.isOffline = state == .offlineCopy
                    }
                    if let word = invocation[select] {
                        let (layer, table, feature) = try view.selected(word, invocation)
                        let selection = WorkspaceSelection(feature, in: table, of: layer, world)
                        _ = workspace.apply(.tap(projection.camera.center, hit: selection))
                    }
                    if let kind = invocation[sheet].flatMap(WorkspaceSheet.Kind.init(rawValue:)) {
                        _ = workspace.apply(.open(kind))
                    }
                    if !measured.isEmpty {
                        _ = workspace.apply(.beginMeasuring)
                        for place in measured { _ = workspace.apply(.tap(place, hit: nil)) }
                        if invocation.has(area) { _ = workspace.apply(.chooseShape(.area)) }
                    }
                    let screen = WorkspaceScreen(workspace)
                    if invocation.has(.json) { return try world.output.line(screen.json.text) }
                    for line in screen.spoken { try world.output.line(terminalLine(line)) }
                }
            }
        )
    }
}

extension Workspace {
    init(
        _ view: MapDesk.View,
        _ projection: MapProjection,
        textScale: Double,
        _ format: MeasurementFormat
    ) async throws {
        let tables = try view.package.tables()
        let layers = try view.project.layers.map { layer in
            let table = tables.first { $0.name == layer.table }
            return WorkspaceLayer(
                id: layer.id,
                name: layer.name,
                role: layer.role,
                style: MapLayerStyle(layer.style, kind: layer.geometryKind),
                featureCount: try table.map { try view.package.featureCount(in: $0.name) } ?? 0,
                isVisible: layer.isVisible,
                lockReason: layer.lockReason(in: table)
            )
        }
        self.init(
            name: view.name,
            layers: layers,
            camera: projection.camera,
            viewport: WorkspaceViewport(width: projection.width, height: projection.height, textScale: textScale),
            format: format
        )
        basemap = view.project.basemap
        bookmarks = view.project.bookmarks
        readOnlyReason = view.project.readOnlyReason
        if let session = view.session {
            let pending = await session.pendingChanges()
            changes = pending.count
            pendingChanges = pending.map(\.words)
        }
    }
}

extension WorkspaceSelection {
    init(_ feature: MapFeature, in table: FeatureTable, of layer: MapLayer, _ world: HopeWorld) {
        let form = AttributeForm(
            feature,
            in: table,
            of: layer,
            format: AttributeFormat(locale: world.maps.locale, timeZone: world.maps.timeZone)
        )
        self.init(
            layer: layer.id,
            feature: feature.id,
            title: form.title,
            geometry: feature.geometry,
            attributes: form.fields.map {
                Attribute(label: $0.column.label, value: $0.isNull ? nil : $0.text)
            }
        )
    }
}
