import Foundation
import MapDocs
import Synchronization
import Testing
import TransportCore

/// A store with something that happens around its publish.
struct InterruptedStore: DocumentStore {
    let base: InMemoryDocumentStore
    var before: @Sendable () async throws(DocumentStoreError) -> Void = { () async throws(DocumentStoreError) in }
    var after: @Sendable () async throws(DocumentStoreError) -> Void = { () async throws(DocumentStoreError) in }

    var unavailability: DocumentUnavailability? { get async { await base.unavailability } }

    func list() async throws(DocumentStoreError) -> [DocumentListing] { try await base.list() }

    func watch() async -> AsyncStream<[DocumentListing]> { await base.watch() }

    func currentRevision(of name: DocumentName) async throws(DocumentStoreError) -> DocumentRevision {
        try await base.currentRevision(of: name)
    }

    func fetch(
        _ name: DocumentName,
        into destination: any DocumentDestination,
        progress: @Sendable (DocumentProgress) -> Void
    ) async throws(DocumentStoreError) -> DocumentRevision {
        try await base.fetch(name, into: destination, progress: progress)
    }

    func publish(
        _ staged: StagedDocument,
        as name: DocumentName,
        replacing publishBase: PublishBase
    ) async throws(DocumentStoreError) -> PublishOutcome {
        try await before()
        let outcome = try await base.publish(staged, as: name, replacing: publishBase)
        try await after()
        return outcome
    }

    func createConflictCopy(
        _ staged: StagedDocument,
        named names: ConflictCopyName
    ) async throws(DocumentStoreError) -> DocumentName {
        try await base.createConflictCopy(staged, named: names)
    }
}

struct DocumentPublisherTests {
    private static let storage = DocumentStoreError(code: .storage, subject: "store", message: "The line was cut.")

    private func edit(_ session: EditSession, well: Int = 1, depth: Int64 = 12) async throws {
        try await session.updateProperties(SessionWorld.well(well, ["depth": .integer(depth)]))
    }

    private func depth(_ well: Int, _ world: SessionWorld) async throws -> FeatureValue? {
        try await world.published().package.feature(FeatureID("w\(well)"), in: "wells")?.values["depth"]
    }

