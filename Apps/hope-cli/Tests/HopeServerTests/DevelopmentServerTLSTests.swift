import Foundation
import HopeServer
import PresenceKit
import Testing
import TransportCore
import TransportHTTP
import TransportTLS
import TransportWebSocket

@Suite(.timeLimit(.minutes(1))) struct DevelopmentServerTLSTests {
    private func withCertificate(
        _ body: (DevelopmentServerConfiguration, TLSIdentityFile) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hope-tls-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = ServerKeys(folder: folder.path()).certificateFile
        var configuration = DevelopmentServerConfiguration.forTests
        configuration.makeAgent = { _ in EchoAgent() }
        configuration.certificate = .kept(file, names: ["localhost", "127.0.0.1"])
        try await body(configuration, file)
    }

    private func pinned(_ server: DevelopmentServer, _ pin: String) throws -> PinnedServers {
        var pins = PinnedServers()
        pins.pin([try CertificatePin(pin)], for: try ServerConfig(server.url))
        return pins
    }

    @Test func showsTheCertificateThatItKeeps() async throws {
        try await withCertificate { configuration, _ in
            var pins: [CertificateFingerprints] = []
            for _ in 0..<2 {
                try await withDevelopmentServer(configuration) { server in
                    #expect(server.url == "https://127.0.0.1:\(server.port)")
                    let found = try #require(server.pins)
                    pins.append(found)
                    for pin in ["leaf:\(found.leaf)", "spki:\(found.publicKey)"] {
                        let answer = try await ask("GET", server.url + "/healthz", pins: pinned(server, pin))
                        #expect(answer.status == 200)
                    }
                    let answer = try await ask(
                        "POST",
                        server.url + "/token",
                        body: "{}",
                        pins: pinned(server, found.leaf)
                    )
                    #expect(answer.text.contains("\"wss://127.0.0.1:\(server.port)/rtc\""))
                }
            }
            #expect(pins.first == pins.last, "a server that is started again has the same certificate")
        }
    }

    @Test func aCertificateThatIsReplacedIsTakenAndOpenRoomsGoOn() async throws {
        try await withCertificate { configuration, file in
            try await withDevelopmentServer(configuration) { server in
                let earlier = try #require(server.pins)
                let url = server.url
                let client = try SocketHTTPClient(
                    SocketHTTPClient.Configuration(pins: pinned(server, "leaf:\(earlier.leaf)"))
                )
                let tokens = HTTPTokenProvider(client: client, url: url + "/token")
                let token = try await tokens.token(for: TokenRequest(room: "kitchen", identity: "ada"))
                let ada = try WebSocketTransportFactory(client: client, seed: 1).makeTransport()
                try await ada.connect(to: try #require(token.url), token: token.token)
                var listener = RoomListener(ada)
                await listener.wait { $0.messages.contains(.agentReady) }

                #expect(try !server.reloadCertificate(), "the file is as it was")
                try file.save(
                    TLSIdentity.selfSigned(
                        names: ["127.0.0.1"],
                        issuedAt: testTimeOfDay + 86_400,
                        reusingKeyOf: file.load()
                    )
                )
                #expect(try server.reloadCertificate())
                let later = try #require(server.pins)
                #expect(later.leaf != earlier.leaf)
                #expect(later.publicKey == earlier.publicKey)
                #expect(server.url == url)
                #expect(
                    try await ask("GET", url + "/healthz", pins: pinned(server, "leaf:\(later.leaf)")).status == 200
                )
                #expect(
                    try await ask("GET", url + "/healthz", pins: pinned(server, "spki:\(earlier.publicKey)")).status
                        == 200
                )
                await #expect(throws: TransportError.self) {
                    try await ask("GET", url + "/healthz", pins: pinned(server, "leaf:\(earlier.leaf)"))
                }

                try await ada.sendText("Still there?", topic: ConversationTopic.chat)
                let heard = await listener.wait { !$0.whole.isEmpty }
                #expect(heard.whole == ["You wrote: Still there?"])
                await ada.disconnect()
            }
        }
    }

    @Test func theFileIsLookedAtFromTimeToTime() async throws {
        try await withCertificate { configuration, file in
            let clock = ManualClock()
            var configuration = configuration
            configuration.clock = clock
            try await withDevelopmentServer(configuration) { server in
                let earlier = try #require(server.pins)
                await clock.waitForSleepers(1)
                try file.save(TLSIdentity.selfSigned(names: ["127.0.0.1"], issuedAt: testTimeOfDay))
                await clock.advance(by: .seconds(30))
                // Asleep again: it has looked.
                await clock.waitForSleepers(1)
                #expect(server.pins != earlier)
            }
        }
    }

    @Test func aCertificateThatIsAboutToEndIsRenewedWithTheSameKey() async throws {
        try await withCertificate { configuration, file in
            let clock = ManualClock()
            var configuration = configuration
            configuration.clock = clock
            try file.save(TLSIdentity.selfSigned(names: ["127.0.0.1"], issuedAt: testTimeOfDay, days: 2))
            try await withDevelopmentServer(configuration) { server in
                let earlier = try #require(server.pins)
                await clock.waitForSleepers(1)
                await clock.advance(by: .seconds(90_000))
                await clock.waitForSleepers(1)
                await clock.advance(by: .seconds(30))
                // Asleep again: it has looked.
                await clock.waitForSleepers(1)
                let later = try #require(server.pins)
                #expect(later.leaf != earlier.leaf)
                #expect(later.publicKey == earlier.publicKey)
            }
        }
    }

    @Test func aFileThatCannotBeUsedChangesNothing() async throws {
        try await withCertificate { configuration, file in
            try await withDevelopmentServer(configuration) { server in
                let earlier = server.pins
                try Data("nothing".utf8).write(to: URL(filePath: file.path))
                #expect(throws: TransportError.self) { try server.reloadCertificate() }
                #expect(server.pins == earlier)
                let pin = try #require(earlier).leaf
                #expect(try await ask("GET", server.url + "/healthz", pins: pinned(server, pin)).status == 200)
            }
        }
    }
}
