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