    @Test(
        "A publish raises the revision, says when and who, leaves nothing to publish, and keeps what it does not know"
    )
    func publishes() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        let progress = Mutex<[DocumentProgress]>([])
        let report = try await world.publisher().publish(session, to: world.store) { step in
            progress.withLock { $0.append(step) }
        }
        let steps = progress.withLock { $0.map(\.completedBytes) }
        #expect(steps.count > 1 && steps == steps.sorted() && progress.withLock { $0.last?.fraction } == 1)
        let current = try await world.store.currentRevision(of: world.name)
        #expect(report == .published(current))
        #expect(current.number == 6 && current.publishedAt == SessionWorld.now && current.publishedBy == "Phone")
        #expect(await session.changeCount == 0)
        #expect(await session.base == current)
        #expect(try await world.publisher().publish(session, to: world.store) == .nothingToPublish(current))
        let published = try await world.published()
        #expect(published.project.revisionNumber == 6)
        #expect(published.project.claimedFingerprint == current.fingerprint)
        #expect(try await depth(1, world) == .integer(12))
        // Case 25: unknown members and files.
        #expect(published.project.json["x_other"]?.text == #"{"kept":[1.50]}"#)
        #expect(published.project.json["layers"]?.elements?[1]["x_layer"] == true)
        #expect(published.files.keys.sorted() == ["data.json", "notes.txt", "project.json"])
        #expect(published.files["notes.txt"] == Array("by hand".utf8))
        let text = String(decoding: published.files["project.json"] ?? [], as: UTF8.self)
        #expect(!text.contains("id-1") && !text.contains("session"))
    }

    @Test("A second program's tables and files survive a publish (case 25)")
    func unknownParts() async throws {
        let world = try SessionWorld()
        let contents = try world.package(others: ["photos/a.jpg": [1, 2], "empty": []])
        let json = try JSONValue(parsing: await contents.read("data.json", from: 0, count: 1 << 20))
        let withOther = JSONValue.object(
            (json.members ?? []) + [.init(name: "their_table", value: ["rows": [1, "x"]])]
        )
        let files: [String: [UInt8]] = [
            "project.json": Array(SessionWorld.project().utf8), "data.json": withOther.bytes, "photos/a.jpg": [1, 2],
            "empty": [],
        ]
        try await world.put(InMemoryDocumentContents(files, digest: world.digest), number: 5)
        let session = try await world.open()
        try await edit(session)
        _ = try await world.publisher().publish(session, to: world.store)
        let published = try await world.published()
        #expect(published.files["photos/a.jpg"] == [1, 2] && published.files["empty"] == [])
        #expect(try JSONValue(parsing: published.files["data.json"] ?? [])["their_table"]?.text == #"{"rows":[1,"x"]}"#)
    }

    @Test(
        "Large integers are the same after a publish (case 14)",
        arguments: [2_192_502_720, 9_007_199_254_740_993, Int64.min]
    )
    func largeIntegers(value: Int64) async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session, depth: value)
        _ = try await world.publisher().publish(session, to: world.store)
        #expect(try await depth(1, world) == .integer(value))
    }

    @Test("What somebody else published meanwhile is a conflict, compared in words, and nothing is written (case 7)")
    func conflict() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session, well: 1)
        try await edit(session, well: 2)
        try await edit(session, well: 3)
        try await session.setVisible(false, layer: "wells")
        let theirProject = SessionWorld.project().replacing(#""name":"Dock""#, with: #""name":"Quay""#)
        let theirs = try await world.put(
            world.package(project: theirProject) { (edits) throws(MapPackageError) in
                try edits.update(["depth": .integer(99)], of: FeatureID("w1"), in: "wells")
                try edits.update(["depth": .integer(12)], of: FeatureID("w2"), in: "wells")
                try edits.delete(FeatureID("w3"), from: "wells")
                try edits.insert(FeatureID("w4"), geometry: nil, values: ["name": .text("West")], into: "wells")
            },
            number: 7
        )
        guard case .conflict(let conflict) = try await world.publisher().publish(session, to: world.store) else {
            Issue.record("no conflict")
            return
        }
        #expect(conflict.current == theirs && conflict.base.number == 5)
        #expect(conflict.message == "The iCloud copy changed since you started editing.")
        #expect(
            ConflictChoice.allCases.map { $0.title(for: world.source) } == [
                "Reload iCloud version", "Save as conflict copy", "Cancel",
            ]
        )
        let comparison = try #require(conflict.comparison)
        #expect(
            comparison.theirs.map(\.words) == [
                "Bookmark renamed: Dock → Quay", "Depth of “North” in Wells: 10 → 99",
                "Depth of “South” in Wells: 10 → 12", "“East” deleted in Wells", "“West” added in Wells",
            ]
        )
        #expect(comparison.ours.count == 4)
        #expect(
            comparison.both.map(\.words) == [
                "There: Depth of “North” in Wells: 10 → 99. Here: Depth of “North” in Wells: 10 → 12",
                "Both made the same change: Depth of “South” in Wells: 10 → 12",
                "There: “East” deleted in Wells. Here: Depth of “East” in Wells: 10 → 12",
            ]
        )
        #expect(comparison.both.map(\.isSame) == [false, true, false])
        #expect(conflict.losses.words.hasPrefix("4 changes to “Harbour” will be lost: Layer “Wells”: shown → hidden; "))
        #expect(try await world.store.currentRevision(of: world.name) == theirs)
        #expect(await session.changeCount == 4)
        #expect(try await world.publisher().conflict(of: session, in: world.store) == conflict)
    }

    @Test("A document that is gone is a conflict, and is not brought back")
    func gone() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        let empty = InMemoryDocumentStore(digest: world.digest)
        guard case .conflict(let conflict) = try await world.publisher().publish(session, to: empty) else {
            Issue.record("no conflict")
            return
        }
        #expect(conflict.current == nil && conflict.message == "“Harbour” is not in iCloud any more.")
        #expect(try await empty.list().isEmpty)
    }

    @Test("Where only bytes differ the publish goes on over them (case 6)")
    func onlyBytes() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        var files = try await world.published().files
        files["data.json"] = Array(try JSONValue(parsing: files["data.json"] ?? []).indentedText.utf8)
        let touched = try InMemoryDocumentContents(files, digest: world.digest)
        try await world.store.overwrite(world.name, with: touched)
        #expect(try await world.publisher().conflict(of: session, in: world.store) == nil)
        let status = try await world.copies().status(of: world.source, in: world.store)
        #expect(status.state == .edited(changes: 1) && status.remote != status.base)
        guard case .published(let revision) = try await world.publisher().publish(session, to: world.store) else {
            Issue.record("not published")
            return
        }
        #expect(revision.number == 6)
        #expect(try await depth(1, world) == .integer(12))

        // One other value under the same number is a conflict.
        try await edit(session, depth: 13)
        try await world.store.overwrite(
            world.name,
            with: world.package { (edits) throws(MapPackageError) in
                try edits.update(["memo": .text("theirs")], of: FeatureID("w3"), in: "wells")
            }
        )
        guard case .conflict = try await world.publisher().publish(session, to: world.store) else {
            Issue.record("overwritten")
            return
        }
    }

    @Test("A store that cannot tell its revision is not written to, and nothing is lost (case 3)")
    func unknownRevision() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        await world.store.setRevisionHidden(true, of: world.name)
        #expect(
            await sessionCode { _ = try await world.publisher().publish(session, to: world.store) }
                == .store(.revisionUnknown)
        )
        #expect(await session.changeCount == 1)
        await world.store.setRevisionHidden(false, of: world.name)
        #expect(try await depth(1, world) == .integer(10))
        guard case .published = try await world.publisher().publish(session, to: world.store) else {
            Issue.record("not published")
            return
        }
    }

    @Test("What is changed while a publish runs is the next change; its failure or success decides from where")
    func editsMeanwhile() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session, well: 1, depth: 12)
        try await edit(session, well: 2, depth: 20)
        let meanwhile = InterruptedStore(
            base: world.store,
            before: { () async throws(DocumentStoreError) in
                try? await session.updateProperties(SessionWorld.well(1, ["depth": .integer(13)]))
                try? await session.updateProperties(SessionWorld.well(2, ["depth": .integer(10)]))
                try? await session.setVisible(false, layer: "parcels")
                #expect(await session.state.isPublishing)
                #expect(await session.changeCount == 2)
                let code = await sessionCode { _ = try await world.publisher().publish(session, to: world.store) }
                #expect(code == .publishing)
            }
        )
        _ = try await world.publisher().publish(session, to: meanwhile)
        #expect(try await depth(1, world) == .integer(12))
        #expect(
            await session.pendingChanges().map(\.words) == [
                "Layer “Parcels”: shown → hidden", "Depth of “North” in Wells: 12 → 13",
                "Depth of “South” in Wells: 20 → 10",
            ]
        )
        #expect(await !session.state.isPublishing)

        // And when it fails, the base is what it was.
        let failing = InterruptedStore(
            base: world.store,
            before: { () async throws(DocumentStoreError) in
                try? await session.updateProperties(SessionWorld.well(1, ["depth": .integer(12)]))
                throw Self.storage
            }
        )
        #expect(await sessionCode { _ = try await world.publisher().publish(session, to: failing) } == .store(.storage))
        let expected = ["Layer “Parcels”: shown → hidden", "Depth of “South” in Wells: 20 → 10"]
        #expect(await session.pendingChanges().map(\.words) == expected)
        await session.close()
        let again = try await world.open()
        #expect(await again.pendingChanges().map(\.words) == expected)
    }

    @Test("An answer that got lost is asked for: published all the same")
    func lostAnswer() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        let cut = InterruptedStore(
            base: world.store,
            after: { () async throws(DocumentStoreError) in throw Self.storage }
        )
        let report = try await world.publisher().publish(session, to: cut)
        #expect(try await report == .published(world.store.currentRevision(of: world.name)))
        #expect(await session.changeCount == 0)
    }

    @Test(
        "A stop between the store's swap and the new base is recognised by what the store has",
        arguments: [true, false]
    )
    func stoppedAfterSwap(isOfflineAtFirst: Bool) async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        let store = world.store
        let cut = InterruptedStore(
            base: store,
            after: { () async throws(DocumentStoreError) in
                // Neither the answer nor the question after it comes through.
                await store.setUnavailability(.offline)
                throw Self.storage
            }
        )
        #expect(await sessionCode { _ = try await world.publisher().publish(session, to: cut) } == .store(.storage))
        if isOfflineAtFirst {
            #expect(await session.changeCount == 1)
            await session.close()
            let offline = try await world.open()
            try await edit(offline, well: 2, depth: 21)
            #expect(await offline.changeCount == 2)
            await offline.close()
            await store.setUnavailability(nil)
            let online = try await world.open()
            #expect(await online.pendingChanges().map(\.words) == ["Depth of “South” in Wells: 10 → 21"])
            #expect(await online.base.number == 6)
            _ = try await world.publisher().publish(online, to: store)
        } else {
            await store.setUnavailability(nil)
            try await edit(session, well: 2, depth: 21)
            _ = try await world.publisher().publish(session, to: store)
            #expect(await session.changeCount == 0)
        }
        #expect(try await store.currentRevision(of: world.name).number == 7)
        #expect(try await depth(1, world) == .integer(12))
        #expect(try await depth(2, world) == .integer(21))
    }

    @Test(
        "A revision number that cannot grow stops the publish in words, and a conflict copy starts below it",
        arguments: [Int.max, (1 << 53) - 1]
    )
    func largestRevision(number: Int) async throws {
        let world = try SessionWorld()
        let base = try await world.put(world.package(), number: number)
        let session = try await world.open()
        try await edit(session)
        do {
            _ = try await world.publisher().publish(session, to: world.store)
            Issue.record("published")
        } catch {
            #expect(error.code == .unfit && error.message.contains("revision \(number), after which there is none"))
        }
        #expect(await session.changeCount == 1)
        #expect(try await world.store.currentRevision(of: world.name) == base)
        let kept = try await world.publisher().saveConflictCopy(session, in: world.store)
        #expect(try await world.published(kept.copy).project.revisionNumber == (1 << 53) - 1)
    }

    @Test("A layer without its table stops the publish by name")
    func missingTable() async throws {
        let project = SessionWorld.project().replacing(#""table":"parcels""#, with: #""table":"plots""#)
        let world = try await SessionWorld.withProject(project)
        let session = try await world.open()
        try await edit(session)
        do {
            _ = try await world.publisher().publish(session, to: world.store)
            Issue.record("published")
        } catch {
            #expect(error.code == .unfit)
            #expect(error.message.contains("the layer “Parcels” has no table “plots” in data.json"))
        }
        #expect(await session.changeCount == 1)
    }

    @Test("Reloading drops local work only after it was named")
    func reload() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        let losses = await session.losses()
        #expect(losses.words == "1 change to “Harbour” will be lost: Depth of “North” in Wells: 10 → 12.")
        try await edit(session, well: 2)
        #expect(
            await sessionCode { _ = try await world.copies().reload(session, from: world.store, losing: losses) }
                == .lossesChanged
        )
        await world.store.setUnavailability(.offline)
        let all = await session.losses()
        #expect(
            await sessionCode { _ = try await world.copies().reload(session, from: world.store, losing: all) }
                == .store(.unavailable(.offline))
        )
        #expect(await session.changeCount == 2)
        try await edit(session, well: 3)
        await world.store.setUnavailability(nil)
        let reloaded = try await world.copies().reload(session, from: world.store, losing: session.losses())
        #expect(await reloaded.changeCount == 0)
        #expect(try reloaded.package.feature(FeatureID("w1"), in: "wells")?.values["depth"] == .integer(10))
        #expect(await sessionCode { try await session.setVisible(false, layer: "wells") } == .closed)
        #expect(await sessionCode { _ = try await world.open() } == .inUse)
    }

    @Test("A conflict copy keeps both: the local work under its own name, the document as the store has it")
    func conflictCopy() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        let theirs = try await world.put(
            world.package { (edits) throws(MapPackageError) in
                try edits.update(["depth": .integer(99)], of: FeatureID("w1"), in: "wells")
            },
            number: 6
        )
        let kept = try await world.publisher().saveConflictCopy(session, in: world.store)
        #expect(kept.copy.title == "Harbour (conflict copy, Phone, 2026-11-29 14.03)")
        #expect(await kept.session.base == theirs)
        #expect(await kept.session.changeCount == 0)
        #expect(try await depth(1, world) == .integer(99))
        let copy = try await world.published(kept.copy)
        #expect(try copy.package.feature(FeatureID("w1"), in: "wells")?.values["depth"] == .integer(12))
        await kept.session.close()
        let opened = try await world.copies().open(
            DocumentSource(store: "memory:", name: kept.copy),
            from: world.store
        )
        #expect(await opened.changeCount == 0)
    }

    @Test("A conflict copy that cannot be kept loses nothing")
    func conflictCopyFails() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await edit(session)
        await world.store.setUnavailability(.signedOut)
        #expect(
            await sessionCode { _ = try await world.publisher().saveConflictCopy(session, in: world.store) }
                == .store(.unavailable(.signedOut))
        )
        try await edit(session, well: 2)
        #expect(await session.changeCount == 2)
    }
}

