import Foundation
import MapDocs
import Testing
import TransportCore

struct WorkspaceTests {
    private func workspace(_ actions: [WorkspaceAction] = []) throws -> Workspace {
        var workspace = try WorkspaceSample.make()
        for action in actions { _ = workspace.apply(action) }
        return workspace
    }

    private func tap(_ hit: WorkspaceSelection?) throws -> WorkspaceAction {
        .tap(try WorkspaceSample.place(), hit: hit)
    }

    // MARK: Sheets

    @Test func `a sheet takes the place of the one before`() throws {
        var workspace = try workspace([.open(.layers)])
        #expect(workspace.sheet?.kind == .layers)
        #expect(workspace.sheet?.detent == .medium)
        _ = workspace.apply(.open(.bookmarks))
        #expect(workspace.sheet?.kind == .bookmarks)
        _ = workspace.apply(.closeSheet)
        #expect(workspace.sheet == nil)
    }

    @Test func `layers and inspector can grow, the basemap sheet cannot, the form is large`() throws {
        var workspace = try workspace([.open(.layers), .setDetent(.large)])
        #expect(workspace.sheet?.detent == .large)
        _ = workspace.apply(.open(.basemap))
        _ = workspace.apply(.setDetent(.large))
        #expect(workspace.sheet?.detent == .medium)
        _ = workspace.apply(.closeSheet)
        _ = workspace.apply(try tap(WorkspaceSample.parcel()))
        _ = workspace.apply(.open(.attributes))
        #expect(workspace.sheet?.detent == .large)
    }

    @Test func `closing the inspector clears the selection, and so does another sheet`() throws {
        var closed = try workspace([try tap(WorkspaceSample.parcel())])
        #expect(closed.sheet?.kind == .inspector)
        _ = closed.apply(.closeSheet)
        #expect(closed.selection == nil)
        let replaced = try workspace([try tap(WorkspaceSample.parcel()), .open(.layers)])
        #expect(replaced.selection == nil)
    }

    @Test func `an empty tap clears the selection and closes the inspector`() throws {
        let workspace = try workspace([try tap(WorkspaceSample.parcel()), try tap(nil)])
        #expect(workspace.selection == nil)
        #expect(workspace.sheet == nil)
    }

    @Test func `cancelling the form goes back to the inspector and changes nothing`() throws {
        var workspace = try workspace([try tap(WorkspaceSample.parcel()), .open(.attributes)])
        #expect(workspace.apply(.closeSheet).isEmpty)
        #expect(workspace.sheet?.kind == .inspector)
        #expect(workspace.selection == WorkspaceSample.parcel())
    }

    @Test func `under the form nothing else happens`() throws {
        var workspace = try workspace([try tap(WorkspaceSample.parcel()), .open(.attributes)])
        let before = workspace
        #expect(workspace.apply(.open(.layers)).isEmpty)
        #expect(workspace.apply(try tap(nil)).isEmpty)
        #expect(workspace.apply(.leave).isEmpty)
        #expect(workspace == before)
        let effects = workspace.apply(.saveAttributes(["owner": .text("Eve")]))
        #expect(effects == [.updateAttributes(layer: "parcels", FeatureID("parcel-7"), ["owner": .text("Eve")])])
        #expect(workspace.sheet?.kind == .inspector)
    }

    // MARK: Selection

    @Test func `hiding the layer of the selected feature keeps it and turns editing off with the reason`() throws {
        var workspace = try workspace([try tap(WorkspaceSample.parcel())])
        #expect(workspace.selectionLockReason == nil)
        #expect(workspace.apply(.toggleLayer("parcels")) == [.setLayerVisible("parcels", false)])
        #expect(workspace.selection != nil)
        let reason = "“Parcels” is hidden; show the layer to edit its features."
        #expect(workspace.selectionLockReason == reason)
        #expect(workspace.apply(.open(.attributes)).isEmpty)
        #expect(workspace.sheet?.kind == .inspector)
        let screen = WorkspaceScreen(workspace)
        let edit = try #require(screen.sheet?.controls.first { $0.title == "Edit Attributes" })
        #expect(!edit.isEnabled)
        #expect(edit.spoken == "Edit Attributes, not possible: \(reason)")
        #expect(screen.selection?.spoken == "Parcel 7, layer Parcels, Polygon, 5 vertices, cannot be edited: \(reason)")
    }

