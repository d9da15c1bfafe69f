import MapDocs
import Synchronization

extension LawBench {
    func fetchGivesWhatWasPublished() async throws {
        let revision = try await publish(try staged(3, "one", at: 1_000))
        let fetched = try await fetch(try name())
        try require(fetched.revision == revision, "revision 3 is fetched as \(fetched.revision)")
        try require(try fetched.package == canonical(package("one")), "what is fetched is not what was published")
    }

    func everyFileSurvives() async throws {
        var package = package(String(repeating: "parcel ", count: 10_000))
        package["tiles/12/655/1430.pbf"] = [0, 1, 2, 255]
        package["tiles/12/empty"] = []
        package["Notes by Ängström.txt"] = Array("keep me".utf8)
        package["project.json"] = Array(#"{"format":"gispad","x-other":{"b":1,"a":[9007199254740993,2.50]}}"#.utf8)
        try await publish(try staged(1, package))
        let fetched = try await fetch(try name()).package
        try require(
            try fetched == canonical(package),
            "\(Set(package.keys).subtracting(fetched.keys).sorted()) were lost or files were changed"
        )
    }

    func progressGrowsToTheWhole() async throws {
        try await publish(1, String(repeating: "parcel ", count: 100_000))
        let steps = Mutex<[DocumentProgress]>([])
        _ = try await store.fetch(try name(), into: InMemoryDocumentDestination()) { step in
            steps.withLock { $0.append(step) }
        }
        let seen = steps.withLock { $0 }
        try require(seen.count > 2, "a package of 700,000 bytes is fetched in \(seen.count) steps")
        let growing = zip(seen, seen.dropFirst()).allSatisfy { $0.completedBytes <= $1.completedBytes }
        try require(growing, "the progress goes back")
        try require(seen.last.map { $0.completedBytes == $0.totalBytes } ?? false, "the last progress is not complete")
    }

    func fetchIsWholeWhileSomebodyPublishes() async throws {
        let first = try await publish(1, String(repeating: "one ", count: 150_000))
        let second = try staged(2, String(repeating: "two ", count: 150_000))
        let name = try name()
        let publisher = subject.otherStore ?? store
        let outcome = Mutex<PublishOutcome?>(nil)
        let destination = WatchedDestination(onAppend: { count throws(DocumentStoreError) in
            guard count == 1 else { return }
            let result = try await publisher.publish(second, as: name, replacing: .revision(first))
            outcome.withLock { $0 = result }
        })
        let fetched = try await store.fetch(name, into: destination) { _ in }
        try require(outcome.withLock { $0 } == .published(second.revision), "nobody can publish while one fetches")
        let package = try canonical(destination.state.withLock { $0.received })
        let whole = try InMemoryDocumentContents(package, digest: digest).files
        try require(
            try DocumentFingerprint(of: whole, digest: digest) == fetched.fingerprint,
            "the files are not those of the revision that was reported"
        )
        try require(
            fetched.isSameState(as: first) || fetched.isSameState(as: second.revision),
            "what was fetched is neither the old revision nor the new one"
        )
    }

    func damagedDocumentIsNeverCommitted() async throws {
        try await publish(1, "one")
        try await subject.damage?(try name())
        let destination = WatchedDestination()
        let found = try await code(of: "fetching a damaged document") {
            _ = try await store.fetch(try name(), into: destination) { _ in }
        }
        try require(found == .damaged, "fetching a damaged document fails with \(found)")
        try require(destination.state.withLock { $0.commits } == 0, "a damaged document was committed")
        try require(destination.state.withLock { $0.discards } == 1, "a damaged document was not discarded")
    }

    func destinationIsCommittedOnce() async throws {
        try await publish(1, "one")
        let destination = WatchedDestination()
        _ = try await store.fetch(try name(), into: destination) { _ in }
        let state = destination.state.withLock { ($0.commits, $0.discards) }
        try require(state == (1, 0), "a fetch that worked commits \(state.0) times and discards \(state.1) times")
    }

    func failedDestinationIsDiscarded() async throws {
        try await publish(1, "one")
        let full = DocumentStoreError(code: .storage, subject: "disk", message: "The disk is full; make room.")
        let destinations = [
            WatchedDestination(onAppend: { _ throws(DocumentStoreError) in throw full }),
            WatchedDestination(onCommit: { () throws(DocumentStoreError) in throw full }),
        ]
        for destination in destinations {
            let error = try await error(of: "fetching into a full destination") {
                _ = try await store.fetch(try name(), into: destination) { _ in }
            }
            try require(error == full, "a full destination's error comes as: \(error)")
            let state = destination.state.withLock { ($0.commits, $0.discards) }
            try require(state == (0, 1), "a full destination was discarded \(state.1) times")
        }
    }

    func cancelledFetchLeavesNothing() async throws {
        try await publish(1, "one")
        let destination = WatchedDestination()
        let name = try name()
        try await requireCancelled("fetching") { _ = try await store.fetch(name, into: destination) { _ in } }
        let state = destination.state.withLock { ($0.commits, $0.discards) }
        try require(state == (0, 1), "a cancelled fetch commits \(state.0) times and discards \(state.1) times")
    }

    func fetchCancelledHalfwayLeavesNothing() async throws {
        try await publish(1, String(repeating: "parcel ", count: 100_000))
        let destination = WatchedDestination(onAppend: { _ in withUnsafeCurrentTask { $0?.cancel() } })
        let name = try name()
        try await requireCancelling("fetching") { _ = try await store.fetch(name, into: destination) { _ in } }
        let state = destination.state.withLock { ($0.commits, $0.discards) }
        try require(state == (0, 1), "a cancelled fetch commits \(state.0) times and discards \(state.1) times")
    }
}
