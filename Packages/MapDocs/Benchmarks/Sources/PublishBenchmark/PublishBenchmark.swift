import Foundation
import MapDocs
import MapGeoPackage
import MapStores
import TransportTLS

/// Publishes one edit of a package in a folder store, as the phone does; run-publish has the peer.
///
///     PublishBenchmark open STORE HOME NAME      makes the working copy
///     PublishBenchmark publish STORE HOME NAME   edits one attribute and prints the seconds that publishing took
@main
struct PublishBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5 else {
            print("usage: PublishBenchmark open | publish STORE HOME NAME")
            exit(2)
        }
        let digest = OpenSSLContentDigest()
        let files = PosixFileSystem()
        let store = FolderDocumentStore(arguments[2], digest: digest)
        let copies = WorkingCopies(
            home: arguments[3],
            files: files,
            format: GeoPackageFormat(digest: digest, now: { Date() }),
            digest: digest,
            device: "Benchmark",
            now: { Date().timeIntervalSince1970 },
            makeID: { UUID().uuidString.lowercased() }
        )
        let source = DocumentSource(store: "folder:\(arguments[2])", name: try DocumentName(title: arguments[4]))
        let session = try await copies.open(source, from: store)
        guard arguments[1] == "publish" else { return await session.close() }

        let layers = await session.project.layers
        guard let layer = layers.first, let feature = try session.package.feature(withKey: 1, in: layer.table) else {
            print("the package has no layer with a feature 1")
            exit(1)
        }
        try await session.updateProperties(
            UpdateProperties(
                layer: layer.id,
                feature: feature.id,
                values: ["name": .text("Edited \(UUID().uuidString)")]
            )
        )
        let publisher = DocumentPublisher(copies: copies, secrets: InMemorySecretStore(), timeZone: .gmt)
        let clock = ContinuousClock()
        let start = clock.now
        let report = try await publisher.publish(session, to: store)
        let seconds = (clock.now - start) / .seconds(1)
        await session.close()
        guard case .published = report else {
            print("not published: \(report)")
            exit(1)
        }
        print(String(format: "%.3f", seconds))
    }
}
