internal import MapDocs
internal import TaskFeed
internal import TransportCore

extension Command {
    /// `hope map show`: what a project has.
    static func mapShow() -> Command {
        Command(
            "show",
            summary: "say what a project has: layers, notes, bookmarks, camera, basemap",
            arguments: [MapDesk.document],
            options: MapDesk.places + [.json],
            examples: [CommandExample("hope map show World.gispad", "a package by its path")],
            action: { invocation, world in
                try await MapDesk(invocation, world).view(invocation.argument(0) ?? "") { view in
                    let project = view.project
                    let rows = try layerRows(view)
                    if invocation.has(.json) {
                        let object: JSONValue = [
                            "name": .string(view.name), "revision": .integer(project.revisionNumber),
                            "layers": .array(rows.map(\.json)),
                            "bookmarks": .array(project.bookmarks.map(bookmarkJSON)),
                            "camera": project.camera?.json ?? .null, "basemap": .string(project.basemap.name),
                            "read_only": .string(project.readOnlyReason),
                        ]
                        return try world.output.line(object.text)
                    }
                    try world.output.line("\(terminalLine(view.name)), revision \(project.revisionNumber)")
                    if let reason = project.readOnlyReason { try world.output.line(terminalLine(reason)) }
                    for row in rows { try world.output.line("layer     \(terminalLine(row.words))") }
                    for bookmark in project.bookmarks {
                        try world.output.line("bookmark  \(terminalLine(bookmark.name)): \(bookmark.camera.words)")
                    }
                    if let camera = project.camera { try world.output.line("camera    \(camera.words)") }
                    try world.output.line("basemap   \(terminalLine(project.basemap.name))")
                }
            }
        )
    }

    /// `hope map layers`: the layers with their counts.
    static func mapLayers() -> Command {
        Command(
            "layers",
            summary: "list the layers, the lowest first",
            arguments: [MapDesk.document],
            options: MapDesk.places + [.json],
            examples: [CommandExample("hope map layers World.gispad --json", "as one JSON object")],
            action: { invocation, world in
                try await MapDesk(invocation, world).view(invocation.argument(0) ?? "") { view in
                    let rows = try layerRows(view)
                    if invocation.has(.json) {
                        return try world.output.line(JSONValue.object(["layers": .array(rows.map(\.json))]).text)
                    }
                    for row in rows { try world.output.line(terminalLine(row.words)) }
                }
            }
        )
    }

    /// A layer as it is listed.
    private struct LayerRow {
        var layer: MapLayer
        var table: FeatureTable?
        var features: Int?

        var json: JSONValue {
            [
                "id": .string(layer.id), "name": .string(layer.name), "role": .string(layer.role.rawValue),
                "geometry": .string((layer.geometryKind ?? table?.geometryKind)?.rawValue),
                "visible": .bool(layer.isVisible), "locked": .bool(lockReason != nil),
                "features": .integer(features), "reason": .string(lockReason),
            ]
        }

        var lockReason: String? {
            if table == nil { return "the project's database has no table “\(layer.table)”" }
            return table?.lockReason ?? (layer.isLocked ? "locked" : nil)
        }

        var words: String {
            let count = features.map { $0 == 1 ? "1 feature" : "\($0) features" } ?? "no table"
            let kind = (layer.geometryKind ?? table?.geometryKind)?.name ?? "any shape"
            let states = (layer.isVisible ? [] : ["hidden"]) + (lockReason.map { [$0] } ?? [])
            let role = layer.role == .markup ? "notes, " : ""
            let id = layer.id == layer.name ? "" : " [\(layer.id)]"
            return "\(layer.name)\(id): \(role)\(kind.lowercased()), \(count)"
                + (states.isEmpty ? "" : ", \(states.joined(separator: ", "))")
        }
    }

    private static func layerRows(_ view: MapDesk.View) throws -> [LayerRow] {
        let tables = try view.package.tables()
        return try view.project.layers.map { layer in
            let table = tables.first { $0.name == layer.table }
            let features = try table.map { try view.package.featureCount(in: $0.name) }
            return LayerRow(layer: layer, table: table, features: features)
        }
    }

    /// `hope map hide`: a layer out of sight.
    static func mapHide() -> Command { visibility("hide", "hide a layer", isVisible: false) }

    /// `hope map show-layer`: a layer in sight.
    static func mapShowLayer() -> Command { visibility("show-layer", "show a layer", isVisible: true) }

    private static func visibility(_ name: String, _ summary: String, isVisible: Bool) -> Command {
        Command(
            name,
            summary: summary,
            arguments: [MapDesk.document, CommandArgument("LAYER", summary: "its identifier or name")],
            options: MapDesk.places + [.json],
            examples: [CommandExample("hope map \(name) World countries", summary)],
            action: { invocation, world in
                try await MapDesk(invocation, world).edit(invocation.argument(0) ?? "") { session, named in
                    let view = await MapDesk.View(session, named)
                    let layer = try view.layer(invocation.argument(1) ?? "").layer
                    try await session.setVisible(isVisible, layer: layer.id)
                    try await sayChanges(session, invocation, world)
                }
            }
        )
    }

