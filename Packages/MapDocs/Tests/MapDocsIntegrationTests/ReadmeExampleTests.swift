import Foundation
import MapDocs
import MapGeoPackage
import MapStores
import Testing
import TransportCore

struct ReadmeExampleTests {
    /// What the README shows; there is no project in /maps, so it ends where it would be fetched.
    private func example(_ digest: any ContentDigest) async throws -> PublishReport {
        let format = GeoPackageFormat(digest: digest, now: { Date() })
        let store = FolderDocumentStore("/maps", digest: digest)
        let copies = WorkingCopies(
            home: "/app/maps",
            files: PosixFileSystem(),
            format: format,
            digest: digest,
            device: "Phone",
            now: { Date().timeIntervalSince1970 },
            makeID: { UUID().uuidString.lowercased() }
        )
        let source = DocumentSource(store: "folder:/maps", name: try DocumentName(title: "World"))
        let session = try await copies.open(source, from: store)
        try await session.setVisible(false, layer: "roads")
        let publisher = DocumentPublisher(copies: copies, secrets: InMemorySecretStore(), timeZone: .current)
        let report = try await publisher.publish(session, to: store)  // published, conflict, nothing to publish
        return report
    }

    @Test("The README's example of publishing compiles, and says what is missing")
    func readmeIsCompiled() async throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(readme.components(separatedBy: "<!-- publishing example -->").dropFirst().first)
        let source = try String(contentsOf: here, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("```") }
        #expect(lines.count >= 10)
        for line in lines { #expect(source.contains(line), "\(line)") }
        // Compiled, not run: it names folders of a device.
        _ = example
    }
}
