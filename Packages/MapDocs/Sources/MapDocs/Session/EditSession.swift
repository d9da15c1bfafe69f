import TransportCore

/// One document being looked at and edited: its package, its project, and what was changed since the base.
///
/// An edit is in the package, safe from a crash, when the call that makes it returns; what was there before is on the
/// disk before. One session has a working copy to itself until it is closed. Edits go on while a publish runs.
public actor EditSession {
    /// The document.
    public nonisolated let source: DocumentSource
    /// The package, to read features from; it is changed through the session only.
    public nonisolated let package: any MapPackage
    /// Why nothing can be changed, in words for people, or nil when things can.
    public nonisolated let readOnlyReason: String?

    private enum Phase {
        case open
        /// Being published: edits go on.
        case publishing
        /// Being replaced: no edits.
        case frozen
        case closed
    }

    private let copies: WorkingCopies
    private let place: WorkingCopyPlace
    private var working: WorkingState
    private var featureChanges: [FeatureKey: [PendingChange]]
    private var phase = Phase.open
    private var lock: (any FileLock)?
    /// Whether the file beside the package may end in the middle of a line, or says less than is known here.
    private var isRecordBehind = false
    private var watchers: [Int: AsyncStream<EditSessionState>.Continuation] = [:]
    private var lastWatcher = 0

    /// Takes over an open working copy; it is closed when its changes cannot be read.
    init(
        _ working: WorkingState,
        at place: WorkingCopyPlace,
        lock: any FileLock,
        _ copies: WorkingCopies
    ) throws {
        do {
            featureChanges = try working.featureChanges()
        } catch {
            working.package.close()
            throw error
        }
        source = working.record.base.source
        package = working.package
        readOnlyReason = working.project.readOnlyReason ?? working.package.readOnlyReason
        self.copies = copies
        self.place = place
        self.working = working
        self.lock = lock
    }

    static let closedError = MapSessionError(
        code: .closed,
        subject: "session",
        message: "The project was closed; open it again."
    )

    /// Closes the package and lets others edit the working copy; closing again does nothing.
    public func close() {
        detach()?.unlock()
    }

    /// Closes the session and hands over its lock; nil when it was closed before.
    func detach() -> (any FileLock)? {
        guard phase != .closed else { return nil }
        phase = .closed
        package.close()
        for watcher in watchers.values { watcher.finish() }
        watchers = [:]
        defer { lock = nil }
        return lock
    }

    deinit {
        package.close()
        lock?.unlock()
    }
}

// MARK: Looking

/// What is shown of an edit session.
public struct EditSessionState: Hashable, Sendable {
    /// The project as it is now.
    public let project: MapProject
    /// The revision that the changes are counted from.
    public let base: DocumentRevision
    /// How many changes are in no store, net of what was set back.
    public let changes: Int
    /// Whether a publish is running.
    public let isPublishing: Bool
}

extension EditSession {
    /// The project as it is now.
    public var project: MapProject { working.project }

    /// The revision that the changes are counted from.
    public var base: DocumentRevision { working.record.base.revision }

    /// How many changes are in no store, net of what was set back.
    public var changeCount: Int {
        working.projectChanges.count + featureChanges.values.reduce(0) { $0 + $1.count }
    }

    /// What is shown of the session.
    public var state: EditSessionState {
        EditSessionState(
            project: project,
            base: base,
            changes: changeCount,
            isPublishing: phase == .publishing
        )
    }

