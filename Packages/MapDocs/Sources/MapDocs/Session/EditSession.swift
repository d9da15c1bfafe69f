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

    enum Phase {
        case open
        /// Being published: edits go on.
        case publishing
        /// Being replaced: no edits.
        case frozen
        case closed
    }

    let copies: WorkingCopies
    let place: WorkingCopyPlace
    var working: WorkingState
    var featureChanges: [FeatureKey: [PendingChange]]
    var phase = Phase.open
    private var lock: (any FileLock)?
    /// Whether the file beside the package may end in the middle of a line, or says less than is known here.
    var isRecordBehind = false
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

    func announce() {
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

    func present(_ feature: FeatureID, in layer: MapLayer) throws(MapSessionError) -> MapFeature {
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
