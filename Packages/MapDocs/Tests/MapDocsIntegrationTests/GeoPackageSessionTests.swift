import Foundation
import MapDocs
import MapGeoPackage
import MapStores
import Testing
import TransportCore

struct GeoPackageSessionTests {
    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test("A GeoPackage project is opened, edited, noted, published and seen by another device")
    func roundTrip() async throws {
        let world = try RealWorld()
        let session = try await world.open()
        try await RealWorld.set("North", ["depth": .integer(.min), "memo": .null], in: session)
        try await RealWorld.set("South", ["memo": .text("")], in: session)
        let camera = try MapCamera(
            center: MapCoordinate(latitude: 1, longitude: 1),
            zoom: 16.53,
            bearing: 315,
            pitch: 60
        )
        _ = try await session.saveBookmark(named: "Here", camera: camera)
        let note = try await session.addNote("Post", at: MapCoordinate(latitude: 1, longitude: 1))
        #expect(await session.changeCount == 5)
        guard case .published(let revision) = try await world.publisher().publish(session, to: world.store) else {
            Issue.record("not published")
            return
        }
        #expect(try await world.store.currentRevision(of: world.name).isSameState(as: revision))
        #expect(try names(in: world.package) == ["data.gpkg", "project.json"])
        #expect(try RealWorld.format.findFaults(in: world.package) == [])
        #expect(try world.published("North")["depth"] == .integer(.min))
        #expect(try world.published("North")["memo"] == .null)
        #expect(try world.published("South")["memo"] == .text(""))
        await session.close()

        let other = WorkingCopies(
            home: "\(world.root)/other",
            files: world.files,
            format: RealWorld.format,
            digest: RealWorld.digest,
            device: "Tablet",
            now: { 0 },
            makeID: { "other" }
        )
        let seen = try await other.open(world.source, from: world.store)
        #expect(await seen.project.bookmarks.map(\.camera) == [camera])
        #expect(try await seen.notes().map(\.id) == [note])
        #expect(await seen.base.number == revision.number)
        await seen.close()
    }

    @Test("Changes that are only in the database's log count, in this process and for others (case 10)")
    func changesInTheLog() async throws {
        let world = try RealWorld()
        let session = try await world.open()
        try await RealWorld.set("North", ["depth": .integer(11)], in: session)
        let status = try await world.copies().status(of: world.source, in: world.store)
        #expect(status.state == .edited(changes: 1))
        #expect(try await world.copies().losses(of: world.source)?.changes.count == 1)
        await session.close()
        let again = try await world.open()
        #expect(await again.changeCount == 1)
        await again.close()
    }

    @Test("What is published has the edit though a reader holds an older snapshot (case 8)")
    func readerHoldsSnapshot() async throws {
        let world = try RealWorld()
        let session = try await world.open()
        let home = "\(world.root)/home"
        let copy = try #require(try names(in: home).first)
        let reader = try RealWorld.format.open("\(home)/\(copy)/package-1", for: .editing)
        let isReading = AsyncStream.makeStream(of: FeatureValue?.self)
        let isPublished = DispatchSemaphore(value: 0)
        // On a thread of its own, because reading blocks until the end.
        Thread.detachNewThread {
            try? reader.readFeatures(in: "wells", FeatureQuery()) { feature in
                isReading.continuation.yield(feature.values["depth"])
                isPublished.wait()
                return false
            }
            isReading.continuation.finish()
        }
        var readings = isReading.stream.makeAsyncIterator()
        #expect(await readings.next() == .integer(10))
        try await RealWorld.set("North", ["depth": .integer(11)], in: session)
        guard case .published = try await world.publisher().publish(session, to: world.store) else {
            isPublished.signal()
            Issue.record("not published")
            return
        }
        isPublished.signal()
        #expect(await readings.next() == nil)
        reader.close()
        #expect(try world.published("North")["depth"] == .integer(11))
        await session.close()
    }

    @Test("A log that lies beside the package in the store is neither played back nor published (case 11)")
    func foreignLog() async throws {
        let world = try RealWorld()
        for ending in ["-wal", "-shm"] {
            try Data("not a log".utf8).write(to: URL(fileURLWithPath: "\(world.package)/data.gpkg\(ending)"))
        }
        let session = try await world.open()
        try await RealWorld.set("North", ["depth": .integer(11)], in: session)
        guard case .published = try await world.publisher().publish(session, to: world.store) else {
            Issue.record("not published")
            return
        }
        await session.close()
        #expect(try names(in: world.package) == ["data.gpkg", "project.json"])
        #expect(try world.published("North")["depth"] == .integer(11))
    }