    /// Returns the states from now on: the present one at once, then one after each change, until the session is closed.
    ///
    /// Only the newest state waits for a slow reader.
    public func states() -> AsyncStream<EditSessionState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EditSessionState.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        continuation.yield(state)
        guard phase != .closed else {
            continuation.finish()
            return stream
        }
        lastWatcher += 1
        watchers[lastWatcher] = continuation
        return stream
    }

    private func announce() {
        let present = state
        for (number, watcher) in watchers {
            if case .terminated = watcher.yield(present) { watchers[number] = nil }
        }
    }

    /// The changes that are in no store, each with what it was and what it becomes: the project's, then those of
    /// features by layer and in the order in which they were made.
    public func pendingChanges() -> [PendingChange] {
        working.pendingChanges(featureChanges)
    }

    /// What dropping or reloading the working copy would lose.
    public func losses() -> LocalLosses {
        LocalLosses(name: source.name, changes: pendingChanges())
    }

    /// Returns a layer and the table of its features.
    ///
    /// - Parameter id: The layer's identifier.
    /// - Returns: The two as they are now.
    /// - Throws: `MapSessionError` with the code `noLayer`.
    public func layer(_ id: String) throws(MapSessionError) -> (layer: MapLayer, table: FeatureTable) {
        guard let layer = project.layer(id) else {
            throw MapSessionError(
                code: .noLayer,
                subject: id,
                message:
                    "The project has no layer “\(id)”; it has: \(project.layers.map(\.id).joined(separator: ", "))."
            )
        }
        guard let table = working.tables[layer.table] else {
            throw MapSessionError(
                code: .noLayer,
                subject: id,
                message: "The layer “\(layer.name)” has no table “\(layer.table)” in the project's database."
            )
        }
        return (layer, table)
    }

    /// Returns why the features of a layer cannot be changed, in words for people, or nil when they can.
    ///
    /// - Parameter id: The layer's identifier.
    /// - Returns: The reason.
    /// - Throws: `MapSessionError` with the code `noLayer`.
    public func editingRefusal(ofLayer id: String) throws(MapSessionError) -> String? {
        let (layer, table) = try layer(id)
        return layer.editingRefusal(in: table, readOnlyReason: readOnlyReason)
    }

    /// Returns the form for the attributes of a feature; it is disabled with the reason when nothing can be changed.
    ///
    /// - Parameters:
    ///   - feature: The feature.
    ///   - layer: The layer's identifier.
    ///   - format: How values are shown and typed.
    /// - Returns: The form with what the feature has now.
    /// - Throws: `MapSessionError`: `noLayer`, `noFeature`, `damaged`, `storage`.
    public func attributeForm(
        for feature: FeatureID,
        in layer: String,
        format: AttributeFormat
    ) throws(MapSessionError) -> AttributeForm {
        let (found, table) = try self.layer(layer)
        let refusal = try editingRefusal(ofLayer: layer)
        return AttributeForm(
            try present(feature, in: found),
            in: table,
            of: found,
            format: format,
            disabledReason: found.role == .markup ? "Notes are changed in the note editor." : refusal
        )
    }

    private func present(_ feature: FeatureID, in layer: MapLayer) throws(MapSessionError) -> MapFeature {
        let found = try MapSessionError.taking { try package.feature(feature, in: layer.table) }
        guard let found else {
            throw MapSessionError(
                code: .noFeature,
                subject: "\(layer.id)/\(feature)",
                message: "The layer “\(layer.name)” has no feature \(feature); it may have been deleted."
            )
        }
        return found
    }
}

// MARK: Changing the project

extension EditSession {
    /// Shows or hides a layer.
    ///
    /// - Parameters:
    ///   - isVisible: Whether it is shown.
    ///   - layer: The layer's identifier; locked layers can be shown and hidden too.
    /// - Throws: `MapSessionError`: `noLayer`, `locked`, `full`, `storage`, `publishing`, `closed`.
    public func setVisible(_ isVisible: Bool, layer: String) throws(MapSessionError) {
        _ = try self.layer(layer)
        try changeProject { $0.updateLayer(layer) { $0.isVisible = isVisible } }
    }

    /// Saves where a camera looks under a name.
    ///
    /// - Parameters:
    ///   - name: The name that people read, not blank.
    ///   - camera: The camera.
    /// - Returns: The bookmark's identifier.
    /// - Throws: `MapSessionError`: `invalid` for a blank name, `locked`, `full`, `storage`, `publishing`, `closed`.
    public func saveBookmark(named name: String, camera: MapCamera) throws(MapSessionError) -> String {
        let bookmark = MapBookmark(id: copies.makeID(), name: try Self.notBlank(name, "bookmark"), camera: camera)
        try changeProject { $0.addBookmark(bookmark) }
        return bookmark.id
    }