    @Test func `a feature of a locked layer can be selected and looked at`() throws {
        let workspace = try workspace([try tap(WorkspaceSample.road)])
        #expect(workspace.selectionLockReason == "“Roads” is locked; it can be looked at but not changed.")
        #expect(WorkspaceScreen(workspace).selection?.summary == "Line · 2 vertices")
    }

    @Test func `the inspector has title, shape, figures and attributes`() throws {
        let screen = WorkspaceScreen(try workspace([try tap(WorkspaceSample.parcel())]))
        #expect(screen.sheet?.title == "Parcel 7")
        #expect(screen.selection?.headline == "Polygon · 5 vertices · Parcels")
        // Made with GeographicLib's Planimeter 2.1.2: 1 846 361 m², 5 800.54 m around.
        #expect(screen.selection?.tiles.map(\.value) == ["1.85 km²", "5.80 km", "5"])
        #expect(screen.sheet?.rows.last?.title == "Remark")
        #expect(screen.sheet?.rows.last?.spoken == "Remark, no value")
    }

    // MARK: Measuring

    @Test func `while measuring a tap adds a point and selects nothing`() throws {
        var workspace = try workspace([.beginMeasuring])
        #expect(WorkspaceScreen(workspace).measure?.lines == ["Tap the map to measure"])
        _ = workspace.apply(.tap(try WorkspaceSample.place(47.6, -122.3), hit: WorkspaceSample.parcel()))
        _ = workspace.apply(.tap(try WorkspaceSample.place(35.7, 139.7), hit: nil))
        #expect(workspace.selection == nil)
        let line = try #require(WorkspaceScreen(workspace).measure)
        #expect(line.lines == ["7,716 km"])
        #expect(line.spoken == "Length 7,716 kilometers")
        #expect(!line.controls.contains { $0.title == "Area" })
        _ = workspace.apply(.tap(try WorkspaceSample.place(-33.9, 151.2), hit: nil))
        _ = workspace.apply(.chooseShape(.area))
        let area = try #require(WorkspaceScreen(workspace).measure)
        #expect(area.lines == ["41,036,920 km²", "27,972 km"])
        #expect(area.controls.first { $0.title == "Area" }?.spoken == "Area, active")
        _ = workspace.apply(.undoPoint)
        #expect(workspace.measuring?.shape == .line)
        _ = workspace.apply(.endMeasuring)
        #expect(workspace.measuring == nil)
        #expect(workspace.changes == 0)
    }

    // MARK: Notes

    @Test func `a callout asks for its anchor, its target and its text`() throws {
        var workspace = try workspace([.beginNote(.callout)])
        #expect(WorkspaceScreen(workspace).prompt?.text == "Tap where the callout goes")
        _ = workspace.apply(.tap(try WorkspaceSample.place(1, 2), hit: WorkspaceSample.parcel()))
        #expect(WorkspaceScreen(workspace).prompt?.text == "Tap what the callout points at")
        _ = workspace.apply(.tap(try WorkspaceSample.place(3, 4), hit: nil))
        #expect(workspace.selection == nil)
        #expect(workspace.sheet?.kind == .note)
        #expect(workspace.apply(.confirmNote).isEmpty)
        _ = workspace.apply(.typeNote(" \n\t"))
        #expect(workspace.note?.canBeConfirmed == false)
        _ = workspace.apply(.typeNote("Leak here"))
        let effects = workspace.apply(.confirmNote)
        guard case .addNote(let note) = try #require(effects.first) else { return #expect(Bool(false)) }
        #expect(note.kind == .callout && note.text == "Leak here")
        #expect(note.anchor == (try WorkspaceSample.place(1, 2)))
        #expect(note.target == (try WorkspaceSample.place(3, 4)))
        #expect(workspace.note == nil && workspace.sheet == nil)
    }

    @Test(arguments: 0..<4)
    func `cancelling a note at any step leaves nothing`(steps: Int) throws {
        let untouched = try workspace()
        var workspace = try workspace([.beginNote(.callout)])
        if steps > 0 { _ = workspace.apply(try tap(nil)) }
        if steps > 1 { _ = workspace.apply(try tap(nil)) }
        if steps > 2 { _ = workspace.apply(.typeNote("half")) }
        #expect(workspace.apply(.cancelNote).isEmpty)
        #expect(workspace == untouched)
    }

