/// What tells two states of one feature apart.
enum FeatureDifference {
    /// Returns the changes from one state to another; nil is a feature that is not there.
    static func changes(
        from base: MapFeature?,
        to other: MapFeature?,
        in table: FeatureTable,
        of layer: MapLayer
    ) -> [PendingChange] {
        let isNote = layer.role == .markup
        guard let shown = other ?? base else { return [] }
        let item = "feature/\(table.name)/\(shown.id)"
        // People know it by what it was called before it was changed.
        let known = base ?? shown
        let subject = isNote ? noteTitle(known) : known.title(in: table, of: layer)
        guard let base else {
            return [
                PendingChange(
                    isNote ? .noteAdded : .featureAdded,
                    layer: layer,
                    feature: shown.id,
                    subject: subject,
                    item: item,
                    to: .text(subject)
                )
            ]
        }
        guard let other else {
            return [
                PendingChange(
                    isNote ? .noteDeleted : .featureDeleted,
                    layer: layer,
                    feature: shown.id,
                    subject: subject,
                    item: item,
                    from: .text(subject)
                )
            ]
        }
        var changes: [PendingChange] = []
        for column in table.columns where column.role == .attribute {
            let before = base.values[column.name] ?? .null
            let after = other.values[column.name] ?? .null
            guard !before.isStored(like: after) else { continue }
            changes.append(
                PendingChange(
                    isNote ? .noteChanged : .attribute,
                    layer: layer,
                    feature: shown.id,
                    subject: subject,
                    column: column,
                    item: "\(item)/value/\(column.name)",
                    from: before,
                    to: after
                )
            )
        }
        if base.geometry != other.geometry {
            changes.append(
                PendingChange(
                    isNote ? .noteMoved : .shape,
                    layer: layer,
                    feature: shown.id,
                    subject: subject,
                    item: "\(item)/shape",
                    from: base.geometry.map { .text(words($0)) },
                    to: other.geometry.map { .text(words($0)) }
                )
            )
        }
        return changes
    }

    private static func noteTitle(_ feature: MapFeature) -> String {
        guard case .text(let text) = feature.values[MapNote.textColumn] else { return "without words" }
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return line.count > 40 ? "\(line.prefix(39))…" : line
    }

    private static func words(_ geometry: MapGeometry) -> String {
        var count = 0
        var first: MapPosition?
        geometry.forEachPosition { position in
            count += 1
            first = first ?? position
        }
        guard let first, let place = try? MapCoordinate(latitude: first.latitude, longitude: first.longitude),
            let camera = try? MapCamera(center: place, zoom: 0)
        else { return "\(geometry.kind.name), empty" }
        return
            "\(geometry.kind.name) with \(count == 1 ? "1 vertex" : "\(count) vertices") at \(camera.coordinateReadout)"
    }
}
