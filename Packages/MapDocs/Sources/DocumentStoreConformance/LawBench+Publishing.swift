import MapDocs
import Synchronization

extension LawBench {
    func publishReportsWhatIsThere() async throws {
        let first = try staged(1, "one", at: 1_000)
        let created = try await publish(first)
        try require(created == first.revision, "revision 1 was reported as \(created)")
        try require(try await store.currentRevision(of: try name()) == created, "the store has another revision")
        let second = try staged(7, "two", at: 2_000.5)
        let replaced = try await publish(second, over: .revision(created))
        try require(replaced == second.revision, "revision 7 was reported as \(replaced)")
        try require(try await store.currentRevision(of: try name()) == replaced, "the store has another revision")
        try await requireContent("two", "after a publish")
    }

    func presentDocumentIsNotCreatedAgain() async throws {
        let first = try await publish(1, "one")
        let outcome = try await store.publish(try staged(2, "two"), as: try name(), replacing: .nothing)
        try require(outcome == .conflict(current: first), "creating a document that is there ends as \(outcome)")
        try await requireContent("one", "after a conflict")
    }

    func goneDocumentIsNotBroughtBack() async throws {
        let base = try staged(1, "one").revision
        let outcome = try await store.publish(try staged(2, "two"), as: try name(), replacing: .revision(base))
        try require(outcome == .conflict(current: nil), "publishing over a document that is gone ends as \(outcome)")
        try await requireNothingThere("after a conflict")
    }

    func olderBaseIsAConflict() async throws {
        let first = try await publish(6, "one")
        let second = try await publish(try staged(7, "one"), over: .revision(first))
        let outcome = try await store.publish(try staged(8, "mine"), as: try name(), replacing: .revision(first))
        try require(outcome == .conflict(current: second), "an older base with the same content ends as \(outcome)")
    }

    func otherContentIsAConflict() async throws {
        let first = try await publish(5, "one")
        _ = try await store.list()
        try await subject.overwrite?(try name(), "data.gpkg", Array("ONE".utf8))
        let outcome = try await store.publish(try staged(6, "mine"), as: try name(), replacing: .revision(first))
        guard case .conflict(let current) = outcome else {
            throw LawViolation(message: "content that changed with the same size and date was overwritten")
        }
        try require(
            try current?.fingerprint == staged(5, "ONE").revision.fingerprint,
            "the conflict does not name the content that is there"
        )
        try await requireContent("ONE", "after a conflict")
    }

    func datesDecideNothing() async throws {
        for (number, time) in [(1, 4_000_000_000.0), (2, -86_400), (3, 0)] {
            let base =
                number == 1 ? PublishBase.nothing : .revision(try await undatedRevision())
            let outcome = try await store.publish(
                try staged(number, "data \(number)", at: time),
                as: try name(),
                replacing: base
            )
            guard case .published = outcome else {
                throw LawViolation(message: "a document dated \(time) cannot be replaced: \(outcome)")
            }
        }
    }

    /// The revision that is there, with another date.
    private func undatedRevision() async throws -> DocumentRevision {
        let current = try await store.currentRevision(of: try name())
        return DocumentRevision(number: current.number, fingerprint: current.fingerprint, publishedAt: 1)
    }

    func conflictWritesNothing() async throws {
        let first = try await publish(1, "one")
        let listed = try await store.list()
        let other = DocumentRevision(number: 1, fingerprint: try staged(1, "other").revision.fingerprint)
        let outcome = try await store.publish(try staged(2, "mine"), as: try name(), replacing: .revision(other))
        try require(outcome == .conflict(current: first), "a base with other content ends as \(outcome)")
        try require(try await store.list() == listed, "a conflict changes the list")
        try await requireContent("one", "after a conflict")
    }

    func unknownRevisionRefusesToPublish() async throws {
        let first = try await publish(1, "one")
        try await subject.hideRevision?(try name())
        for base in [PublishBase.revision(first), .nothing] {
            let result: Result<PublishOutcome, DocumentStoreError>
            do {
                result = .success(try await store.publish(try staged(2, "mine"), as: try name(), replacing: base))
            } catch let error as DocumentStoreError {
                result = .failure(error)
            }
            if case .failure(let error) = result, error.code == .revisionUnknown { continue }
            throw LawViolation(message: "publishing over a revision that the store cannot tell ends as \(result)")
        }
    }

    func meetingPublishersHaveOneWinner() async throws {
        let first = try await publish(5, "base")
        let rival = try staged(6, "rival")
        let name = try name()
        let other = subject.otherStore ?? store
        let mine = try staged(6, "mine")
        let contents = InterruptedContents(
            inner: try InMemoryDocumentContents(package("mine"), digest: digest)
        ) { () throws(DocumentStoreError) in
            _ = try await other.publish(rival, as: name, replacing: .revision(first))
        }
        let outcome = try await store.publish(
            StagedDocument(revision: mine.revision, contents: contents),
            as: name,
            replacing: .revision(first)
        )
        try require(
            outcome == .conflict(current: rival.revision),
            "publishing over somebody who published in the meantime ends as \(outcome)"
        )
        try await requireContent("rival", "after two publishers met")
    }

