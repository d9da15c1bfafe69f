import TransportCore

extension EditSession {
    /// Writes attribute values of one feature; values that are there already change nothing.
    ///
    /// - Parameter change: The feature and its new values.
    /// - Throws: `MapSessionError`: `noLayer`, `noFeature`, `locked` with the reason for a hidden or locked layer,
    ///   `invalid` with the column, `full`, `storage`, `publishing`, `closed`; nothing was changed.
    public func updateProperties(_ change: UpdateProperties) throws(MapSessionError) {
        let (layer, table) = try editableLayer(change.layer)
        guard layer.role == .authoritative else {
            throw MapSessionError(code: .locked, subject: layer.id, message: "Notes are changed in the note editor.")
        }
        let feature = try present(change.feature, in: layer)
        var values: [String: FeatureValue] = [:]
        for name in change.values.keys.sorted() {
            guard let value = change.values[name] else { continue }
            guard let column = table.columns.first(where: { $0.name == name }) else {
                throw MapSessionError(
                    code: .invalid,
                    subject: name,
                    message: "The layer “\(layer.name)” has no column “\(name)”; choose another."
                )
            }
            guard !value.isStored(like: feature.values[name] ?? .null) else { continue }
            if let problem = column.problem(with: value) {
                throw MapSessionError(code: .invalid, subject: name, message: problem)
            }
            values[name] = value
        }
        guard !values.isEmpty else { return }
        let before = Dictionary(values.keys.map { ($0, feature.values[$0] ?? .null) }) { first, _ in first }
        try apply(FeatureKey(table: table.name, feature: feature.id), FeatureOriginal(values: before)) {
            (edits) throws(MapPackageError) in
            try edits.update(values, of: feature.id, in: table.name)
        }
    }

    func editableLayer(_ id: String) throws(MapSessionError) -> (layer: MapLayer, table: FeatureTable) {
        try checkEditable()
        let found = try layer(id)
        if let reason = try editingRefusal(ofLayer: id) {
            throw MapSessionError(code: .locked, subject: id, message: reason)
        }
        return found
    }

    /// Changes one feature once what it was is safe.
    func apply(
        _ key: FeatureKey,
        _ original: FeatureOriginal,
        _ edit: (any MapPackageEdits) throws(MapPackageError) -> Void
    ) throws(MapSessionError) {
        if let missing = working.record.missing(of: original, for: key) {
            try append(missing.line(for: key))
            working.record.record(missing, of: key)
        }
        try MapSessionError.taking {
            try package.transaction(edit)
            featureChanges[key] = try working.changes(of: key, working.record.effectiveOriginals)
        }
        announce()
    }

    /// Writes a line behind the others, safe when this returns.
    func append(_ line: JSONValue) throws(MapSessionError) {
        try MapSessionError.taking {
            if isRecordBehind {
                try copies.write(working.record, to: place)
                isRecordBehind = false
            }
            do {
                let file = try copies.files.openForAppending(place.record)
                do {
                    try file.write(line.bytes + [0x0A])
                    try file.synchronize()
                } catch {
                    try? file.close()
                    throw error
                }
                try file.close()
            } catch {
                isRecordBehind = true
                throw error
            }
        }
    }
}
