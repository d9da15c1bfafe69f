import Foundation
import PresenceConformance
import PresenceKit
import PresenceStorage
import Testing

struct JSONFileSettingsStorageTests {
    @Test(arguments: SettingsStorageLaw.allCases)
    func obeys(_ law: SettingsStorageLaw) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/config/hope/settings.json"
            try law.check(
                SettingsStoragePlace(
                    open: { JSONFileSettingsStorage(path: path) },
                    plant: { bytes in
                        try FileManager.default.createDirectory(
                            atPath: folder + "/config/hope",
                            withIntermediateDirectories: true
                        )
                        try Data(bytes).write(to: URL(fileURLWithPath: path))
                    },
                    setAside: {
                        var contents: [[UInt8]] = []
                        for suffix in [""] + (2...9).map({ "-\($0)" }) {
                            let other = path + ".unreadable" + suffix
                            guard FileManager.default.fileExists(atPath: other) else { break }
                            contents.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: other))))
                        }
                        return contents
                    }
                )
            )
        }
    }

    @Test func theFileIsItsOwnersAlone() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/made/settings.json"
            try JSONFileSettingsStorage(path: path).save(Settings())
            #expect(try permissions(path) == 0o600)
            #expect(try permissions(folder + "/made") == 0o700)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/made") == ["settings.json"])
        }
    }

    @Test func theNoticeNamesWhereTheFileIsNow() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/settings.json"
            try Data("{".utf8).write(to: URL(fileURLWithPath: path))
            let notices = try JSONFileSettingsStorage(path: path).load().notices
            #expect(notices.first?.contains(path + ".unreadable") == true)
        }
    }

    @Test func aLinkStaysALink() throws {
        try withTemporaryFolder { folder in
            let link = folder + "/settings.json"
            try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/real.json"))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/real.json")
            try JSONFileSettingsStorage(path: link).save(Settings(modelID: "m"))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder + "/real.json")
            #expect(try JSONFileSettingsStorage(path: folder + "/real.json").load().settings.modelID == "m")
        }
    }

    @Test func sayWhichFileCouldNotBeReadOrWritten() throws {
        try withTemporaryFolder { folder in
            let storage = JSONFileSettingsStorage(path: folder)
            let read = #expect(throws: PresenceStorageError.self) { try storage.load() }
            #expect(read?.action == .read && read?.place == folder)
            let file = folder + "/file"
            try Data().write(to: URL(fileURLWithPath: file))
            let write = #expect(throws: PresenceStorageError.self) {
                try JSONFileSettingsStorage(path: file + "/settings.json").save(Settings())
            }
            #expect(write?.action == .write)
        }
    }
}

private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}
