import MapDocs
import Testing
import TransportCore

/// A session whose process is killed, or whose disk fails, at every step there is.
struct EditSessionCrashTests {
    /// What a script has confirmed: what the working copy and its count must have after whatever happened.
    private struct Confirmed: Equatable {
        var depths: [Int64] = [10, 10, 10]
        var isHidden = false
        var notes = 0
        var published: [Int64] = [10, 10, 10]
        var isHiddenPublished = false
        var notesPublished = 0

        var changes: Int {
            zip(depths, published).count { $0 != $1 } + (isHidden != isHiddenPublished ? 1 : 0)
                + (notes - notesPublished)
        }
    }

    /// Edits, publishes, edits; returns what was confirmed, and what was under way when it stopped.
    private func run(_ world: SessionWorld) async -> (confirmed: Confirmed, underWay: Confirmed) {
        var confirmed = Confirmed()
        var next = confirmed
        do {
            let session = try await world.open()
            func confirm(_ change: (inout Confirmed) -> Void, _ body: () async throws -> Void) async throws {
                change(&next)
                try await body()
                confirmed = next
            }
            try await confirm({ $0.depths[0] = 11 }) {
                try await session.updateProperties(SessionWorld.well(1, ["depth": .integer(11)]))
            }
            try await confirm({ $0.notes = 1 }) { _ = try await session.addNote("Look", at: SessionWorld.place(0, 0)) }
            try await confirm({ $0.isHidden = true }) { try await session.setVisible(false, layer: "parcels") }
            try await confirm({
                $0.published = $0.depths
                $0.isHiddenPublished = $0.isHidden
                $0.notesPublished = $0.notes
            }) {
                guard case .published = try await world.publisher().publish(session, to: world.store) else {
                    throw SessionWorld.Unexpected()
                }
            }
            try await confirm({ $0.depths[1] = 21 }) {
                try await session.updateProperties(SessionWorld.well(2, ["depth": .integer(21)]))
            }
            try await confirm({ $0.depths[0] = 10 }) {
                try await session.updateProperties(SessionWorld.well(1, ["depth": .integer(10)]))
            }
            try await confirm({ $0.isHidden = false }) { try await session.setVisible(true, layer: "parcels") }
            await session.close()
        } catch {
            // What was under way may have happened or not.
        }
        return (confirmed, next)
    }

    private func found(_ session: EditSession, _ world: SessionWorld) async throws -> Confirmed {
        var found = Confirmed()
        func depths(_ package: any MapPackage) throws -> [Int64] {
            try (1...3).map { number in
                guard
                    case .integer(let depth)? = try package.feature(FeatureID("w\(number)"), in: "wells")?.values[
                        "depth"
                    ]
                else { throw SessionWorld.Unexpected() }
                return depth
            }
        }
        found.depths = try depths(session.package)
        found.isHidden = await session.project.layer("parcels")?.isVisible == false
        found.notes = try await session.notes().count
        let published = try await world.published()
        found.published = try depths(published.package)
        found.isHiddenPublished = published.project.layer("parcels")?.isVisible == false
        let hasNotes = try published.package.tables().contains { $0.name == "notes" }
        found.notesPublished = hasNotes ? try published.package.featureCount(in: "notes") : 0
        return found
    }

    private func check(_ world: SessionWorld, _ confirmed: Confirmed, _ underWay: Confirmed, _ step: Int) async throws {
        let healthy = SessionWorld(world, files: world.memory)
        let session = try await healthy.open()
        let found = try await found(session, healthy)
        #expect(found == confirmed || found == underWay, "step \(step): \(found), \(confirmed), \(underWay)")
        #expect(await session.changeCount == found.changes, "step \(step)")
        // It can be published from here; that is the same from most steps.
        guard step.isMultiple(of: 6) else { return await session.close() }
        if found.changes > 0 {
            guard case .published = try await healthy.publisher().publish(session, to: healthy.store) else {
                Issue.record("step \(step): not published")
                return
            }
        }
        #expect(await session.changeCount == 0, "step \(step)")
        var after = try await self.found(session, healthy)
        after.published = after.depths
        #expect(after.depths == found.depths && after.notes == after.notesPublished, "step \(step)")
        await session.close()
    }

