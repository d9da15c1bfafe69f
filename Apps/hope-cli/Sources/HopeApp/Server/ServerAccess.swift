internal import Foundation
internal import HopeServer
internal import PresenceKit
internal import Synchronization
internal import TransportCore
internal import TransportHTTP
internal import TransportTLS
internal import TransportWebSocket

/// How a server over the network is reached: its address, its pins, and what speaks with it.
struct ServerAccess: Sendable {
    let server: ServerConfig
    let pins: [CertificatePin]
    /// What sends requests, with the pins.
    let client: SocketHTTPClient
    /// The token that the server gave last, which names the room of a conversation.
    let lastToken = LastRoomToken()
    private let key: String?
    private let transports: WebSocketTransportFactory
    private let configuration: SocketHTTPClient.Configuration

    /// Prepares access; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - typed: The server's address.
    ///   - roomURL: The room server's address where it is not the server's own.
    ///   - pinned: Pins in addition to the stored ones.
    ///   - settings: What keeps the stored pins.
    ///   - key: What proves to servers elsewhere that one may call them; never sent in the clear.
    ///   - clock: What waits are measured on.
    /// - Throws: `.usage` for an address or a pin that cannot be read, `.unavailable` when the system gives no thread.
    init(
        _ typed: String,
        roomURL: String? = nil,
        pinned: [String] = [],
        settings: Settings,
        key: String? = nil,
        clock: any Clock<Duration>
    ) throws(CommandError) {
        do {
            server = try ServerConfig(typed, roomURL: roomURL)
        } catch {
            throw CommandError(.usage, "the server \(quoted(typed)) cannot be used: \(error.message)")
        }
        do throws(TransportError) {
            pins = try (pinned + StoredPins(settings)[server]).map { text throws(TransportError) in
                try CertificatePin(text)
            }
            var table = PinnedServers()
            if !pins.isEmpty { table.pin(pins, for: server) }
            configuration = SocketHTTPClient.Configuration(pins: table)
            client = try SocketHTTPClient(configuration)
        } catch {
            throw CommandError(.usage, error.message)
        }
        self.key = server.isSecure ? key.flatMap { $0.isEmpty ? nil : $0 } : nil
        transports = WebSocketTransportFactory(client: client, clock: clock, seed: UInt64.random(in: .min ... .max))
    }

    private var tokens: ServerTokens {
        let endpoint = HTTPTokenProvider(client: client, url: server.tokenURL, headers: Self.proof(key))
        return ServerTokens(server: server, endpoint: endpoint, last: lastToken)
    }

    /// The header fields that prove that one may act in a room: with the room's own token, else with the server's key.
    func proof(for room: String?) -> HTTPHeaders {
        guard server.isSecure else { return [:] }
        let token = lastToken.value
        return Self.proof(room != nil && token?.room == room ? token?.token : key)
    }

    private static func proof(_ secret: String?) -> HTTPHeaders {
        secret.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }

    /// What a session needs of the server; connections are recorded where there is a recorder.
    func services(recorder: SessionRecorder?) -> VoiceServices {
        VoiceServices(
            transports: recorder.map { RecordingTransportFactory(transports, recorder: $0) } ?? transports,
            tokens: tokens
        )
    }

    /// The steps that find out whether the server can be used.
    ///
    /// - Throws: `.unavailable` when the system gives no thread.
    func check(clock: any Clock<Duration>) throws(CommandError) -> ConnectionCheck {
        do {
            return ConnectionCheck(
                server: server,
                pins: pins,
                network: try ConnectionProbe(configuration),
                client: client,
                tokens: tokens,
                transports: transports,
                clock: clock
            )
        } catch {
            throw CommandError(.unavailable, error.message)
        }
    }
}

/// A server's tokens, each with the address of the room server: the configured one, else the answer's, else the server's.
private struct ServerTokens: TokenProvider {
    let server: ServerConfig
    let endpoint: HTTPTokenProvider
    let last: LastRoomToken

    func token(for request: TokenRequest) async throws(TransportError) -> RoomToken {
        var token = try await endpoint.token(for: request)
        token.url = server.roomURL(tokenAnswer: token.url)
        last.note(token)
        return token
    }
}

/// Remembers the token that was given last.
final class LastRoomToken: Sendable {
    private let token = Mutex<RoomToken?>(nil)

    /// The token, nil as long as none was given.
    var value: RoomToken? { token.withLock { $0 } }

    func note(_ new: RoomToken) {
        token.withLock { $0 = new }
    }
}

/// The pins that settings keep, by host and port.
struct StoredPins {
    /// The name of the additional setting.
    static let name = "pins"

    private var table: JSONValue

    init(_ settings: Settings) {
        table = settings.additional[Self.name] ?? .object([])
    }

    /// The pins of a server as text.
    subscript(server: ServerConfig) -> [String] {
        table[Self.key(server)]?.elements?.compactMap(\.stringValue) ?? []
    }

    /// Settings in which a server has these pins and no others.
    static func storing(_ pins: [String], for server: ServerConfig, in settings: Settings) -> Settings {
        var settings = settings
        var members = (settings.additional[name]?.members ?? []).filter { $0.name != key(server) }
        members.append(.init(name: key(server), value: .array(pins.map { .string($0) })))
        settings.additional[name] = .object(members)
        return settings
    }

    private static func key(_ server: ServerConfig) -> String {
        "\(server.host):\(server.port)"
    }
}

extension CommandOption {
    /// The server to use.
    static let server = CommandOption(
        "server",
        value: "URL",
        summary: "the server: embedded, or http(s)://host:port (default: the stored one, else embedded)"
    )
    /// A pin of the server's certificate.
    static let pin = CommandOption(
        "pin-sha256",
        value: "HEX",
        summary: "a fingerprint that the server's certificate may have; may be given again"
    )
}