    // MARK: Saving

    @Test func `saving asks to publish once, and the map stays usable`() throws {
        var workspace = try workspace()
        #expect(workspace.apply(.save).isEmpty)
        workspace.changes = 3
        #expect(workspace.documentState == .edited(changes: 3))
        let dirty = WorkspaceScreen(workspace)
        #expect(dirty.statusPod.line == "edited · 3 changes")
        #expect(dirty.save.spoken == "Save 3 changes to iCloud")
        #expect(dirty.save.control.style == .prominent)
        #expect(workspace.apply(.save) == [.publish])
        #expect(workspace.apply(.save).isEmpty)
        #expect(WorkspaceScreen(workspace).save.phase == .publishing(0))
        _ = workspace.apply(try tap(WorkspaceSample.parcel()))
        #expect(workspace.selection != nil)
        workspace.changes = 0
        workspace.finishPublishing(
            .published(DocumentRevision(number: 4, fingerprint: try fingerprint()))
        )
        let saved = WorkspaceScreen(workspace)
        #expect(saved.toasts == ["Saved to iCloud"])
        #expect(saved.save.phase == .saved)
        #expect(saved.statusPod.spoken == "Harbour, iCloud, synced")
    }

    @Test func `a conflict offers three ways out of equal weight and names what reloading would lose`() throws {
        var workspace = try workspace()
        workspace.changes = 2
        workspace.pendingChanges = ["Parcel 7: Owner “Ada” → “Eve”", "Note “Leak here” added"]
        #expect(workspace.apply(.save) == [.publish])
        workspace.finishPublishing(.conflict(current: nil))
        #expect(workspace.documentState == .conflict)
        let sheet = try #require(WorkspaceScreen(workspace).sheet)
        #expect(sheet.title == "The iCloud copy changed since you started editing.")
        #expect(sheet.isModal)
        #expect(sheet.rows.map(\.title) == workspace.pendingChanges)
        #expect(sheet.controls.map(\.title) == ["Reload iCloud version", "Save as conflict copy", "Cancel"])
        #expect(Set(sheet.controls.map(\.style)).count == 1)
        #expect(sheet.controls[0].spoken == "Reload iCloud version, 2 changes made here will be lost")
        #expect(workspace.apply(.open(.layers)).isEmpty)
        var cancelled = workspace
        #expect(cancelled.apply(.resolve(.cancel)).isEmpty)
        #expect(cancelled.sheet == nil && cancelled.documentState == .conflict)
        #expect(cancelled.apply(.save).isEmpty)
        #expect(cancelled.sheet?.kind == .conflict)
        #expect(workspace.apply(.resolve(.saveConflictCopy)) == [.resolve(.saveConflictCopy)])
        #expect(workspace.sheet == nil)
    }

    @Test func `leaving never asks`() throws {
        var workspace = try workspace()
        workspace.changes = 3
        #expect(workspace.apply(.leave) == [.leave])
        #expect(workspace.sheet == nil)
    }

    // MARK: Layers, basemap, bookmarks

    @Test func `the layers sheet has swatch, name, count and eye, and says hidden and locked in words`() throws {
        let workspace = try workspace([.toggleLayer("parcels"), .open(.layers)])
        let sheet = try #require(WorkspaceScreen(workspace).sheet)
        #expect(sheet.title == "Layers")
        #expect(sheet.count == "3")
        #expect(sheet.rows.map(\.title) == ["Notes", "Roads", "Parcels"])
        #expect(sheet.rows[1].spoken == "Roads, 1 feature, visible, locked")
        #expect(sheet.rows[1].glyphs == [.lock])
        #expect(sheet.rows[1].detail == "1 feature · Locked")
        #expect(sheet.rows[1].controls.map(\.spoken) == ["Hide Roads"])
        #expect(sheet.rows[2].spoken == "Parcels, 812 features, hidden")
        #expect(sheet.rows[2].isDimmed && sheet.rows[2].glyphs == [.eyeOff])
        #expect(sheet.rows[2].controls.map(\.spoken) == ["Show Parcels"])
    }

