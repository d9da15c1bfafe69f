import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing
import TransportCore

/// A package folder that is gone after its test.
final class TestFolder {
    let path: String
    let database: String

    /// Makes a folder with a database, or without one.
    ///
    /// - Parameter fixture: The name of a database among the fixtures, to be the package's; nil for none.
    /// - Throws: What the file system does.
    init(_ fixture: String? = nil) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("gpkg-\(UUID().uuidString).gispad")
        path = url.path
        database = url.appendingPathComponent("data.gpkg").path
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        guard let fixture else { return }
        try FileManager.default.copyItem(atPath: Self.fixture(fixture), toPath: database)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: database)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    static func fixture(_ name: String) throws -> String {
        try #require(Bundle.module.url(forResource: name, withExtension: "gpkg", subdirectory: "Fixtures")).path
    }

    /// A format whose clock stands still.
    static let format = GeoPackageFormat(
        digest: SoftwareContentDigest(),
        now: { Date(timeIntervalSince1970: 1_795_961_025) },
        busyTimeout: .milliseconds(50)
    )

    func open(for access: MapPackageAccess = .editing) throws -> any MapPackage {
        try Self.format.open(path, for: access)
    }

    /// A second connection, as another program would have.
    func raw(_ sql: String = "") throws -> RawDatabase {
        let database = try RawDatabase(database)
        try database.run(sql)
        return database
    }

    /// The names of what is in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func bytes(_ name: String = "data.gpkg") throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path).appendingPathComponent(name)))
    }

    func write(_ bytes: [UInt8], _ name: String = "data.gpkg") throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path).appendingPathComponent(name))
    }
}