    /// How many steps the script takes when nothing goes wrong.
    private func steps() async throws -> Int {
        let world = try await SessionWorld.withProject()
        let counting = FaultyFileSystem(world.memory)
        let result = await run(SessionWorld(world, files: counting))
        #expect(result.confirmed == result.underWay && result.confirmed.changes == 3)
        return counting.steps.count
    }

    @Test("Killed at any step, every confirmed change and the count are there when it is opened again (case 18)")
    func killedAtEveryStep() async throws {
        for step in 1...(try await steps()) {
            let world = try await SessionWorld.withProject()
            let killed = FaultyFileSystem(world.memory, faults: [.stopping(step: step)])
            let (confirmed, underWay) = await run(SessionWorld(world, files: killed))
            try await check(world, confirmed, underWay, step)
        }
    }

    @Test("When the machine crashes at any step, what was confirmed is there", arguments: [0, 1, 2, 3, 4] as [UInt64])
    func crashedAtEveryStep(seed: UInt64) async throws {
        for step in stride(from: 1 + Int(seed), through: try await steps(), by: 5) {
            let world = try await SessionWorld.withProject()
            let killed = FaultyFileSystem(world.memory, faults: [.stopping(step: step)])
            let (confirmed, underWay) = await run(SessionWorld(world, files: killed))
            world.memory.crash(seed: seed)
            try await check(world, confirmed, underWay, step)
        }
    }

    @Test(
        "A disk that is full or fails at any one step costs no confirmed change",
        arguments: [FileSystemError.Code.full, .failed]
    )
    func failingAtEveryStep(code: FileSystemError.Code) async throws {
        for step in stride(from: code == .full ? 1 : 2, through: try await steps(), by: 2) {
            let world = try await SessionWorld.withProject()
            let failing = FaultyFileSystem(world.memory, faults: [.failing(step: step, code)])
            let (confirmed, underWay) = await run(SessionWorld(world, files: failing))
            try await check(world, confirmed, underWay, step)
        }
    }

    @Test("A reload that fails at any one step leaves the work, its count and its record as they were")
    func reloadFailing() async throws {
        func reload(_ world: SessionWorld, _ files: FaultyFileSystem, _ begin: (Int) -> Void) async throws -> Bool {
            let session = try await SessionWorld(world, files: files).open()
            try await session.updateProperties(SessionWorld.well(1, ["depth": .integer(11)]))
            begin(files.steps.count)
            let losses = await session.losses()
            do {
                let fresh = try await SessionWorld(world, files: files).copies()
                    .reload(session, from: world.store, losing: losses)
                #expect(await fresh.changeCount == 0)
                await fresh.close()
                return true
            } catch {
                #expect(await session.changeCount == 1)
                try await session.updateProperties(SessionWorld.well(2, ["depth": .integer(12)]))
                await session.close()
                return false
            }
        }
        let counted = try await SessionWorld.withProject()
        let steps = FaultyFileSystem(counted.memory)
        var first = 0
        #expect(try await reload(counted, steps) { first = $0 })
        for step in (first + 1)...steps.steps.count {
            let world = try await SessionWorld.withProject()
            let failing = FaultyFileSystem(world.memory, faults: [.failing(step: step, .failed)])
            let isReloaded: Bool
            do {
                isReloaded = try await reload(world, failing) { _ in }
            } catch {
                Issue.record("step \(step): \(error)")
                continue
            }
            let again = try await world.open()
            #expect(await again.changeCount == (isReloaded ? 0 : 2), "step \(step)")
            await again.close()
        }
    }

    /// An independent model of the net changes: the states themselves, compared.
    private struct Model {
        var depths: [Int64?] = [10, 10, 10]
        var memos = ["", "", ""]
        var hidden: Set<String> = []
        var bookmarks: [String: String] = ["dock": "Dock"]
        var basemap = MapBasemap.standard
        var notes: [String: String] = [:]