    @Test func `satellite without a key says so and offers the entry`() throws {
        var workspace = try workspace([.open(.basemap)])
        #expect(workspace.apply(.chooseBasemap(.satellite)).isEmpty)
        let row = try #require(WorkspaceScreen(workspace).sheet?.rows.last)
        #expect(row.spoken == "Satellite, needs a provider's key")
        #expect(row.controls.map(\.title) == ["Enter key"])
        #expect(workspace.apply(.enterSatelliteKey("k3y")) == [.keepSatelliteKey("k3y")])
        #expect(workspace.apply(.chooseBasemap(.satellite)) == [.setBasemap(.satellite)])
        #expect(WorkspaceScreen(workspace).sheet?.rows.last?.isChosen == true)
    }

    @Test func `a basemap chosen elsewhere is shown by its name and not offered again`() throws {
        var workspace = try workspace()
        let custom = MapBasemap.other(["name": "Harbour tiles", "url": "https://tiles.example/{z}/{x}/{y}.png"])
        workspace.basemap = custom
        _ = workspace.apply(.open(.basemap))
        let rows = try #require(WorkspaceScreen(workspace).sheet?.rows)
        #expect(rows.last?.title == "Harbour tiles")
        #expect(rows.last?.controls.isEmpty == true)
        #expect(workspace.apply(.chooseBasemap(custom)).isEmpty)
    }

    @Test func `bookmarks lead back to the same camera`() throws {
        var workspace = try workspace()
        let camera = try MapCamera(center: WorkspaceSample.place(), zoom: 16.53, bearing: 315, pitch: 60)
        workspace.bookmarks = [MapBookmark(id: "b1", name: "Quay", camera: camera)]
        _ = workspace.apply(.open(.bookmarks))
        #expect(workspace.apply(.openBookmark("b1")) == [.keepCamera(camera)])
        #expect(workspace.camera == camera)
        #expect(workspace.apply(.saveBookmark(name: "  ")).isEmpty)
        #expect(workspace.apply(.saveBookmark(name: "Pier")) == [.saveBookmark(name: "Pier", camera)])
        #expect(workspace.apply(.renameBookmark("gone", name: "x")).isEmpty)
    }

    // MARK: Navigation

    @Test func `compass, flat and reset bring back north, flat and both`() throws {
        var workspace = try workspace()
        workspace.camera = try MapCamera(center: WorkspaceSample.place(), zoom: 3, bearing: 90, pitch: 45)
        let navigation = WorkspaceScreen(workspace).navigation
        #expect(navigation.pitch == "45°")
        #expect(
            navigation.controls.map(\.spoken) == [
                "Compass, east is up; turn north up", "Tilted 45°; look straight down", "Reset map to flat, north up",
            ]
        )
        var north = workspace
        _ = north.apply(.resetBearing)
        #expect(north.camera.bearing == 0 && north.camera.pitch == 45)
        var flat = workspace
        _ = flat.apply(.resetPitch)
        #expect(flat.camera.bearing == 90 && flat.camera.pitch == 0)
        _ = workspace.apply(.resetView)
        #expect(workspace.camera.bearing == 0 && workspace.camera.pitch == 0)
        #expect(WorkspaceScreen(workspace).navigation.controls.allSatisfy { !$0.isEnabled })
    }

    @Test func `the readout has the center and the zoom`() throws {
        let readout = WorkspaceScreen(try workspace()).readout
        #expect(readout.coordinates == "47.60621, -122.33207")
        #expect(readout.zoom == "z 12.4")
        #expect(readout.spoken == "Map center 47.60621, -122.33207, zoom 12.4")
    }

    @Test func `a project of a newer version offers nothing that changes it`() throws {
        var workspace = try workspace()
        workspace.readOnlyReason = "This project was saved by a newer version of the app."
        #expect(workspace.apply(.toggleLayer("parcels")).isEmpty)
        #expect(workspace.apply(.beginNote(.text)).isEmpty)
        #expect(workspace.apply(.saveBookmark(name: "x")).isEmpty)
        _ = workspace.apply(try tap(WorkspaceSample.parcel()))
        #expect(workspace.selectionLockReason == workspace.readOnlyReason)
        let screen = WorkspaceScreen(workspace)
        #expect(screen.statusPod.line == "read only")
        #expect(!screen.cluster.contains { $0.title == "Add Note" })
    }

    private func fingerprint() throws -> DocumentFingerprint {
        try #require(DocumentFingerprint(sha256: String(repeating: "0", count: 64)))
    }
}
