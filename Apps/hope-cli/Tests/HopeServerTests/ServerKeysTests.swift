import Foundation
import HopeServer
import Testing
import TransportCore
import TransportHTTP
import TransportTLS

@Suite struct ServerKeysTests {
    private let codec = RoomTokenCodec { key, message in HMACSHA256.authenticationCode(for: message, key: key) }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hope-keys-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path())
    }

    private func token(_ key: RoomTokenKey) throws -> String {
        try codec.token(
            for: RoomTokenClaims(issuer: "", identity: "ada", video: VideoGrant(joining: "r"), expires: 10),
            key: key
        )
    }

    @Test func aKeyIsMadeOnceAndKept() throws {
        try withFolder { folder in
            let first = try token(ServerKeys(folder: folder + "/deep/in").tokenKey())
            let second = try token(ServerKeys(folder: folder + "/deep/in").tokenKey())
            #expect(first == second)
            let other = try token(ServerKeys(folder: folder + "/other").tokenKey())
            #expect(first != other)
        }
    }

    @Test func theFileIsItsOwnersAlone() throws {
        try withFolder { folder in
            _ = try ServerKeys(folder: folder).tokenKey()
            let path = folder + "/token.key"
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["token.key"])
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let error = #expect(throws: TransportError.self) { try ServerKeys(folder: folder).tokenKey() }
            #expect(error?.message.contains("chmod 600") == true)
        }
    }

    @Test func aFileThatWasCutShortIsNoKey() throws {
        try withFolder { folder in
            _ = try ServerKeys(folder: folder).tokenKey()
            let handle = try #require(FileHandle(forWritingAtPath: folder + "/token.key"))
            try handle.truncate(atOffset: 3)
            try handle.close()
            let error = #expect(throws: TransportError.self) { try ServerKeys(folder: folder).tokenKey() }
            #expect(error?.message.contains("token.key") == true)
        }
    }

    @Test func theEnvironmentComesFirst() throws {
        try withFolder { folder in
            let secret = String(repeating: "s", count: 32)
            let ours = try ServerKeys(folder: folder, environment: ["HOPE_TOKEN_KEY": secret]).tokenKey(isPublic: true)
            #expect(try token(ours) == token(RoomTokenKey(id: "hope", secret: Array(secret.utf8))))
            let environment = ["LIVEKIT_API_KEY": "devkey", "LIVEKIT_API_SECRET": "secret"]
            let theirs = try ServerKeys(folder: folder, environment: environment).tokenKey()
            #expect(try token(theirs) == token(RoomTokenKey(id: "devkey", secret: Array("secret".utf8))))
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func aShortSecretIsRefusedWhereOthersReachTheServer() throws {
        let keys = ServerKeys(folder: "/nowhere", environment: ["HOPE_TOKEN_KEY": "short"])
        _ = try keys.tokenKey()
        let error = #expect(throws: TransportError.self) { try keys.tokenKey(isPublic: true) }
        #expect(error?.message.contains("HOPE_TOKEN_KEY") == true)
        #expect(error?.message.contains("short,") == false)
    }
}
