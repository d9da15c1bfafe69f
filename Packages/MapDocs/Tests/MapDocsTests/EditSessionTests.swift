import MapDocs
import Testing
import TransportCore

struct EditSessionTests {
    @Test("What was set back is no change: values, layers, notes, bookmarks, the basemap")
    func netChanges() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await session.updateProperties(SessionWorld.well(1, ["depth": .integer(12), "name": .text("Norte")]))
        try await session.setVisible(false, layer: "wells")
        let note = try await session.addNote("Look", at: SessionWorld.place(1, 1))
        let bookmark = try await session.saveBookmark(
            named: "Here",
            camera: MapCamera(center: SessionWorld.place(3, 4), zoom: 5)
        )
        try await session.renameBookmark("dock", to: "Quay")
        try await session.setBasemap(.satellite)
        #expect(await session.changeCount == 7)

        try await session.setVisible(true, layer: "wells")
        try await session.updateProperties(SessionWorld.well(1, ["depth": .integer(10), "name": .text("North")]))
        try await session.deleteNote(note)
        try await session.deleteBookmark(bookmark)
        try await session.renameBookmark("dock", to: "Dock")
        try await session.setBasemap(.standard)
        #expect(await session.pendingChanges() == [])
        #expect(await session.changeCount == 0)
    }

    @Test("A project in which an identifier stands twice has no change of its own, and a change to it counts once")
    func repeatedIdentifiers() async throws {
        let project = SessionWorld.project()
            .replacing(#""bookmarks":["#, with: #""bookmarks":[{"id":"dock","name":"Old","camera":{"center":[9,9]}},"#)
            .replacing(#""layers":["#, with: #""layers":[{"id":"wells","table":"wells","name":"All","visible":false},"#)
        let world = try await SessionWorld.withProject(project)
        let session = try await world.open()
        #expect(await session.pendingChanges() == [])
        try await session.deleteBookmark("dock")
        #expect(await session.changeCount == 1)
    }

    @Test("Ten thousand bookmarks are compared with their base at once", .timeLimit(.minutes(1)))
    func manyBookmarks() async throws {
        let bookmarks = (0..<10_000).map { #"{"id":"b\#($0)","name":"B","camera":{"center":[1,2]}},"# }
        let project = SessionWorld.project()
            .replacing(#""bookmarks":["#, with: #""bookmarks":["# + bookmarks.joined())
        let world = try await SessionWorld.withProject(project)
        let session = try await world.open()
        #expect(await session.changeCount == 0)
    }

    @Test("Pending changes say what was and what becomes")
    func pendingWords() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await session.updateProperties(SessionWorld.well(2, ["depth": .integer(12)]))
        try await session.setVisible(false, layer: "parcels")
        try await session.deleteBookmark("dock")
        _ = try await session.addNote("Leaning post\nreplace it", at: SessionWorld.place(1, 1))
        #expect(
            await session.pendingChanges().map(\.words) == [
                "Layer “Parcels”: shown → hidden",
                "Bookmark “Dock” deleted",
                "Depth of “South” in Wells: 10 → 12",
                "Note “Leaning post” added in Notes",
            ]
        )
        let attribute = try #require(await session.pendingChanges().first { $0.kind == .attribute })
        #expect(attribute.layer == "wells" && attribute.feature == FeatureID("w2") && attribute.column == "depth")
        #expect(attribute.from == .integer(10) && attribute.to == .integer(12))
    }

    @Test("NULL to a value and back, empty text to NULL and back are four changes, and all are published (case 13)")
    func nullAndEmpty() async throws {
        let world = try await SessionWorld.withProject()
        let first = try await world.open()
        try await first.updateProperties(
            SessionWorld.well(1, ["seen": .text("2026-03-29T10:15:00.000Z"), "memo": .null])
        )
        #expect(await first.changeCount == 2)
        guard case .published = try await world.publisher().publish(first, to: world.store) else {
            Issue.record("not published")
            return
        }
        try await first.updateProperties(SessionWorld.well(1, ["seen": .null, "memo": .text("")]))
        #expect(await first.changeCount == 2)
        #expect(
            await first.pendingChanges().map(\.words) == [
                "Seen of “North” in Wells: 2026-03-29T10:15:00.000Z → no value",
                "Memo of “North” in Wells: no value → empty text",
            ]
        )
        _ = try await world.publisher().publish(first, to: world.store)
        let well = try await world.published().package.feature(FeatureID("w1"), in: "wells")
        #expect(well?.values["seen"] == .null)
        #expect(well?.values["memo"] == .text(""))
    }

    @Test("Differently composed letters are a change")
    func composition() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await session.updateProperties(SessionWorld.well(1, ["memo": .text("caf\u{E9}")]))
        _ = try await world.publisher().publish(session, to: world.store)
        try await session.updateProperties(SessionWorld.well(1, ["memo": .text("cafe\u{301}")]))
        #expect(await session.changeCount == 1)
    }

    @Test("Camera moves are kept and go along with the next publish, and are no change")
    func camera() async throws {
        let world = try await SessionWorld.withProject()
        let camera = try MapCamera(center: SessionWorld.place(11, 58), zoom: 16.53, bearing: 315, pitch: 60)
        let session = try await world.open()
        try await session.setCamera(camera)
        #expect(await session.changeCount == 0)
        #expect(try await world.publisher().publish(session, to: world.store) == .nothingToPublish(session.base))
        await session.close()
        let again = try await world.open()
        #expect(await again.project.camera == camera)
        try await again.setVisible(false, layer: "wells")
        _ = try await world.publisher().publish(again, to: world.store)
        #expect(try await world.published().project.camera == camera)
    }

    @Test("Hidden and locked layers refuse edits with the reason, and their form is disabled with it")
    func refusals() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        let zone = UpdateProperties(layer: "parcels", feature: FeatureID("p1"), values: ["zone": .text("R2")])
        #expect(await sessionCode { try await session.updateProperties(zone) } == .locked)
        #expect(try await session.editingRefusal(ofLayer: "parcels")?.contains("is locked") == true)
        try await session.setVisible(false, layer: "parcels")
        try await session.setVisible(false, layer: "wells")
        #expect(
            await sessionCode { try await session.updateProperties(SessionWorld.well(1, ["depth": .null])) } == .locked
        )
        let form = try await session.attributeForm(for: FeatureID("w1"), in: "wells", format: .plain)
        #expect(form.disabledReason?.contains("is hidden; show it") == true)
        #expect(!form.canSave && form.title == "North" && form.subtitle == "Point · Wells")
    }

    @Test("What cannot be written is refused by name and changes nothing")
    func invalid() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        func code(_ change: UpdateProperties) async -> MapSessionError.Code? {
            await sessionCode { try await session.updateProperties(change) }
        }
        #expect(await code(SessionWorld.well(1, ["depth": .text("deep")])) == .invalid)
        #expect(await code(SessionWorld.well(1, ["uuid": .text("other")])) == .invalid)
        #expect(await code(SessionWorld.well(1, ["nothing": .null])) == .invalid)
        #expect(await code(SessionWorld.well(9, ["depth": .null])) == .noFeature)
        #expect(await code(UpdateProperties(layer: "lakes", feature: FeatureID("1"), values: [:])) == .noLayer)
        #expect(await sessionCode { try await session.renameBookmark("nowhere", to: "x") } == .noBookmark)
        #expect(await sessionCode { try await session.renameBookmark("dock", to: " \n") } == .invalid)
        #expect(await sessionCode { _ = try await session.addNote("  ", at: SessionWorld.place(0, 0)) } == .invalid)
        #expect(await session.changeCount == 0)
        #expect(await session.project.layers.count == 2)
    }

    @Test("Notes: text and callout are added, changed and deleted, and only one's own is deleted")
    func notes() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        let text = try await session.addNote("Post", at: SessionWorld.place(1, 2))
        let callout = try await session.addNote(
            "This one",
            at: SessionWorld.place(3, 4),
            pointingAt: SessionWorld.place(5, 6)
        )
        try await session.updateNote(callout, text: "That one", target: SessionWorld.place(7, 8))
        let notes = try await session.notes()
        #expect(notes.map(\.id) == [text, callout])
        #expect(notes.map(\.kind) == [.text, .callout])
        #expect(notes[1].text == "That one" && notes[1].author == "Phone")
        #expect(try notes[1].anchor == SessionWorld.place(3, 4) && notes[1].target == SessionWorld.place(7, 8))
        #expect(await session.project.layers.last?.role == .markup)
        #expect(await session.changeCount == 2)
        _ = try await world.publisher().publish(session, to: world.store)
        await session.close()

        let other = try await world.copies(device: "Tablet").open(world.source, from: world.store)
        #expect(await sessionCode { try await other.deleteNote(text) } == .locked)
        try await other.updateNote(text, text: "Posts", anchor: SessionWorld.place(0, 0))
        #expect(await other.pendingChanges().map(\.kind) == [.noteChanged, .noteMoved])
        try await other.updateNote(text, text: "Post", anchor: SessionWorld.place(1, 2))
        #expect(await other.changeCount == 0)
        await other.close()

        let own = try await world.open()
        try await own.updateNote(text, text: "Other")
        try await own.deleteNote(text)
        #expect(await own.pendingChanges().map(\.words) == ["Note “Post” deleted in Notes"])
        #expect(await sessionCode { try await own.deleteNote(text) } == .noFeature)
    }

    @Test("A project of a newer format is looked at, not changed")
    func newerFormat() async throws {
        let world = try await SessionWorld.withProject(SessionWorld.project(readOnly: true))
        let session = try await world.open()
        #expect(session.readOnlyReason?.contains("newer version of the app") == true)
        #expect(try session.package.featureCount(in: "wells") == 3)
        #expect(
            await sessionCode { try await session.updateProperties(SessionWorld.well(1, ["depth": .null])) } == .locked
        )
        #expect(await sessionCode { try await session.setVisible(false, layer: "wells") } == .locked)
        #expect(await sessionCode { _ = try await world.publisher().publish(session, to: world.store) } == .locked)
    }

    @Test("States follow the changes, the newest first for a slow reader, until the session is closed")
    func states() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        var states = await session.states().makeAsyncIterator()
        #expect(await states.next()?.changes == 0)
        try await session.updateProperties(SessionWorld.well(1, ["depth": .integer(1)]))
        try await session.updateProperties(SessionWorld.well(2, ["depth": .integer(1)]))
        #expect(await states.next()?.changes == 2)
        await session.close()
        #expect(await states.next() == nil)
        #expect(await sessionCode { try await session.setVisible(false, layer: "wells") } == .closed)
    }
}
