import Foundation
import Testing
import TransportCore
import TransportTLS

@Suite struct TLSIdentityFileTests {
    private let now = 1_800_000_000.0

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("An identity is made once, kept for its owner alone, and found again")
    func keeps() throws {
        try withFolder { folder in
            let file = TLSIdentityFile(path: folder + "/deep/identity.pem")
            #expect(try file.load() == nil)
            let made = try file.loadOrCreate(now: now)
            #expect(try file.loadOrCreate(now: now + 1000).fingerprints == made.fingerprints)
            #expect(try permissions(file.path) == 0o600)
            #expect(try permissions(folder) == 0o700)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/deep") == ["identity.pem"])
        }
    }

    @Test("One that is about to end is renewed with the same key")
    func renews() throws {
        try withFolder { folder in
            let file = TLSIdentityFile(path: folder + "/identity.pem")
            let first = try file.loadOrCreate(now: now)
            let second = try file.loadOrCreate(now: now + 824.5 * 86_400)
            #expect(second.fingerprints.leaf != first.fingerprints.leaf)
            #expect(second.fingerprints.publicKey == first.fingerprints.publicKey)
        }
    }

    @Test("A file that others can read, or that is no identity, is an error that says what to do")
    func refuses() throws {
        try withFolder { folder in
            let file = TLSIdentityFile(path: folder + "/identity.pem")
            _ = try file.loadOrCreate(now: now)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            let open = #expect(throws: TransportError.self) { try file.loadOrCreate(now: now) }
            #expect(open?.message.contains("chmod 600") == true)

            try FileManager.default.removeItem(atPath: file.path)
            try Data("nonsense".utf8).write(to: URL(filePath: file.path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            let broken = #expect(throws: TransportError.self) { try file.loadOrCreate(now: now) }
            #expect(broken?.message.contains("remove it") == true)
            #expect(try Data(contentsOf: URL(filePath: file.path)) == Data("nonsense".utf8))

            let target = folder + "/elsewhere.pem"
            try FileManager.default.moveItem(atPath: file.path, toPath: target)
            try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: target)
            #expect(throws: TransportError.self) { try file.loadOrCreate(now: now) }
        }
    }
}
