import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

/// Media that only an administrator can make: a small one and a read-only one.
@Suite(.serialized)
struct MountedMediumTests {
    static let mayMount: Bool = {
        guard let folder = try? TestFolder(),
            (try? PeerProgram.run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.path]))?.status == 0
        else { return false }
        return (try? PeerProgram.run("umount", [folder.path]))?.status == 0
    }()

    /// Mounts a medium at the place of a package, with a database on it.
    private func withMedium(_ options: String, _ body: (TestFolder) throws -> Void) throws {
        let folder = try TestFolder()
        try #require(try PeerProgram.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder.path]).status == 0)
        defer { #expect((try? PeerProgram.run("umount", [folder.path]))?.status == 0) }
        try FileManager.default.copyItem(atPath: TestFolder.fixture("cities"), toPath: folder.database)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.database)
        try body(folder)
    }

    @Test(
        "A change that does not fit is an error of its own, and nothing has happened",
        .enabled(if: mayMount, "mounting a small tmpfs needs an administrator")
    )
    func full() throws {
        try withMedium("size=400k") { folder in
            let package = try folder.open()
            let before = try package.contentDigest()
            let error = #expect(throws: MapPackageError.self) {
                try package.transaction { edits throws(MapPackageError) in
                    for key in 1...200 {
                        let text = String(repeating: "x", count: 4000)
                        try edits.update(["name": .text(text)], of: FeatureID("\(key)"), in: "cities")
                    }
                }
            }
            #expect(error?.code == .full)
            #expect(try package.contentDigest() == before)
            let ballast = URL(fileURLWithPath: folder.path + "/ballast")
            try FileManager.default.createDirectory(at: ballast, withIntermediateDirectories: true)
            var count = 0
            while (try? Data(count: 4096).write(to: ballast.appendingPathComponent("\(count)"))) != nil { count += 1 }
            let copying = #expect(throws: MapPackageError.self) { try package.copyDatabase(to: folder.path + "/copy") }
            #expect(copying?.code == .full)
            #expect(try !folder.names.contains { $0.hasPrefix("copy") })
            try FileManager.default.removeItem(at: ballast)
            try package.transaction { edits throws(MapPackageError) in
                try edits.update(["name": .text("fits")], of: FeatureID("1"), in: "cities")
            }
            package.close()
        }
    }

    @Test(
        "On a read-only medium a database that is flagged for a log is read, and says why it is not changed",
        .enabled(if: mayMount, "mounting a read-only tmpfs needs an administrator"),
        arguments: [true, false]
    )
    func readOnly(hasLog: Bool) throws {
        try withMedium("size=1m") { folder in
            if hasLog {
                try folder.raw("PRAGMA journal_mode = WAL; UPDATE cities SET name = 'x' WHERE fid = 1").close()
            }
            #expect(try PeerProgram.run("mount", ["-o", "remount,ro", folder.path]).status == 0)
            let package = try folder.open(for: .editing)
            #expect(package.readOnlyReason?.contains("cannot be written to") == true)
            #expect(try package.featureCount(in: "cities") == 243)
            let error = #expect(throws: MapPackageError.self) { try package.transaction { _ in } }
            #expect(error?.code == .readOnly)
            package.close()
        }
    }
}
