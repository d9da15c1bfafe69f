import DocumentStoreConformance
import MapDocs
import Testing
import TransportCore

struct DocumentStoreLawTests {
    private func subject() -> DocumentStoreSubject {
        let store = InMemoryDocumentStore(digest: SoftwareContentDigest())
        var subject = DocumentStoreSubject(store)
        subject.otherStore = store
        subject.setUnavailability = { await store.setUnavailability($0) }
        subject.hideRevision = { await store.setRevisionHidden(true, of: $0) }
        subject.damage = { await store.damage("data.gpkg", of: $0) }
        subject.overwrite = { name, path, bytes in
            let destination = InMemoryDocumentDestination()
            _ = try await store.fetch(name, into: destination) { _ in }
            var package = destination.package ?? [:]
            package[path] = bytes
            try await store.overwrite(
                name,
                with: try InMemoryDocumentContents(package, digest: SoftwareContentDigest())
            )
        }
        return subject
    }

    @Test("The store in memory keeps every promise", arguments: DocumentStoreLaw.allCases)
    func inMemory(_ law: DocumentStoreLaw) async {
        await law.check { subject() }
    }

    @Test("Each law notices a store that breaks it", arguments: DocumentStoreLaw.allCases)
    func cheating(_ law: DocumentStoreLaw) async {
        var subject = subject()
        subject.store = CheatingDocumentStore(subject.store, breaking: law)
        if law == .otherStoreSeesWhatWasPublished || law == .otherStoreCannotOverwrite {
            subject.otherStore = subject.store
            subject.store = InMemoryDocumentStore(digest: SoftwareContentDigest())
        }
        let violation = await law.violation(in: subject)
        #expect(violation != nil, "\(law.rawValue) does not notice the store that breaks it")
    }

    @Test("Laws that need what a backend cannot bring about do not apply")
    func abilities() async {
        let bare = DocumentStoreSubject(InMemoryDocumentStore(digest: SoftwareContentDigest()))
        #expect(bare.abilities.isEmpty)
        #expect(subject().abilities == Set(DocumentStoreAbility.allCases))
        #expect(await DocumentStoreLaw.unavailableSaysSoInEveryCall.violation(in: bare) == nil)
    }
}
