extension Workspace {
    /// Does what the person asks for, as far as it is possible now.
    ///
    /// One sheet is shown at a time. While the points of a measurement or the places of a note are tapped nothing is
    /// selected. A modal sheet lets nothing else happen before it is answered.
    ///
    /// - Parameter action: What the person does.
    /// - Returns: What the owner has to do with the document, in order; none when nothing is asked of it.
    public mutating func apply(_ action: WorkspaceAction) -> [WorkspaceEffect] {
        if let sheet, sheet.isModal, !Self.answers(action, sheet.kind) { return [] }
        switch action {
        case .open, .setDetent, .closeSheet: return applyToSheet(action)
        case .tap(let place, let hit): return tap(place, hit)
        case .toggleLayer(let id):
            guard let index = layers.firstIndex(where: { $0.id == id }), readOnlyReason == nil else { return [] }
            layers[index].isVisible.toggle()
            return [.setLayerVisible(id, layers[index].isVisible)]
        case .chooseBasemap, .enterSatelliteKey: return applyToBasemap(action)
        case .openBookmark, .saveBookmark, .renameBookmark, .deleteBookmark: return applyToBookmarks(action)
        case .beginMeasuring, .undoPoint, .chooseShape, .endMeasuring: return applyToMeasurement(action)
        case .beginNote, .typeNote, .confirmNote, .cancelNote: return applyToNote(action)
        case .saveAttributes(let values):
            guard let selection, selectionLockReason == nil, sheet?.kind == .attributes else { return [] }
            show(.inspector)
            guard !values.isEmpty else { return [] }
            return [.updateAttributes(layer: selection.layer, selection.feature, values)]
        case .save:
            guard changes > 0, publishing == nil, readOnlyReason == nil else { return [] }
            guard !isInConflict else { return applyToSheet(.open(.conflict)) }
            publishing = 0
            return [.publish]
        case .resolve(let choice):
            guard sheet?.kind == .conflict else { return [] }
            sheet = nil
            return choice == .cancel ? [] : [.resolve(choice)]
        case .resetBearing: return move(to: try? camera.rotated(by: -camera.bearing))
        case .resetPitch: return move(to: try? camera.tilted(by: -camera.pitch))
        case .resetView: return move(to: camera.flatNorthUp)
        case .move(let camera): return move(to: camera)
        case .dismissToast(let text):
            toasts.removeAll { $0 == text }
            return []
        case .leave: return [.leave]
        }
    }

    /// Takes in that publishing has ended.
    ///
    /// - Parameter outcome: How it ended; a conflict opens its sheet.
    public mutating func finishPublishing(_ outcome: PublishOutcome) {
        publishing = nil
        switch outcome {
        case .published:
            isInConflict = false
            toast("Saved to \(place)")
        case .conflict:
            isInConflict = true
            show(.conflict)
        }
    }

    /// Takes in that publishing has failed.
    ///
    /// - Parameter message: A sentence for people.
    public mutating func failPublishing(_ message: String) {
        publishing = nil
        toast(message)
    }

    /// Takes in that an edit is confirmed in the working copy.
    public mutating func confirmEdit() {
        toast("Updated · save to \(place) when ready")
    }

    private static func answers(_ action: WorkspaceAction, _ kind: WorkspaceSheet.Kind) -> Bool {
        switch action {
        case .closeSheet, .dismissToast: true
        case .saveAttributes: kind == .attributes
        case .resolve: kind == .conflict
        default: false
        }
    }

    private mutating func toast(_ text: String) {
        toasts.removeAll { $0 == text }
        toasts.append(text)
    }

    /// Shows a sheet in the place of another; leaving the inspector for anything but its form clears the selection.
    private mutating func show(_ kind: WorkspaceSheet.Kind) {
        let isAboutSelection = kind == .inspector || kind == .attributes || kind == .conflict
        if !isAboutSelection { closeInspector() }
        if kind != .note { note = nil }
        sheet = WorkspaceSheet(kind)
    }

    private mutating func closeInspector() {
        if sheet?.kind == .inspector || sheet?.kind == .attributes { selection = nil }
    }

