import Foundation
import MapAuthoring
import MapDocs
import MapGeoPackage
import MapStores
import Synchronization
import TransportCore
import TransportTLS

/// A folder store with one GeoPackage project and a device beside it, in a folder that is gone after its test.
final class RealWorld: Sendable {
    let root: String
    let files: any FileSystem
    let store: FolderDocumentStore
    let name: DocumentName
    let source: DocumentSource
    private let counter = Mutex(0)

    static let digest = OpenSSLContentDigest()
    static let format = GeoPackageFormat(
        digest: digest,
        now: { Date(timeIntervalSince1970: 1_795_961_025) },
        busyTimeout: .zero
    )

    private static let wells = #"""
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[0,1]},"properties":{"name":"North","depth":10,"memo":""}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":{"name":"South","depth":10,"memo":null}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"name":"East","depth":10,"memo":"x"}}
        ]}
        """#

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("session-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: "\(root)/store", withIntermediateDirectories: true)
        files = PosixFileSystem()
        store = FolderDocumentStore("\(root)/store", digest: Self.digest)
        name = try DocumentName(title: "Harbour")
        source = DocumentSource(store: "folder:\(root)/store", name: name)
        try MapPackageAuthor.make(at: package, format: Self.format, random: SeededRandom(seed: 1)) {
            (author) throws(MapAuthoringError) in
            try author.importGeoJSON(Array(Self.wells.utf8), named: "wells")
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    /// The package in the store.
    var package: String { "\(root)/store/Harbour.gispad" }

    func copies(on files: (any FileSystem)? = nil, device: String = "Phone") -> WorkingCopies {
        WorkingCopies(
            home: "\(root)/home",
            files: files ?? self.files,
            format: Self.format,
            digest: Self.digest,
            device: device,
            now: { 1_795_961_025 },
            makeID: { [self] in
                counter.withLock {
                    $0 += 1
                    return "00000000-0000-4000-8000-\(1_000_000 + $0)"
                }
            }
        )
    }

    func publisher(_ secrets: [String: String] = [:], on files: (any FileSystem)? = nil) -> DocumentPublisher {
        DocumentPublisher(copies: copies(on: files), secrets: InMemorySecretStore(secrets), timeZone: .gmt)
    }

    func open() async throws -> EditSession {
        try await copies().open(source, from: store)
    }

    /// The wells of a package, by their names.
    static func wells(_ package: any MapPackage) throws -> [String: MapFeature] {
        var wells: [String: MapFeature] = [:]
        try package.readFeatures(in: "wells", FeatureQuery()) { (feature) throws(MapPackageError) in
            if case .text(let name) = feature.values["name"] { wells[name] = feature }
            return true
        }
        return wells
    }

    /// A change of one well of a session, by its name.
    static func set(_ well: String, _ values: [String: FeatureValue], in session: EditSession) async throws {
        guard let feature = try wells(session.package)[well], let layer = await session.project.layers.first else {
            throw Missing()
        }
        try await session.updateProperties(UpdateProperties(layer: layer.id, feature: feature.id, values: values))
    }

    struct Missing: Error {}

    /// What the store has of one well.
    func published(_ well: String) throws -> [String: FeatureValue] {
        let opened = try Self.format.open(package, for: .reading)
        defer { opened.close() }
        return try Self.wells(opened)[well]?.values ?? [:]
    }

    /// Changes the package in the store as another program does, without a new revision.
    func changeElsewhere(_ change: (any MapPackageEdits, [String: MapFeature]) throws(MapPackageError) -> Void) throws {
        let opened = try Self.format.open(package, for: .editing)
        let wells = try Self.wells(opened)
        try opened.transaction { (edits) throws(MapPackageError) in try change(edits, wells) }
        try opened.copyDatabase(to: "\(package)/clean")
        opened.close()
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: "\(package)/data.gpkg\(ending)")
        }
        try FileManager.default.moveItem(atPath: "\(package)/clean", toPath: "\(package)/data.gpkg")
    }
}
