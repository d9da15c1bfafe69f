import Foundation
import MapAuthoring
import MapDocs
import MapGeoPackage
import TransportCore

/// A folder in which packages are made, gone after its test.
final class AuthoringFolder {
    let path: String
    let package: String

    static let format = GeoPackageFormat(
        digest: SoftwareContentDigest(),
        now: { Date(timeIntervalSince1970: 1_795_961_025) },
        busyTimeout: .zero
    )

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("author-\(UUID().uuidString)").path
        package = path + "/Map.gispad"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A GeoPackage that GDAL made.
    static func fixture(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("MapGeoPackageTests/Fixtures/\(name).gpkg").path
    }

    @discardableResult
    func make(
        seed: UInt64 = 1,
        progress: @escaping (ImportProgress) -> Bool = { _ in true },
        _ body: (MapPackageAuthor) throws(MapAuthoringError) -> Void
    ) throws -> [ImportedLayer] {
        try MapPackageAuthor.make(
            at: package,
            format: Self.format,
            random: SeededRandom(seed: seed),
            progress: progress,
            body
        )
    }

    @discardableResult
    func make(geoJSON: String, named name: String = "Layer") throws -> [ImportedLayer] {
        try make { author throws(MapAuthoringError) in try author.importGeoJSON(Array(geoJSON.utf8), named: name) }
    }

    func open() throws -> any MapPackage { try Self.format.open(package, for: .reading) }

    func features(of table: String = "Layer") throws -> [MapFeature] {
        var features: [MapFeature] = []
        try open().readFeatures(in: table, FeatureQuery()) { feature in
            features.append(feature)
            return true
        }
        return features
    }

    func project() throws -> MapProject {
        try MapProject(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: package + "/project.json"))))
    }

    /// What is in the folder, hidden things included.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