    private mutating func applyToSheet(_ action: WorkspaceAction) -> [WorkspaceEffect] {
        switch action {
        case .open(let kind):
            switch kind {
            case .inspector: guard selection != nil else { return [] }
            case .attributes: guard selection != nil, selectionLockReason == nil else { return [] }
            case .conflict: guard isInConflict, changes > 0 else { return [] }
            // A note's sheet comes by itself once its places are tapped.
            case .note: return []
            case .layers, .basemap, .bookmarks: break
            }
            measuring = nil
            show(kind)
        case .setDetent(let detent):
            if let sheet, sheet.detents.contains(detent) { self.sheet?.detent = detent }
        case .closeSheet:
            switch sheet?.kind {
            // Cancelling the form goes back to what it was opened from.
            case .attributes: show(.inspector)
            case .note:
                note = nil
                sheet = nil
            default:
                closeInspector()
                sheet = nil
            }
        default: break
        }
        return []
    }

    private mutating func tap(_ place: MapCoordinate, _ hit: WorkspaceSelection?) -> [WorkspaceEffect] {
        if measuring != nil {
            measuring?.add(place)
            return []
        }
        if let note {
            switch note.step {
            case .anchor: self.note?.anchor = place
            case .target: self.note?.target = place
            case .typing: return []
            }
            if self.note?.step == .typing { sheet = WorkspaceSheet(.note) }
            return []
        }
        // A large sheet leaves no map to tap.
        if let sheet, !sheet.mapIsUsable { return [] }
        if let hit {
            selection = hit
            if sheet?.kind != .inspector { show(.inspector) }
        } else {
            closeInspector()
            selection = nil
            if sheet?.kind == .inspector { sheet = nil }
        }
        return []
    }

    private mutating func applyToBasemap(_ action: WorkspaceAction) -> [WorkspaceEffect] {
        switch action {
        case .chooseBasemap(let basemap):
            guard readOnlyReason == nil, basemap != self.basemap, basemap == .standard || basemap == .satellite,
                basemap == .standard || hasSatelliteKey
            else { return [] }
            self.basemap = basemap
            return [.setBasemap(basemap)]
        case .enterSatelliteKey(let key):
            guard !key.allSatisfy(\.isWhitespace) else { return [] }
            hasSatelliteKey = true
            return [.keepSatelliteKey(key)]
        default: return []
        }
    }

    private mutating func applyToBookmarks(_ action: WorkspaceAction) -> [WorkspaceEffect] {
        switch action {
        case .openBookmark(let id):
            guard let bookmark = bookmarks.first(where: { $0.id == id }) else { return [] }
            return move(to: bookmark.camera)
        case .saveBookmark(let name):
            guard readOnlyReason == nil, !name.allSatisfy(\.isWhitespace) else { return [] }
            return [.saveBookmark(name: name, camera)]
        case .renameBookmark(let id, let name):
            guard readOnlyReason == nil, !name.allSatisfy(\.isWhitespace), bookmarks.contains(where: { $0.id == id })
            else { return [] }
            return [.renameBookmark(id, name: name)]
        case .deleteBookmark(let id):
            guard readOnlyReason == nil, bookmarks.contains(where: { $0.id == id }) else { return [] }
            return [.deleteBookmark(id)]
        default: return []
        }
    }

    private mutating func applyToMeasurement(_ action: WorkspaceAction) -> [WorkspaceEffect] {
        switch action {
        case .beginMeasuring:
            closeInspector()
            sheet = nil
            note = nil
            measuring = measuring ?? MeasureMode()
        case .undoPoint: measuring?.undo()
        case .chooseShape(let shape): measuring?.choose(shape)
        default: measuring = nil
        }
        return []
    }

    private mutating func applyToNote(_ action: WorkspaceAction) -> [WorkspaceEffect] {
        switch action {
        case .beginNote(let kind):
            guard readOnlyReason == nil else { return [] }
            closeInspector()
            sheet = nil
            measuring = nil
            note = NoteDraft(kind)
        case .typeNote(let text): if note?.step == .typing { note?.text = text }
        case .confirmNote:
            guard let note, note.canBeConfirmed else { return [] }
            self.note = nil
            if sheet?.kind == .note { sheet = nil }
            return [.addNote(note)]
        default:
            note = nil
            if sheet?.kind == .note { sheet = nil }
        }
        return []
    }

    private mutating func move(to camera: MapCamera?) -> [WorkspaceEffect] {
        guard let camera, camera != self.camera else { return [] }
        if let sheet, !sheet.mapIsUsable { return [] }
        self.camera = camera
        return [.keepCamera(camera)]
    }
}