    /// `hope map inspect`: one feature.
    static func mapInspect() -> Command {
        Command(
            "inspect",
            summary: "look at one feature: title, measurements, attributes, and whether it can be edited",
            arguments: [
                MapDesk.document, CommandArgument("LAYER", summary: "its identifier or name"),
                CommandArgument("FEATURE", summary: "its identifier or primary key"),
            ],
            options: MapDesk.places + [MapValues.units, .json],
            examples: [CommandExample("hope map inspect World.gispad countries 12", "the feature with the key 12")],
            action: { invocation, world in
                try await MapDesk(invocation, world).view(invocation.argument(0) ?? "") { view in
                    let (layer, table) = try view.layer(invocation.argument(1) ?? "")
                    let feature = try view.feature(invocation.argument(2) ?? "", in: layer)
                    let reason = view.editingRefusal(layer, table)
                    let form = AttributeForm(
                        feature,
                        in: table,
                        of: layer,
                        format: AttributeFormat(locale: world.maps.locale, timeZone: world.maps.timeZone),
                        disabledReason: reason
                    )
                    let measured = feature.geometry.map { GeometryMeasurements($0) }
                    if invocation.has(.json) {
                        let object: JSONValue = [
                            "layer": .string(layer.id), "feature": .string(feature.id.text),
                            "title": .string(form.title), "geometry": .string(feature.geometry?.kind.rawValue),
                            "vertices": .integer(feature.geometry?.vertexCount),
                            "measurements": [
                                "area_m2": .number(measured?.area), "perimeter_m": .number(measured?.perimeter),
                                "length_m": .number(measured?.length),
                            ],
                            "attributes": .array(form.fields.map { attributeJSON($0, reason) }),
                            "editable": .bool(reason == nil), "reason": .string(reason),
                        ]
                        return try world.output.line(object.text)
                    }
                    let format = MapValues.format(invocation, world)
                    try world.output.line(terminalLine(form.title))
                    let shape = feature.geometry?.summary ?? feature.geometryProblem ?? "No geometry"
                    try world.output.line(terminalLine("\(shape) · \(layer.name)"))
                    if let area = measured?.area { try world.output.line("Area: \(format.area(area))") }
                    if let around = measured?.perimeter { try world.output.line("Perimeter: \(format.length(around))") }
                    if let length = measured?.length { try world.output.line("Length: \(format.length(length))") }
                    for field in form.fields {
                        let value = field.isNull ? "–" : field.text
                        let notes = [field.readOnlyReason, field.warning].compactMap { $0 }
                        let note = notes.isEmpty ? "" : "  (\(notes.joined(separator: " ")))"
                        try world.output.line(terminalLine("\(field.column.label): \(value)\(note)"))
                    }
                    if let reason { try world.output.line(terminalLine("Not editable: \(reason)")) }
                }
            }
        )
    }

    private static func attributeJSON(_ field: AttributeField, _ reason: String?) -> JSONValue {
        [
            "column": .string(field.column.name), "label": .string(field.column.label),
            "type": .string(field.kind.word(field.column)), "value": field.value.json(in: field.column),
            "editable": .bool(reason == nil && field.readOnlyReason == nil),
        ]
    }
}

extension AttributeField.Kind {
    /// The kind as it stands in JSON; of a field that is read only, the type of its column.
    fileprivate func word(_ column: FeatureColumn) -> String {
        switch self {
        case .text: "text"
        case .integer: "integer"
        case .real: "real"
        case .boolean: "boolean"
        case .date: "date"
        case .dateTime: "date_time"
        case .choice: "choice"
        case .readOnly:
            switch column.type {
            case .boolean: "boolean"
            case .integer: "integer"
            case .float, .double: "real"
            case .text: "text"
            case .blob: "blob"
            case .date: "date"
            case .dateTime: "date_time"
            case .geometry: "geometry"
            case .other(let name): name
            }
        }
    }
}

extension MapDesk.View {
    init(_ session: EditSession, _ named: MapDesk.Named) async {
        let project = await session.project
        self.init(
            project: project,
            package: session.package,
            name: project.name ?? named.source.name.title,
            session: session
        )
    }

    /// Why a layer's features cannot be edited, or nil.
    func editingRefusal(_ layer: MapLayer, _ table: FeatureTable) -> String? {
        if layer.role == .markup { return "Notes are changed with hope map note." }
        return layer.editingRefusal(in: table, readOnlyReason: project.readOnlyReason)
    }
}

/// Text from a project as it may stand on one line of a terminal.
func terminalLine(_ text: String) -> String { TerminalText.singleLine(text) }
