import MapDocs
import Synchronization

extension LawBench {
    func listsInByteOrder() async throws {
        let titles = ["harbour 3", "Zoo", "Ärger", "Harbour 2", "Harbour"]
        for title in titles {
            _ = try await store.publish(try staged(1, title), as: try name(title), replacing: .nothing)
        }
        let listed = try await store.list().map(\.name.fileName)
        let expected = try titles.map { try name($0).fileName }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        try require(listed == expected, "the list is \(listed) and not \(expected)")
        try require(try await store.list().allSatisfy(\.isDownloaded), "what was published here is not downloaded")
    }

    func listsTheRevisionsThatAreThere() async throws {
        let first = try await publish(1, "one")
        try await requireListed(first)
        try await requireListed(try await publish(try staged(2, "two"), over: .revision(first)))
    }

    private func requireListed(_ revision: DocumentRevision) async throws {
        let listed = try await store.list()
        try require(try listed.map(\.name) == [name()], "the list is \(listed.map(\.name.fileName))")
        if let shown = listed.first?.revision {
            try require(shown == revision, "revision \(revision.number) is listed as \(shown)")
        }
    }

    func watchGivesThePresentAndThenTheNewest() async throws {
        try await publish(1, "one")
        var listings = await store.watch().makeAsyncIterator()
        let present = await listings.next()
        try require(try present?.map(\.name) == [name()], "the first listing is \(present?.count ?? -1) documents")
        let other = try name("Zoo")
        _ = try await store.publish(try staged(1, "zoo"), as: other, replacing: .nothing)
        let next = await listings.next()
        try require(next?.last?.name == other, "the listing after a publish has not got what was published")
    }

    func slowWatcherGetsTheNewest() async throws {
        var listings = await store.watch().makeAsyncIterator()
        let titles = ["A", "B", "C", "D"]
        for title in titles {
            _ = try await store.publish(try staged(1, title), as: try name(title), replacing: .nothing)
        }
        // One listing can have been taken before the changes, and no more.
        var newest = await listings.next()
        if newest?.count != titles.count { newest = await listings.next() }
        try require(newest?.map(\.name.title) == titles, "a slow reader gets old listings")
    }

    func watchKeepsTheLastKnownWhileUnavailable() async throws {
        try await publish(1, "one")
        let known = try await store.list()
        try await subject.setUnavailability?(.offline)
        var listings = await store.watch().makeAsyncIterator()
        let shown = await listings.next()
        try require(shown == known, "while the store is unavailable the listing is \(shown?.count ?? -1) documents")
    }

    func missingDocumentIsNotFound() async throws {
        try await publish(1, "one")
        let missing = try name("Elsewhere")
        let revision = try await code(of: "the revision of a missing document") {
            _ = try await store.currentRevision(of: missing)
        }
        try require(revision == .notFound, "the revision of a missing document fails with \(revision)")
        let destination = WatchedDestination()
        let fetched = try await code(of: "fetching a missing document") {
            _ = try await store.fetch(missing, into: destination) { _ in }
        }
        try require(fetched == .notFound, "fetching a missing document fails with \(fetched)")
        try require(destination.state.withLock { $0.discards == 1 && $0.commits == 0 }, "it was not discarded")
    }

    func revisionIsThatOfTheContent() async throws {
        let first = try await publish(1, "one")
        _ = try await store.currentRevision(of: try name())
        try await subject.overwrite?(try name(), "data.gpkg", Array("ONE".utf8))
        let now = try await store.currentRevision(of: try name())
        try require(now.fingerprint != first.fingerprint, "other content of the same size has the same fingerprint")
        let expected = try staged(1, "ONE").revision.fingerprint
        try require(now.fingerprint == expected, "the fingerprint is not that of the content that is there")
        try require(try await fetch(try name()).revision.fingerprint == expected, "fetching gives another fingerprint")
    }

    func unknownRevisionIsSaid() async throws {
        try await publish(1, "one")
        try await subject.hideRevision?(try name())
        let found = try await code(of: "asking for a revision that the store cannot tell") {
            _ = try await store.currentRevision(of: try name())
        }
        try require(found == .revisionUnknown, "asking for a revision that the store cannot tell fails with \(found)")
        let listed = try await store.list()
        try require(listed.count == 1 && listed.first?.revision == nil, "the list tells a revision it cannot know")
    }

    func unavailableSaysSoInEveryCall() async throws {
        let first = try await publish(1, "one")
        let reason = DocumentUnavailability.offline
        try await subject.setUnavailability?(reason)
        try require(await store.unavailability == reason, "the reason is not \(reason)")
        let next = try staged(2, "two")
        let name = try name()
        let copies = try copies()
        let calls: [(String, () async throws -> Void)] = [
            ("list", { _ = try await store.list() }),
            ("the revision", { _ = try await store.currentRevision(of: name) }),
            ("fetch", { _ = try await store.fetch(name, into: WatchedDestination()) { _ in } }),
            ("publish", { _ = try await store.publish(next, as: name, replacing: .revision(first)) }),
            ("a conflict copy", { _ = try await store.createConflictCopy(next, named: copies) }),
        ]
        for (call, body) in calls {
            let found = try await code(of: call, body)
            try require(found == .unavailable(reason), "\(call) of an unavailable store fails with \(found)")
        }
        try await subject.setUnavailability?(nil)
        try require(await store.unavailability == nil, "the store stays unavailable")
        try await requireContent("one", "after the store was unavailable")
    }

    func errorsNameTheDocument() async throws {
        let missing = try name("Elsewhere")
        let notFound = try await error(of: "the revision of a missing document") {
            _ = try await store.currentRevision(of: missing)
        }
        let broken = StagedDocument(
            revision: try staged(1, "other").revision,
            contents: try InMemoryDocumentContents(package("one"), digest: digest)
        )
        let damaged = try await error(of: "publishing what is damaged") {
            _ = try await store.publish(broken, as: missing, replacing: .nothing)
        }
        for error in [notFound, damaged] {
            try require(error.message.contains("Elsewhere"), "“\(error.message)” does not name the document")
            try require(error.subject.contains("Elsewhere"), "“\(error.subject)” is not the document")
        }
    }
}