    func racingPublishersHaveOneWinner() async throws {
        let first = try await publish(5, "base")
        let name = try name()
        let stores = [store, subject.otherStore ?? store]
        let outcomes = try await withThrowingTaskGroup(of: PublishOutcome.self) { group in
            for index in 0..<12 {
                let staged = try staged(6, "edit \(index)")
                group.addTask {
                    try await stores[index % 2].publish(staged, as: name, replacing: .revision(first))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let current = try await store.currentRevision(of: name)
        let winners = outcomes.filter { $0 == .published(current) }
        try require(winners.count == 1, "of twelve publishers \(winners.count) have what is there")
        let losers = outcomes.filter { $0 == .conflict(current: current) }
        try require(losers.count == 11, "of twelve publishers \(losers.count) were told about the winner: \(outcomes)")
    }

    func otherStoreSeesWhatWasPublished() async throws {
        guard let other = subject.otherStore else { return }
        let first = try await publish(1, "one")
        try require(try await other.currentRevision(of: try name()) == first, "it has another revision")
        try require(try await other.list().map(\.name) == [try name()], "it does not list the document")
        try require(
            try await fetch(try name(), from: other).package == canonical(package("one")),
            "it has other content"
        )
    }

    func otherStoreCannotOverwrite() async throws {
        guard let other = subject.otherStore else { return }
        let first = try await publish(1, "one")
        _ = try await other.list()
        let second = try await publish(try staged(2, "two"), over: .revision(first))
        let outcome = try await other.publish(try staged(2, "mine"), as: try name(), replacing: .revision(first))
        try require(outcome == .conflict(current: second), "another store publishes over it: \(outcome)")
        try await requireContent("two", "after another store's conflict")
    }

    func documentsAreSeparate() async throws {
        let first = try await publish(1, "one")
        let other = try name("Zoo")
        let created = try await store.publish(try staged(1, "zoo"), as: other, replacing: .nothing)
        guard case .published(let base) = created else {
            throw LawViolation(message: "a second document ends as \(created)")
        }
        _ = try await store.publish(try staged(2, "zoo two"), as: other, replacing: .revision(base))
        try require(try await store.currentRevision(of: try name()) == first, "another document's revision changed")
        try await requireContent("one", "after another document was published")
        try await requireContent("zoo two", "after it was published", of: other)
    }

    func wrongFingerprintIsRefused() async throws {
        let first = try await publish(1, "one")
        let wrong = StagedDocument(
            revision: try staged(2, "other").revision,
            contents: try InMemoryDocumentContents(package("mine"), digest: digest)
        )
        let found = try await code(of: "publishing files that are not those of the revision") {
            _ = try await store.publish(wrong, as: try name(), replacing: .revision(first))
        }
        try require(found == .damaged, "files that are not those of the revision fail with \(found)")
        try await requireContent("one", "after a refused publish")
    }

    func wrongBytesAreRefused(longer: Bool) async throws {
        let first = try await publish(1, "one")
        let mine = try staged(2, "mine")
        let lying = LyingContents(
            files: mine.contents.files,
            inner: try InMemoryDocumentContents(package(longer ? "mine and more" : "MINE"), digest: digest)
        )
        let wrong = StagedDocument(revision: mine.revision, contents: lying)
        let found = try await code(of: "publishing bytes that are not those of their file") {
            _ = try await store.publish(wrong, as: try name(), replacing: .revision(first))
        }
        try require(found == .damaged, "bytes that are not those of their file fail with \(found)")
        try await requireContent("one", "after a refused publish")
    }

    func numberMustGrow() async throws {
        let first = try await publish(2, "one")
        for number in [1, 2] {
            let found = try await code(of: "publishing \(number) over 2") {
                _ = try await store.publish(try staged(number, "x"), as: try name(), replacing: .revision(first))
            }
            try require(found == .damaged, "publishing \(number) over 2 fails with \(found)")
        }
        try await requireContent("one", "after a refused publish")
    }

    func unreadablePackageWritesNothing() async throws {
        let gone = DocumentStoreError(code: .storage, subject: "card", message: "The card is gone; put it back.")
        let contents = InterruptedContents(
            inner: try InMemoryDocumentContents(package("mine"), digest: digest)
        ) { () throws(DocumentStoreError) in
            throw gone
        }
        let staged = StagedDocument(revision: try staged(1, "mine").revision, contents: contents)
        let error = try await error(of: "publishing what cannot be read") {
            _ = try await store.publish(staged, as: try name(), replacing: .nothing)
        }
        try require(error == gone, "what cannot be read fails with: \(error)")
        try await requireNothingThere("after a package that could not be read")
    }

    func cancelledPublishWritesNothing() async throws {
        let first = try await publish(1, "one")
        let next = try staged(2, "two")
        let name = try name()
        try await requireCancelled("publishing") {
            _ = try await store.publish(next, as: name, replacing: .revision(first))
        }
        try await requireContent("one", "after a cancelled publish")
    }

    func publishCancelledHalfwayWritesNothing() async throws {
        let contents = InterruptedContents(
            inner: try InMemoryDocumentContents(package("mine"), digest: digest)
        ) { () throws(DocumentStoreError) in
            withUnsafeCurrentTask { $0?.cancel() }
        }
        let staged = StagedDocument(revision: try staged(1, "mine").revision, contents: contents)
        let name = try name()
        try await requireCancelling("publishing") {
            _ = try await store.publish(staged, as: name, replacing: .nothing)
        }
        try await requireNothingThere("after a cancelled publish")
    }
}