    /// Gives a bookmark another name.
    ///
    /// - Parameters:
    ///   - id: The bookmark's identifier.
    ///   - name: The name that people read, not blank.
    /// - Throws: `MapSessionError`: `noBookmark`, `invalid` for a blank name, `locked`, `full`, `storage`, `publishing`,
    ///   `closed`.
    public func renameBookmark(_ id: String, to name: String) throws(MapSessionError) {
        try checkBookmark(id)
        let name = try Self.notBlank(name, "bookmark")
        try changeProject { $0.updateBookmark(id) { $0.name = name } }
    }

    /// Deletes a bookmark.
    ///
    /// - Parameter id: The bookmark's identifier.
    /// - Throws: `MapSessionError`: `noBookmark`, `locked`, `full`, `storage`, `publishing`, `closed`.
    public func deleteBookmark(_ id: String) throws(MapSessionError) {
        try checkBookmark(id)
        try changeProject { $0.removeBookmark(id) }
    }

    private func checkBookmark(_ id: String) throws(MapSessionError) {
        guard project.bookmark(id) == nil else { return }
        throw MapSessionError(
            code: .noBookmark,
            subject: id,
            message: "The project has no bookmark “\(id)”; look at its bookmarks."
        )
    }

    /// Chooses the map below the layers.
    ///
    /// - Parameter basemap: One of those that are offered.
    /// - Throws: `MapSessionError`: `locked`, `full`, `storage`, `publishing`, `closed`.
    public func setBasemap(_ basemap: MapBasemap) throws(MapSessionError) {
        try changeProject { $0.basemap = basemap }
    }

    /// Keeps where the map looks; it goes along with the next publish and is no change of its own.
    ///
    /// A project that cannot be changed forgets it.
    ///
    /// - Parameter camera: The camera, once it has come to rest.
    /// - Throws: `MapSessionError`: `full`, `storage`, `closed`.
    public func setCamera(_ camera: MapCamera) throws(MapSessionError) {
        guard readOnlyReason == nil, phase != .frozen else { return }
        try changeProject { $0.camera = camera }
    }

    private func changeProject(_ change: (inout MapProject) -> Void) throws(MapSessionError) {
        try checkEditable()
        var project = working.project
        change(&project)
        guard project != working.project else { return }
        try write(project)
    }

    private func write(_ project: MapProject) throws(MapSessionError) {
        try MapSessionError.taking {
            try copies.files.replace(
                "\(place.package(working.record))/\(PublishedFile.projectPath)",
                with: project.bytes,
                by: place.temporary,
                isPrivate: false
            )
        }
        working.project = project
        announce()
    }

    private func checkEditable() throws(MapSessionError) {
        switch phase {
        case .open, .publishing: break
        case .closed: throw Self.closedError
        case .frozen:
            throw MapSessionError(
                code: .publishing,
                subject: source.name.fileName,
                message: "“\(source.name.title)” is being replaced; wait until that is done."
            )
        }
        if let readOnlyReason {
            throw MapSessionError(code: .locked, subject: source.name.fileName, message: readOnlyReason)
        }
    }

    private static func notBlank(_ text: String, _ what: String) throws(MapSessionError) -> String {
        guard !text.allSatisfy(\.isWhitespace) else {
            throw MapSessionError(code: .invalid, subject: what, message: "A \(what) needs words; type some.")
        }
        return text
    }
}

