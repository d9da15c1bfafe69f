extension EditSession {
    /// Returns the notes of all markup layers, in drawing order of the layers and the order of their keys.
    ///
    /// - Throws: `MapSessionError`: `damaged`, `storage`.
    public func notes() throws(MapSessionError) -> [MapNote] {
        var notes: [MapNote] = []
        for layer in project.layers where layer.role == .markup && working.tables[layer.table] != nil {
            try MapSessionError.taking {
                try package.readFeatures(in: layer.table, FeatureQuery()) { (feature) throws(MapPackageError) in
                    notes.append(MapNote(feature, layer: layer.id))
                    return true
                }
            }
        }
        return notes
    }

    /// Puts a note on the map, in the project's layer for notes, which is made when there is none.
    ///
    /// - Parameters:
    ///   - text: The words, not blank.
    ///   - anchor: Where the words are.
    ///   - target: What a callout points at; nil makes a note of words only.
    /// - Returns: What identifies the note.
    /// - Throws: `MapSessionError`: `invalid` for blank words, `locked` when the layer for notes is hidden or the project
    ///   cannot be changed, `full`, `storage`, `publishing`, `closed`; nothing was changed.
    public func addNote(
        _ text: String,
        at anchor: MapCoordinate,
        pointingAt target: MapCoordinate? = nil
    ) throws(MapSessionError) -> FeatureID {
        try checkEditable()
        let text = try Self.notBlank(text, "note")
        let (_, table) = try editableLayer(try markupLayer())
        let id = FeatureID(copies.makeID())
        let known: [String: FeatureValue] = [
            MapNote.kindColumn: .text(target == nil ? "text" : "callout"),
            MapNote.textColumn: .text(text),
            MapNote.authorColumn: .text(copies.device),
            MapNote.createdColumn: .text(Instant(secondsSince1970: copies.now()).text),
        ]
        let columns = Set(table.columns.filter { $0.role == .attribute }.map(\.name))
        try apply(FeatureKey(table: table.name, feature: id), FeatureOriginal(isAbsent: true)) {
            (edits) throws(MapPackageError) in
            try edits.insert(
                id,
                geometry: MapNote.geometry(anchor: anchor, target: target),
                values: known.filter { columns.contains($0.key) },
                into: table.name
            )
        }
        return id
    }

    /// Changes the words or the place of a note; what is nil stays.
    ///
    /// - Parameters:
    ///   - id: The note.
    ///   - text: The new words, not blank.
    ///   - anchor: Where the words are now.
    ///   - target: What a callout points at now.
    /// - Throws: `MapSessionError`: `noFeature`, `invalid` for blank words, `locked` with the reason, also for markup that
    ///   was made elsewhere, `full`, `storage`, `publishing`, `closed`; nothing was changed.
    public func updateNote(
        _ id: FeatureID,
        text: String? = nil,
        anchor: MapCoordinate? = nil,
        target: MapCoordinate? = nil
    ) throws(MapSessionError) {
        let (note, feature, table) = try editableNote(id)
        if case .other(let kind) = note.kind {
            throw MapSessionError(
                code: .locked,
                subject: id.text,
                message: "This markup (\(kind)) was made elsewhere and can be looked at here, not changed."
            )
        }
        var original = FeatureOriginal()
        var value: FeatureValue?
        if let text, !text.utf8.elementsEqual(note.text.utf8) {
            value = .text(try Self.notBlank(text, "note"))
            original.values[MapNote.textColumn] = feature.values[MapNote.textColumn] ?? .null
        }
        var geometry: MapGeometry?
        if let place = anchor ?? note.anchor, anchor != nil || target != nil {
            let shape = MapNote.geometry(anchor: place, target: note.kind == .callout ? target ?? note.target : nil)
            if shape != feature.geometry {
                geometry = shape
                original.geometry = .some(feature.geometry)
            }
        }
        guard value != nil || geometry != nil else { return }
        try apply(FeatureKey(table: table.name, feature: id), original) { (edits) throws(MapPackageError) in
            if let value { try edits.update([MapNote.textColumn: value], of: id, in: table.name) }
            if let geometry { try edits.update(geometry, of: id, in: table.name) }
        }
    }

    /// Deletes a note of one's own: made by this device or person, or since the base.
    ///
    /// - Parameter id: The note.
    /// - Throws: `MapSessionError`: `noFeature`, `locked` with the reason, also for somebody else's note, `full`,
    ///   `storage`, `publishing`, `closed`; nothing was changed.
    public func deleteNote(_ id: FeatureID) throws(MapSessionError) {
        let (note, feature, table) = try editableNote(id)
        let key = FeatureKey(table: table.name, feature: id)
        let isNew = working.record.effectiveOriginals[key]?.isAbsent == true
        guard isNew || note.author == copies.device else {
            throw MapSessionError(
                code: .locked,
                subject: id.text,
                message: "This note was made by \(note.author ?? "somebody else"); only its author can delete it."
            )
        }
        var values = feature.values
        for column in table.columns where column.role == .generated { values[column.name] = nil }
        try apply(key, FeatureOriginal(values: values, geometry: .some(feature.geometry))) {
            (edits) throws(MapPackageError) in
            try edits.delete(id, from: table.name)
        }
    }

    private func editableNote(
        _ id: FeatureID
    ) throws(MapSessionError) -> (note: MapNote, feature: MapFeature, table: FeatureTable) {
        try checkEditable()
        for layer in project.layers where layer.role == .markup && working.tables[layer.table] != nil {
            let found = try MapSessionError.taking { try package.feature(id, in: layer.table) }
            guard let found else { continue }
            let (_, table) = try editableLayer(layer.id)
            return (MapNote(found, layer: layer.id), found, table)
        }
        throw MapSessionError(
            code: .noFeature,
            subject: id.text,
            message: "There is no note \(id); it may have been deleted."
        )
    }

    /// Returns the layer for notes, making it when there is none: its table first, so that no layer is without one.
    private func markupLayer() throws(MapSessionError) -> String {
        let fitting = project.layers.first { layer in
            layer.role == .markup && !layer.isLocked && working.tables[layer.table].map(MapNote.fits) == true
        }
        if let fitting { return fitting.id }
        let drawn = Set(project.layers.map(\.table))
        var number = 1
        var name = "notes"
        // A table without a layer was left by a stop between the two steps below and is used.
        while drawn.contains(name) || working.tables[name].map({ !MapNote.fits($0) }) == true {
            number += 1
            name = "notes_\(number)"
        }
        try MapSessionError.taking {
            if working.tables[name] == nil {
                try package.transaction { (edits) throws(MapPackageError) in
                    try edits.createTable(name, columns: MapNote.columns, geometryKind: nil)
                }
                try working.readTables()
            }
        }
        var id = name
        while project.layer(id) != nil { id += "_" }
        let layer = MapLayer(id: id, table: name, name: "Notes", role: .markup)
        try changeProject { $0.addLayer(layer) }
        return id
    }
}