        func changes(from base: Model) -> Int {
            var count = zip(depths, base.depths).count { $0 != $1 } + zip(memos, base.memos).count { $0 != $1 }
            count += hidden.symmetricDifference(base.hidden).count + (basemap == base.basemap ? 0 : 1)
            count += Set(bookmarks.keys).union(base.bookmarks.keys).count { bookmarks[$0] != base.bookmarks[$0] }
            count += Set(notes.keys).union(base.notes.keys).count { notes[$0] != base.notes[$0] }
            return count
        }
    }

    @Test(
        "Whatever is edited, set back, published, failed and stopped, the count is that of a model",
        arguments: 0..<6 as Range<UInt64>
    )
    func property(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let world = try await SessionWorld.withProject()
        var base = Model()
        var model = base
        var session = try await world.open()
        for step in 0..<60 {
            let well = random.nextInt(below: 3)
            switch random.nextInt(below: 14) {
            case 0...2:
                let depth: Int64? = random.nextBool(probability: 0.2) ? nil : Int64(9 + random.nextInt(below: 3))
                if !model.hidden.contains("wells") {
                    model.depths[well] = depth
                    let value = depth.map { FeatureValue.integer($0) } ?? .null
                    try await session.updateProperties(SessionWorld.well(well + 1, ["depth": value]))
                }
            case 3:
                let memo = ["", "a", "caf\u{E9}", "x\n\"\\\u{1F30D}"][random.nextInt(below: 4)]
                if !model.hidden.contains("wells") {
                    model.memos[well] = memo
                    try await session.updateProperties(SessionWorld.well(well + 1, ["memo": .text(memo)]))
                }
            case 4:
                let layer = random.nextBool(probability: 0.5) ? "wells" : "parcels"
                if model.hidden.remove(layer) == nil { model.hidden.insert(layer) }
                try await session.setVisible(!model.hidden.contains(layer), layer: layer)
            case 5:
                model.basemap = random.nextBool(probability: 0.5) ? .standard : .satellite
                try await session.setBasemap(model.basemap)
            case 6:
                let camera = try MapCamera(center: SessionWorld.place(1, 1), zoom: 2)
                model.bookmarks[try await session.saveBookmark(named: "B", camera: camera)] = "B"
            case 7:
                guard let id = model.bookmarks.keys.sorted().randomElement(using: &random) else { break }
                if random.nextBool(probability: 0.5) {
                    model.bookmarks[id] = nil
                    try await session.deleteBookmark(id)
                } else {
                    model.bookmarks[id] = ["Dock", "B", "C"][random.nextInt(below: 3)]
                    try await session.renameBookmark(id, to: model.bookmarks[id] ?? "")
                }
            case 8:
                let id = try await session.addNote("n", at: SessionWorld.place(2, 2))
                model.notes[id.text] = "n"
            case 9:
                guard let id = model.notes.keys.sorted().randomElement(using: &random) else { break }
                if random.nextBool(probability: 0.5) {
                    model.notes[id] = nil
                    try await session.deleteNote(FeatureID(id))
                } else {
                    model.notes[id] = ["n", "m"][random.nextInt(below: 2)]
                    try await session.updateNote(FeatureID(id), text: model.notes[id])
                }
            case 10: try await session.setCamera(MapCamera(center: SessionWorld.place(5, 5), zoom: 2))
            case 11:
                // Stopped without closing: the lock is free and nothing else happens.
                await session.close()
                session = try await world.open()
            case 12:
                if case .published = try await world.publisher().publish(session, to: world.store) { base = model }
            default:
                let failing = InterruptedStore(base: world.store) { () async throws(DocumentStoreError) in
                    throw DocumentStoreError(code: .storage, subject: "store", message: "The line was cut.")
                }
                _ = try? await world.publisher().publish(session, to: failing)
            }
            #expect(await session.changeCount == model.changes(from: base), "seed \(seed), step \(step)")
            #expect(await session.pendingChanges().count == model.changes(from: base), "seed \(seed), step \(step)")
        }
    }
}
