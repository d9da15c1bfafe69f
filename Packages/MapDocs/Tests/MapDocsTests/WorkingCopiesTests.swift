import MapDocs
import Testing
import TransportCore

struct WorkingCopiesTests {
    private func edit(_ session: EditSession, well: Int = 1, depth: Int64 = 12) async throws {
        try await session.updateProperties(SessionWorld.well(well, ["depth": .integer(depth)]))
    }

    private func depth(_ session: EditSession) throws -> FeatureValue? {
        try session.package.feature(FeatureID("w1"), in: "wells")?.values["depth"]
    }

    private func newer(_ world: SessionWorld, depth: Int64 = 50) throws -> InMemoryDocumentContents {
        try world.package { (edits) throws(MapPackageError) in
            try edits.update(["depth": .integer(depth)], of: FeatureID("w1"), in: "wells")
        }
    }

    @Test("A working copy with changes is opened as it is, though the store has moved on")
    func keepsChanges() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        await session.close()
        try await world.put(newer(world), number: 6)
        let again = try await world.open()
        #expect(try depth(again) == .integer(12))
        #expect(await again.changeCount == 1)
        #expect(await again.base.number == 5)
    }

    @Test("A working copy without changes is fetched again when the store has moved on, else opened as it is")
    func fetchesAgain() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        try await edit(session, depth: 10)
        await session.close()
        try await world.put(newer(world), number: 6)
        await world.store.setUnavailability(.offline)
        let offline = try await world.open()
        #expect(try depth(offline) == .integer(10))
        await offline.close()
        await world.store.setUnavailability(nil)
        let again = try await world.open()
        #expect(try depth(again) == .integer(50))
        #expect(await again.base.number == 6)
        #expect(await again.changeCount == 0)
    }

    @Test("What cannot be fetched is not half there", arguments: ["data.json", "project.json"])
    func damaged(path: String) async throws {
        let world = try await SessionWorld.withProject()
        await world.store.damage(path, of: world.name)
        #expect(await sessionCode { _ = try await world.open() } == .store(.damaged))
        #expect(try world.copies().sources() == [])
        #expect(await sessionCode { _ = try await world.copies().discard(world.source, losing: nil) } == .noWorkingCopy)
    }

    @Test("Of two programs with one folder one edits")
    func locked() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        #expect(await sessionCode { _ = try await world.open() } == .inUse)
        #expect(await sessionCode { try await world.copies().discard(world.source, losing: nil) } == .inUse)
        await session.close()
        _ = try await world.open()
    }

    @Test("Journals of a database that the package brings are neither played back nor published (case 11)")
    func foreignJournals() async throws {
        let world = try SessionWorld()
        try await world.put(
            world.package(others: ["data.json-wal": [1], "data.json-shm": [2], "a-wal": [3]]),
            number: 5
        )
        let session = try await world.open()
        try await edit(session)
        guard case .published = try await world.publisher().publish(session, to: world.store) else {
            Issue.record("not published")
            return
        }
        #expect(try await world.published().files.keys.sorted() == ["a-wal", "data.json", "project.json"])
    }

    @Test("Dropping a working copy names first what is lost")
    func discard() async throws {
        let world = try await SessionWorld.withProject()
        #expect(try await world.copies().losses(of: world.source) == nil)
        let session = try await world.open()
        try await edit(session)
        await session.close()
        let losses = try #require(try await world.copies().losses(of: world.source))
        #expect(losses.words == "1 change to “Harbour” will be lost: Depth of “North” in Wells: 10 → 12.")
        #expect(await sessionCode { try await world.copies().discard(world.source, losing: nil) } == .lossesChanged)
        let again = try await world.open()
        try await edit(again, well: 2)
        await again.close()
        #expect(await sessionCode { try await world.copies().discard(world.source, losing: losses) } == .lossesChanged)
        try await world.copies().discard(world.source, losing: world.copies().losses(of: world.source))
        #expect(try world.memory.entries(in: "/home").isEmpty)
        let fresh = try await world.open()
        #expect(try depth(fresh) == .integer(10))
    }

    @Test("The status tells what is here, what is there, and why")
    func status() async throws {
        let world = try await SessionWorld.withProject()
        func state() async throws -> DocumentState {
            try await world.copies().status(of: world.source, in: world.store).state
        }
        #expect(try await state() == .available)
        let session = try await world.open()
        #expect(try await state() == .synced)
        try await edit(session)
        // Somebody else looks while the session is open.
        let edited = try await world.copies().status(of: world.source, in: world.store)
        #expect(edited.state == .edited(changes: 1) && edited.changes == 1)
        #expect(edited.base?.number == 5 && edited.remote == edited.base && edited.layers == 2)
        try await world.put(newer(world), number: 6)
        #expect(try await state() == .conflict)
        await world.store.setUnavailability(.offline)
        #expect(try await state() == .edited(changes: 1))
        try await edit(session, depth: 10)
        #expect(try await state() == .offlineCopy)
        await session.close()
        try await world.copies().discard(world.source, losing: nil)
        #expect(try await state() == .unavailable(.offline))
        await world.store.setUnavailability(nil)
        let nowhere = DocumentSource(store: "memory:", name: try DocumentName(title: "Nowhere"))
        #expect(
            await sessionCode { _ = try await world.copies().status(of: nowhere, in: world.store) } == .store(.notFound)
        )
    }

    @Test("The library lists what the store has and the work that is only here")
    func library() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        await session.close()
        let other = InMemoryDocumentStore(digest: world.digest)
        let alone = try await world.copies().library(of: other, identifiedBy: "memory:")
        #expect(alone.map(\.state) == [.conflict] && alone.first?.reason == "it is not in the store any more")
        #expect(try await world.copies().library(of: other, identifiedBy: "elsewhere").isEmpty)
        let rows = try await world.copies().library(of: world.store, identifiedBy: "memory:")
        #expect(rows.map(\.source.name.title) == ["Harbour"])
        #expect(rows.first?.state == .edited(changes: 1))
        await world.store.setUnavailability(.signedOut)
        let offline = try await world.copies().library(of: world.store, identifiedBy: "memory:")
        #expect(offline.map(\.state) == [.edited(changes: 1)] && offline.first?.reason == "signed out")
    }

    @Test("A list of changes that was damaged is said to be, and its copy can be dropped")
    func damagedRecord() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        try await edit(session, well: 2)
        await session.close()
        let folder = try #require(try world.memory.entries(in: "/home").first?.name)
        let path = "/home/\(folder)/session.jsonl"
        let text = String(decoding: try SessionWorld.bytes(path, in: world.memory), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3)
        try world.memory.remove(path)
        let file = try world.memory.create(path, isPrivate: true)
        try file.write(Array("\(lines[0])\n{\"line\":\"orig\n\(lines[2])\n".utf8))
        try file.close()
        #expect(await sessionCode { _ = try await world.open() } == .damaged)
        let rows = try await world.copies().library(of: world.store, identifiedBy: "memory:")
        #expect(rows.first?.reason?.contains("damaged at line 2") == true)
        try await world.copies().discard(world.source, losing: nil)
        _ = try await world.open()
    }
}