// MARK: Changing features

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

    private func editableLayer(_ id: String) throws(MapSessionError) -> (layer: MapLayer, table: FeatureTable) {
        try checkEditable()
        let found = try layer(id)
        if let reason = try editingRefusal(ofLayer: id) {
            throw MapSessionError(code: .locked, subject: id, message: reason)
        }
        return found
    }

    /// Changes one feature once what it was is safe.
    private func apply(
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
    private func append(_ line: JSONValue) throws(MapSessionError) {
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

// MARK: Notes

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

// MARK: Publishing and replacing

extension EditSession {
    /// What a publish and a comparison need to know about a session at one moment.
    struct Basis: Sendable {
        let working: WorkingState
        let changes: [PendingChange]
        let place: WorkingCopyPlace
    }

    func basis() -> Basis {
        Basis(working: working, changes: pendingChanges(), place: place)
    }

    private func checkIdle() throws(MapSessionError) {
        guard phase != .closed else { throw Self.closedError }
        guard phase == .open else {
            throw MapSessionError(
                code: .publishing,
                subject: source.name.fileName,
                message: "“\(source.name.title)” is being published or replaced; wait until that is done."
            )
        }
    }

    /// Begins a publish; edits go on.
    func beginPublish() throws(MapSessionError) {
        try checkIdle()
        if let readOnlyReason {
            throw MapSessionError(code: .locked, subject: source.name.fileName, message: readOnlyReason)
        }
        phase = .publishing
        announce()
    }

    /// Whether an earlier publish was stopped in its middle and the store has to say how it ended.
    var hasUnsettledPublish: Bool { working.record.stage != nil }

    /// Takes over how an earlier publish ended, by what the store has now; nil is nothing.
    func settle(storeHas current: DocumentRevision?) throws(MapSessionError) {
        working.record.settle(storeHas: current)
        isRecordBehind = true
        try MapSessionError.taking {
            try copies.write(working.record, to: place)
            isRecordBehind = false
            featureChanges = try working.featureChanges()
        }
        announce()
    }

    /// Puts the confirmed state into a folder; what is changed from here on is recorded against that state.
    func stage(in folder: String) throws(MapSessionError) -> Basis {
        let project = working.project
        try append(SessionRecord.stagedLine(project))
        working.record.stage = SessionRecord.Stage(project: project)
        let basis = basis()
        // In the same turn of the actor, so that no edit comes between the line and the copy.
        try MapSessionError.taking {
            try package.copyDatabase(to: "\(folder)/\(copies.format.databaseName)")
        }
        return basis
    }

    /// Notes what the store has if the publish succeeds, before it is asked to.
    func willPublish(_ publishing: SessionRecord.Publishing) throws(MapSessionError) {
        try append(SessionRecord.publishingLine(publishing))
        working.record.stage?.publishing = publishing
    }

    /// Ends a publish that succeeded: what was published is the base.
    func didPublish(contentDigest: String?) {
        working.record = working.record.rebased(contentDigest: contentDigest)
        working.project.setRevision(working.record.base.revision)
        // Whether this gets written decides nothing: the next publish writes its own.
        try? write(working.project)
        endPublish { try copies.write(working.record, to: place) }
    }

    /// Ends a publish that failed: everything is as it was, with what was changed meanwhile.
    func didNotPublish() {
        guard working.record.stage != nil else { return endPublish {} }
        working.record.fold()
        endPublish { try append(SessionRecord.foldedLine) }
    }

    /// Ends a publish of which nobody knows whether it succeeded: the store is asked before the next one.
    func didLosePublish() {
        endPublish {}
    }

    private func endPublish(_ remember: () throws -> Void) {
        do {
            try remember()
        } catch {
            // The file still says enough: whoever opens it asks the store how the publish ended.
            isRecordBehind = true
        }
        // What cannot be read now keeps the count it had.
        featureChanges = (try? working.featureChanges()) ?? featureChanges
        if phase == .publishing { phase = .open }
        announce()
    }

    /// Lets no edit happen until `unfreeze`, if the changes are those that are expected; nil expects any.
    func freeze(expecting changes: [PendingChange]?) throws(MapSessionError) {
        try checkIdle()
        let present = pendingChanges()
        guard changes == nil || present == changes else {
            throw WorkingCopies.lossesChanged(source.name, present)
        }
        phase = .frozen
    }

    /// Goes on after the working copy was not replaced.
    func unfreeze() {
        guard phase == .frozen else { return }
        phase = .open
        rewriteRecord()
    }

    /// Writes the whole record again, over one that an attempt to replace the working copy may have left.
    func rewriteRecord() {
        do {
            try copies.write(working.record, to: place)
            isRecordBehind = false
        } catch {
            isRecordBehind = true
        }
    }
}