    @Test("A package whose bytes changed and whose data did not is published over; other data are a conflict (case 6)")
    func onlyBytes() async throws {
        let world = try RealWorld()
        let session = try await world.open()
        let base = await session.base
        try await RealWorld.set("North", ["depth": .integer(11)], in: session)
        for depth in [99, 10] as [Int64] {
            try world.changeElsewhere { (edits, wells) throws(MapPackageError) in
                guard let east = wells["East"] else { return }
                try edits.update(["depth": .integer(depth)], of: east.id, in: "wells")
            }
        }
        #expect(try await !world.store.currentRevision(of: world.name).isSameState(as: base))
        guard case .published = try await world.publisher().publish(session, to: world.store) else {
            Issue.record("not published")
            return
        }
        try await RealWorld.set("North", ["depth": .integer(12)], in: session)
        try world.changeElsewhere { (edits, wells) throws(MapPackageError) in
            guard let north = wells["North"] else { return }
            try edits.update(["depth": .integer(12)], of: north.id, in: "wells")
        }
        guard case .conflict(let conflict) = try await world.publisher().publish(session, to: world.store) else {
            Issue.record("no conflict")
            return
        }
        #expect(conflict.comparison?.both.map(\.isSame) == [true])
        let kept = try await world.publisher().saveConflictCopy(session, in: world.store)
        #expect(try names(in: "\(world.root)/store").contains("\(kept.copy.title).gispad"))
        #expect(await kept.session.changeCount == 0)
        await kept.session.close()
    }

    @Test(
        "A known secret that was written and taken out again is not in what is published; one that is there stops it (case 24)"
    )
    func secrets() async throws {
        let world = try RealWorld()
        let key = "pk.secret-key-of-the-maps-0123456789"
        let session = try await world.open()
        try await RealWorld.set("North", ["memo": .text(String(repeating: key, count: 200))], in: session)
        do {
            _ = try await world.publisher(["maps": key]).publish(session, to: world.store)
            Issue.record("published")
        } catch {
            #expect(error.code == .unfit && error.message.contains("“memo”") && !error.message.contains(key))
        }
        try await RealWorld.set("North", ["memo": .text("clean")], in: session)
        guard case .published = try await world.publisher(["maps": key]).publish(session, to: world.store) else {
            Issue.record("not published")
            return
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(world.package)/data.gpkg"))
        #expect(bytes.range(of: Data(key.utf8)) == nil)
        await session.close()
    }

    @Test("Stopped at any step of the file system, the store has the old package or the new one and no change is lost")
    func stoppedAtEveryStep() async throws {
        let steps = FaultyFileSystem(PosixFileSystem())
        try await script(RealWorld(), on: steps)
        for step in stride(from: 1, through: steps.steps.count, by: 3) {
            let world = try RealWorld()
            let isConfirmed = try await script(
                world,
                on: FaultyFileSystem(PosixFileSystem(), faults: [.stopping(step: step)])
            )
            let session = try await world.open()
            let depth = try RealWorld.wells(session.package)["North"]?.values["depth"]
            let published = try world.published("North")["depth"]
            if isConfirmed { #expect(depth == .integer(11), "step \(step)") }
            #expect(published == .integer(10) || published == .integer(11), "step \(step)")
            #expect(await session.changeCount == (depth == published ? 0 : 1), "step \(step)")
            #expect(try RealWorld.format.findFaults(in: world.package) == [], "step \(step)")
            await session.close()
        }
    }

    /// Edits and publishes; returns whether the edit was confirmed.
    @discardableResult
    private func script(_ world: RealWorld, on files: any FileSystem) async throws -> Bool {
        var isConfirmed = false
        var opened: EditSession?
        do {
            let session = try await world.copies(on: files).open(world.source, from: world.store)
            opened = session
            try await RealWorld.set("North", ["depth": .integer(11)], in: session)
            isConfirmed = true
            _ = try await world.publisher(on: files).publish(session, to: world.store)
        } catch {
            // Stopped; what is left is looked at.
        }
        await opened?.close()
        return isConfirmed
    }
}