/// Secrets planted in a project, each in its own place (case 24).
struct SecretScanTests {
    private static let key = "pk.Zq7-secretive+key/90210"

    struct Plant: CustomStringConvertible, Sendable {
        let description: String
        var memo: String?
        var project: (from: String, to: String)?
        var file: (name: String, bytes: [UInt8])?
        let place: String
        let what: String
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static let percent = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""

    private static let known = "has the secret “maps”"

    static let plants: [Plant] = [
        Plant(
            description: "attribute",
            memo: "see \(key).",
            place: "data.json, table “wells”, column “memo”, row 1",
            what: known
        ),
        Plant(description: "base64", memo: base64(key), place: "column “memo”, row 1", what: known),
        Plant(
            description: "base64, shifted by one",
            memo: base64("x\(key)yz"),
            place: "column “memo”, row 1",
            what: known
        ),
        Plant(
            description: "base64, shifted by two",
            memo: base64("xy\(key)z"),
            place: "column “memo”, row 1",
            what: known
        ),
        Plant(
            description: "base64 for addresses",
            memo: base64("ab>?\(key)").replacing("+", with: "-").replacing("/", with: "_"),
            place: "column “memo”, row 1",
            what: known
        ),
        Plant(
            description: "base64 in lines",
            memo: base64(String(repeating: "a", count: 50) + key).enumerated().map { index, character in
                index == 76 ? "\r\n\(character)" : "\(character)"
            }.joined(),
            place: "column “memo”, row 1",
            what: known
        ),
        Plant(description: "percent-encoded", memo: percent, place: "column “memo”, row 1", what: known),
        Plant(
            description: "percent-encoded, small",
            memo: percent.lowercased().replacing("zq7", with: "Zq7"),
            place: "column “memo”, row 1",
            what: known
        ),
        Plant(
            description: "pattern password",
            memo: "host=a password='hunter2'",
            place: "column “memo”, row 1",
            what: "has “password=”"
        ),
        Plant(
            description: "pattern PASSWORD",
            memo: "PASSWORD=hunter2",
            place: "column “memo”, row 1",
            what: "has “password=”"
        ),
        Plant(
            description: "pattern in percents",
            memo: "q=1%26api_key%3Dhunter2",
            place: "column “memo”, row 1",
            what: "has “api_key=”"
        ),
        Plant(
            description: "pattern token",
            memo: "https://a.example/?token=x1",
            place: "column “memo”, row 1",
            what: "has “token=”"
        ),
        Plant(
            description: "pattern authcfg",
            memo: "authcfg=a1b2c3d",
            place: "column “memo”, row 1",
            what: "has “authcfg=”"
        ),
        Plant(
            description: "bearer",
            memo: "Authorization: Bearer eyJhbGciOi.abc",
            place: "column “memo”, row 1",
            what: "has “Bearer …”"
        ),
        Plant(
            description: "address",
            memo: "WFS https://me:hunter2@maps.example/x",
            place: "column “memo”, row 1",
            what: "has an address with a user and a password"
        ),
        Plant(
            description: "project",
            project: (#""x_layer":true"#, #""x_layer":{"deep":["\#(key)"]}"#),
            place: "project.json, “layers[1].x_layer.deep[0]”",
            what: known
        ),
        Plant(
            description: "escaped in project",
            project: (#""x_layer":true"#, #""x_layer":"\#(key.replacing("-", with: "\\u002d"))""#),
            place: "project.json, “layers[1].x_layer”",
            what: known
        ),
        Plant(
            description: "member in project",
            project: (#""x_layer":true"#, #""password":"hunter2""#),
            place: "project.json, “layers[1].password”",
            what: "has a value named “password”"
        ),
        Plant(
            description: "token member in project",
            project: (#""x_layer":true"#, #""accessToken":"hunter2""#),
            place: "project.json, “layers[1].accessToken”",
            what: "has a value named “accessToken”"
        ),
        Plant(
            description: "basemap in project",
            project: (#""basemap":"standard""#, #""basemap":{"url":"https://t.example/{z}?api_key=hunter2"}"#),
            place: "project.json, “basemap.url”",
            what: "has “api_key=”"
        ),
        Plant(
            description: "file name",
            file: ("\(key.replacing("/", with: "%2F")).txt", [1]),
            place: "the name of (a name that is not shown)",
            what: known
        ),
        Plant(description: "file", file: ("a/b.bin", [0, 255] + Array(key.utf8)), place: "“a/b.bin”", what: known),
        Plant(
            description: "file, across the end of a piece",
            file: ("big.bin", [UInt8](repeating: 7, count: (1 << 18) - 9) + Array(key.utf8)),
            place: "“big.bin”",
            what: known
        ),
    ]

    @Test("A planted secret stops the publish, the place is named and the secret is not", arguments: plants)
    func stops(_ plant: Plant) async throws {
        let world = try SessionWorld()
        var project = SessionWorld.project()
        if let change = plant.project {
            #expect(project.contains(change.from))
            project = project.replacing(change.from, with: change.to)
        }
        let others = plant.file.map { [$0.name: $0.bytes] } ?? [:]
        try await world.put(world.package(project: project, others: others), number: 5)
        let session = try await world.open()
        let memo = plant.memo ?? "nothing"
        try await session.updateProperties(SessionWorld.well(1, ["memo": .text(memo)]))
        var message = ""
        do {
            _ = try await world.publisher(["maps": Self.key, "other": "unrelated-secret"]).publish(
                session,
                to: world.store
            )
        } catch {
            #expect(error.code == .unfit)
            message = error.message
        }
        #expect(message.contains("\(plant.place) \(plant.what)"))
        for secret in [Self.key, "hunter2", Self.percent, Self.base64(Self.key), "eyJhbGciOi"] {
            #expect(!message.contains(secret))
        }
        #expect(await session.changeCount == 1)
        #expect(try await world.store.currentRevision(of: world.name).number == 5)
    }

    @Test("A note with a secret stops the publish too")
    func note() async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        _ = try await session.addNote("Gate: password=hunter2", at: SessionWorld.place(0, 0))
        do {
            _ = try await world.publisher().publish(session, to: world.store)
            Issue.record("published")
        } catch {
            #expect(error.message.contains("table “notes”, column “text”, row 1 has “password=”"))
        }
    }

    @Test(
        "Ordinary words are no secrets",
        arguments: [
            "The bearer certificates are old", "token = password", "password=",
            "mail me@a.example or http://a.example:80/",
            "https://a.example/x?y=1:2@3", "tokens=5 of 7", "100 % sure, 20%2", "Bearer of news",
        ]
    )
    func ordinary(text: String) async throws {
        let world = try await SessionWorld.withProject()
        let session = try await world.open()
        try await session.updateProperties(SessionWorld.well(1, ["memo": .text(text)]))
        guard case .published = try await world.publisher(["maps": Self.key]).publish(session, to: world.store) else {
            Issue.record("not published")
            return
        }
    }
}
