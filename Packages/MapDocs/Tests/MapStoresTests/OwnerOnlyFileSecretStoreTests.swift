import Foundation
import MapDocs
import MapStores
import Testing

struct OwnerOnlyFileSecretStoreTests {
    private func attributes(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("Secrets are kept in a file and a folder of their owner alone")
    func keeps() async throws {
        try await withTemporaryFolder { root in
            let folder = root + "/secrets"
            let store = OwnerOnlyFileSecretStore(folder)
            #expect(try store.names() == [])
            #expect(try store.secret(named: "tiles") == nil)
            try store.setSecret("s3cret", named: "tiles")
            try store.setSecret("", named: "empty")
            try store.setSecret("newer", named: "tiles")
            let again = OwnerOnlyFileSecretStore(folder)
            #expect(try again.names() == ["empty", "tiles"])
            #expect(try again.secret(named: "tiles") == "newer")
            #expect(try again.secret(named: "empty") == "")
            try again.setSecret(nil, named: "tiles")
            #expect(try store.names() == ["empty"])
            #expect(try attributes(folder) == 0o700)
            #expect(try attributes(folder + "/secrets.json") == 0o600)
            #expect(try PosixFileSystem().entries(in: folder).map(\.name) == ["secrets.json"])
        }
    }

    @Test(
        "What others can read is refused, by name and without the secret",
        arguments: [
            ("/secrets.json", 0o640), ("/secrets.json", 0o604), ("", 0o750), ("", 0o707),
        ]
    )
    func refuses(path: String, permissions: Int) async throws {
        try await withTemporaryFolder { root in
            let folder = root + "/secrets"
            let store = OwnerOnlyFileSecretStore(folder)
            try store.setSecret("s3cret", named: "tiles")
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder + path)
            for call in [{ _ = try store.secret(named: "tiles") }, { try store.setSecret("x", named: "y") }] {
                let error = #expect(throws: SecretStoreError.self) { try call() }
                #expect(error?.message.contains(folder + path) == true)
                #expect(error?.message.contains("s3cret") == false)
            }
        }
    }

    @Test("Whatever goes wrong at whatever step, the old secrets or the new ones are there")
    func troubles() throws {
        func prepared() throws -> InMemoryFileSystem {
            let files = InMemoryFileSystem()
            try OwnerOnlyFileSecretStore("/s", in: files).setSecret("old", named: "key")
            try files.synchronizeTree("/")
            return files
        }
        let counting = FaultyFileSystem(try prepared())
        try OwnerOnlyFileSecretStore("/s", in: counting).setSecret("new", named: "key")
        for step in 1...counting.steps.count {
            for seed in 0..<7 {
                let files = try prepared()
                let fault: FaultyFileSystem.Fault = seed == 6 ? .failing(step: step, .full) : .stopping(step: step)
                let isDone =
                    (try? OwnerOnlyFileSecretStore("/s", in: FaultyFileSystem(files, faults: [fault]))
                        .setSecret("new", named: "key")) != nil
                if seed < 5 { files.crash(seed: UInt64(seed)) }
                let found = try OwnerOnlyFileSecretStore("/s", in: files).secret(named: "key")
                #expect(isDone ? found == "new" : found == "old" || found == "new", "step \(step), seed \(seed)")
                try OwnerOnlyFileSecretStore("/s", in: files).setSecret("next", named: "key")
            }
        }
    }

    @Test("A file that is no list of secrets is an error that does not show it")
    func damaged() throws {
        let files = InMemoryFileSystem()
        try files.createDirectory("/s", isPrivate: true)
        let file = try files.create("/s/secrets.json", isPrivate: true)
        try file.write(Array(#"{"key":"s3cret""#.utf8))
        let error = #expect(throws: SecretStoreError.self) {
            try OwnerOnlyFileSecretStore("/s", in: files).secret(named: "key")
        }
        #expect(error?.message.contains("s3cret") == false)
    }
}
