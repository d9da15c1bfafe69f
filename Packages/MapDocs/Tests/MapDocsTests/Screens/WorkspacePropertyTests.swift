import Foundation
import MapDocs
import Testing
import TransportCore

/// Random sequences of what people do, with a document that counts its net changes.
struct WorkspacePropertyTests {
    /// The document behind the workspace: what would be published, beside what was.
    private struct Document {
        var visible = ["parcels": true, "roads": true, "notes": true]
        var owners = ["parcel-1": "Ada", "parcel-2": "Ada"]
        var bookmarks: [String: String] = [:]
        var notes = 0

        func netChanges(from base: Document) -> Int {
            visible.count { base.visible[$0.key] != $0.value } + owners.count { base.owners[$0.key] != $0.value }
                + Set(bookmarks.keys).union(base.bookmarks.keys).count { bookmarks[$0] != base.bookmarks[$0] }
                + abs(notes - base.notes)
        }
    }

    private static func action(_ random: inout SeededRandom, _ workspace: Workspace) throws -> WorkspaceAction {
        func number(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }
        let place = try WorkspaceSample.place(Double(number(-80..<80)), Double(number(-180..<180)))
        switch number(0..<30) {
        case 0..<4: return .open(WorkspaceSheet.Kind.allCases[number(0..<WorkspaceSheet.Kind.allCases.count)])
        case 4: return .setDetent(number(0..<2) == 0 ? .medium : .large)
        case 5, 6: return .closeSheet
        case 7..<11:
            let hits: [WorkspaceSelection?] = [
                nil, WorkspaceSample.parcel(1), WorkspaceSample.parcel(2), WorkspaceSample.road,
            ]
            return .tap(place, hit: hits[number(0..<hits.count)])
        case 11, 12: return .toggleLayer(["parcels", "roads", "notes", "gone"][number(0..<4)])
        case 13: return .chooseBasemap(number(0..<2) == 0 ? .standard : .satellite)
        case 14: return .enterSatelliteKey(number(0..<2) == 0 ? "" : "key")
        case 15: return .saveBookmark(name: "B\(number(0..<3))")
        case 16: return workspace.bookmarks.first.map { .deleteBookmark($0.id) } ?? .resetView
        case 17: return .beginMeasuring
        case 18: return .undoPoint
        case 19: return .chooseShape(number(0..<2) == 0 ? .line : .area)
        case 20: return .endMeasuring
        case 21: return .beginNote(number(0..<2) == 0 ? .text : .callout)
        case 22: return .typeNote(number(0..<2) == 0 ? " " : "note")
        case 23: return .confirmNote
        case 24: return .cancelNote
        case 25: return .saveAttributes(["owner": .text(["Ada", "Eve"][number(0..<2)])])
        case 26: return .save
        case 27: return .resolve(ConflictChoice.allCases[number(0..<3)])
        case 28: return [.resetBearing, .resetPitch, .resetView, .leave][number(0..<4)]
        default:
            return .move(
                try MapCamera(
                    center: place,
                    zoom: Double(number(0..<22)),
                    bearing: Double(number(0..<360)),
                    pitch: Double(number(0..<60))
                )
            )
        }
    }

    @Test(arguments: 0..<30)
    func `whatever people do, the rules of the screen hold`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var workspace = try WorkspaceSample.make()
        var base = Document()
        var document = base
        for step in 0..<250 {
            let before = workspace
            let action = try Self.action(&random, workspace)
            for effect in workspace.apply(action) {
                switch effect {
                case .setLayerVisible(let layer, let isVisible): document.visible[layer] = isVisible
                case .saveBookmark(let name, let camera):
                    document.bookmarks[name] = camera.coordinateReadout
                    workspace.bookmarks.removeAll { $0.id == name }
                    workspace.bookmarks.append(MapBookmark(id: name, name: name, camera: camera))
                case .deleteBookmark(let id):
                    document.bookmarks[id] = nil
                    workspace.bookmarks.removeAll { $0.id == id }
                case .addNote(let note):
                    #expect(note.canBeConfirmed)
                    document.notes += 1
                case .updateAttributes(let layer, let feature, let values):
                    #expect(layer == "parcels", "a feature of a locked layer was edited, seed \(seed) step \(step)")
                    #expect(before.layers[0].isVisible)
                    if case .text(let owner)? = values["owner"] { document.owners[feature.text] = owner }
                case .publish:
                    let outcome = Int.random(in: 0..<3, using: &random)
                    if outcome == 0 {
                        workspace.finishPublishing(.conflict(current: nil))
                    } else if outcome == 1 {
                        base = document
                        let fingerprint = try #require(
                            DocumentFingerprint(sha256: String(repeating: "a", count: 64))
                        )
                        workspace.finishPublishing(
                            .published(DocumentRevision(number: step, fingerprint: fingerprint))
                        )
                    } else {
                        workspace.failPublishing("The disk is full; free some space.")
                    }
                case .resolve:
                    document = base
                    workspace.isInConflict = false
                    for index in workspace.layers.indices {
                        workspace.layers[index].isVisible = document.visible[workspace.layers[index].id] ?? true
                    }
                default: break
                }
            }
            workspace.changes = document.netChanges(from: base)
            Self.check(workspace, before: before, action, "seed \(seed), step \(step)")
        }
    }

    private static func check(
        _ workspace: Workspace,
        before: Workspace,
        _ action: WorkspaceAction,
        _ comment: Comment
    ) {
        let screen = WorkspaceScreen(workspace)
        // Dirty exactly when there are net changes.
        #expect((screen.save.phase == .dirty) == (workspace.changes > 0 && workspace.publishing == nil), comment)
        switch workspace.documentState {
        case .edited, .conflict: #expect(workspace.changes > 0, comment)
        default: #expect(workspace.changes == 0, comment)
        }
        // Nothing of the list of what is never offered, and a spoken label on everything.
        #expect(screen.controls.allSatisfy { !$0.spoken.isEmpty }, comment)
        let labels = screen.controls.map { "\($0.title)|\($0.spoken)".lowercased() }.joined(separator: "\n")
        let forbidden = NeverOffered.words.first { labels.contains($0) }
        #expect(forbidden == nil, comment)
        #expect(screen.spoken.allSatisfy { !$0.isEmpty } || screen.sheet?.kind == .note, comment)
        // One thing at a time.
        #expect([workspace.measuring != nil, workspace.note != nil].count { $0 } < 2, comment)
        if workspace.measuring != nil { #expect(workspace.sheet == nil || workspace.sheet?.isModal == true, comment) }
        if workspace.sheet?.kind == .note { #expect(workspace.note?.step == .typing, comment) }
        if let kind = workspace.sheet?.kind, kind == .inspector || kind == .attributes {
            #expect(workspace.selection != nil, comment)
        }
        if case .tap = action, before.isPlacing { #expect(workspace.selection == before.selection, comment) }
        // A selection whose layer is hidden or locked stays, and cannot be edited.
        if case .toggleLayer = action { #expect(workspace.selection == before.selection, comment) }
        if let selection = workspace.selection {
            let layer = workspace.layers.first { $0.id == selection.layer }
            let isEditable = layer.map { $0.isVisible && $0.lockReason == nil } ?? false
            #expect((workspace.selectionLockReason == nil) == isEditable, comment)
            #expect(screen.cluster.contains { $0.title == "Inspector" }, comment)
        } else {
            #expect(!screen.cluster.contains { $0.title == "Inspector" }, comment)
        }
        // The map's camera is always one that can be drawn.
        #expect(MapCamera.zoomRange.contains(workspace.camera.zoom), comment)
    }
}
