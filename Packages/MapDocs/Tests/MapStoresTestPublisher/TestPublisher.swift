import Foundation
import MapDocs
import MapStores
import TransportCore

/// Publishes to a folder store from a process of its own.
///
///     MapStoresTestPublisher kill FOLDER STEP [no-exchange]   publishes revision 2 and is killed before a step
///     MapStoresTestPublisher race FOLDER LAST TEXT            publishes until revision LAST, prints what it won
@main
struct TestPublisher {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let number = Int(arguments[3]) else { exit(2) }
        let harbour = try DocumentName(title: "Harbour")
        switch arguments[1] {
        case "kill":
            let changes = Counter()
            let files = FaultyFileSystem(
                PosixFileSystem(),
                faults: arguments.contains("no-exchange") ? [.noExchange] : []
            ) { step in
                if step.isChange, changes.next() == number { kill(getpid(), SIGKILL) }
            }
            let store = FolderDocumentStore(arguments[2], in: files, digest: SoftwareContentDigest())
            let base = try await store.currentRevision(of: harbour)
            _ = try await store.publish(
                try staged(base.number + 1, "new"),
                as: harbour,
                replacing: .revision(base)
            )
            print(changes.count)
        case "race":
            let store = FolderDocumentStore(arguments[2], digest: SoftwareContentDigest())
            while true {
                let base = try await store.currentRevision(of: harbour)
                guard base.number < number else { break }
                let next = try staged(base.number + 1, "\(arguments[4]) \(base.number + 1)")
                if case .published(let revision) = try await store.publish(
                    next,
                    as: harbour,
                    replacing: .revision(base)
                ) {
                    print(revision.number)
                }
            }
        default: exit(2)
        }
    }

    private static func staged(_ number: Int, _ data: String) throws -> StagedDocument {
        let contents = try InMemoryDocumentContents(
            [
                "data.gpkg": Array(String(repeating: data, count: 1_000).utf8),
                "project.json": Array(#"{"format":"gispad","version":1}"#.utf8),
                "tiles/1/a.pbf": Array(data.utf8),
            ],
            digest: SoftwareContentDigest()
        )
        let fingerprint = try DocumentFingerprint(of: contents.files, digest: SoftwareContentDigest())
        return StagedDocument(
            revision: DocumentRevision(number: number, fingerprint: fingerprint),
            contents: contents
        )
    }
}
