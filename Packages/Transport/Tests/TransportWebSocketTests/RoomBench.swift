import Synchronization
import Testing
import TransportCore
import TransportHTTP
import TransportTLS
import TransportWebSocket

/// Tokens that a test hands out, and takes back.
final class TestTokens: Sendable {
    private struct State {
        var grants: [String: InMemoryHub.Grant] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    func make(_ grant: InMemoryHub.Grant) -> String {
        state.withLock { state in
            state.count += 1
            let token = "token-\(state.count)"
            state.grants[token] = grant
            return token
        }
    }

    func revoke(_ token: String) {
        state.withLock { $0.grants[token] = nil }
    }

    func verify(_ token: String) throws(TransportError) -> InMemoryHub.Grant {
        guard let grant = state.withLock({ $0.grants[token] }) else {
            throw TransportError(.unauthorized, "This token is not known here.")
        }
        return grant
    }
}

/// A line to a server that can be cut and mended.
final class TestLine: Sendable {
    private struct State {
        var isCut = false
        var connections: [SocketConnection] = []
        var accepted = 0
    }

    private let listener: SocketListener
    private let group: SocketLoopGroup
    private let target: Mutex<Int>
    private let state = Mutex(State())

    init(to port: Int, group: SocketLoopGroup) throws {
        listener = try SocketListener(host: "127.0.0.1", port: 0, backlog: 64, group: group)
        self.group = group
        target = Mutex(port)
    }

    var port: Int { listener.port }
    /// How many times somebody has called.
    var callCount: Int { state.withLock { $0.accepted } }

    func redirect(to port: Int) {
        target.withLock { $0 = port }
    }

    func cut() {
        let connections = state.withLock { state in
            state.isCut = true
            defer { state.connections = [] }
            return state.connections
        }
        for connection in connections { connection.close() }
    }

    func mend() {
        state.withLock { $0.isCut = false }
    }

    /// Cuts what is there, and lets the next through.
    func flicker() {
        cut()
        mend()
    }

    func run() async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                while let caller = await listener.accept() {
                    let isOpen = state.withLock { state in
                        state.accepted += 1
                        return !state.isCut
                    }
                    guard isOpen else {
                        caller.close()
                        continue
                    }
                    group.addTask { await self.relay(caller) }
                }
            }
        } onCancel: {
            listener.close()
            cut()
        }
    }

    private func relay(_ caller: SocketConnection) async {
        let port = target.withLock { $0 }
        guard
            let callee = try? await SocketConnection.connect(
                host: "127.0.0.1",
                port: port,
                tls: nil,
                timeout: .seconds(5),
                group: group
            )
        else { return caller.close() }
        let isOpen = state.withLock { state in
            state.connections += [caller, callee]
            return !state.isCut
        }
        if !isOpen { cut() }
        await withDiscardingTaskGroup { group in
            for (from, to) in [(caller, callee), (callee, caller)] {
                group.addTask {
                    do {
                        while let bytes = try await from.receive() { try await to.send(bytes) }
                        await to.finish(patience: .seconds(1))
                    } catch {
                        from.close()
                        to.close()
                    }
                }
            }
        }
    }
}

/// A clock on which everything is over in a fraction of the time, for policies of reconnecting.
struct HastyClock: Clock {
    typealias Instant = ContinuousClock.Instant

    let factor: Int
    private let base = ContinuousClock()
    private let start = ContinuousClock().now

    init(factor: Int) {
        self.factor = factor
    }

    var now: Instant { start + (base.now - start) * factor }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await base.sleep(for: (deadline - now) / factor)
    }
}

/// A room server on this machine, with lines to it.
final class RoomBench: Sendable {
    let tokens = TestTokens()
    let group: SocketLoopGroup
    let rooms: RoomServer
    let server: HTTPServer
    let client: SocketHTTPClient
    let identity: TLSIdentity?
    private let lines = Mutex<[String: TestLine]>([:])
    private let runners = Mutex<[Task<Void, Never>]>([])

    init(
        isSecure: Bool = false,
        port: Int = 0,
        configuration: RoomServer.Configuration = RoomServer.Configuration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        group = try SocketLoopGroup()
        let tokens = tokens
        let rooms = RoomServer(
            configuration: configuration,
            clock: clock,
            startedAt: 1_756_540_000
        ) { token throws(TransportError) in try tokens.verify(token) }
        self.rooms = rooms
        identity = isSecure ? try TLSIdentity.selfSigned(issuedAt: 1_600_000_000, days: 36_500) : nil
        server = try HTTPServer(
            HTTPServerConfiguration(port: port, identity: identity),
            loops: group
        ) { request in
            request.path == "/rtc" ? rooms.accept(request) : .text("Not found\n", status: 404)
        }
        client = try SocketHTTPClient(loops: group)
    }

    /// The server's own address.
    var url: String { server.url.replacing("http", with: "ws") + "/rtc" }

    /// The address at the end of a line of somebody's own.
    func address(of name: String) throws -> String {
        let line = try line(of: name)
        return "\(identity == nil ? "ws" : "wss")://127.0.0.1:\(line.port)/rtc"
    }

    func line(of name: String) throws -> TestLine {
        try lines.withLock { lines in
            if let line = lines[name] { return line }
            let line = try TestLine(to: server.port, group: group)
            lines[name] = line
            let runner = Task { await line.run() }
            runners.withLock { $0.append(runner) }
            return line
        }
    }

    /// A client that trusts the server, at the end of this line too.
    func makeClient(for address: String) throws -> SocketHTTPClient {
        guard let identity else { return client }
        var configuration = SocketHTTPClient.Configuration()
        configuration.pins.pin([try CertificatePin(identity.fingerprints.publicKey)], for: try ServerConfig(address))
        return try SocketHTTPClient(configuration, loops: group)
    }

    func makeTransport(
        to address: String? = nil,
        maximumEvents: Int = 4096,
        policy: ReconnectPolicy = ReconnectPolicy(),
        clock: any Clock<Duration> = HastyClock(factor: 10)
    ) throws -> WebSocketTransport {
        WebSocketTransport(
            client: try makeClient(for: address ?? url),
            policy: policy,
            clock: clock,
            random: SeededRandom(seed: 1),
            maximumEvents: maximumEvents
        )
    }

    /// Serves until the test is done.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [server] in await server.run() }
            defer {
                group.cancelAll()
                for runner in runners.withLock({ $0 }) { runner.cancel() }
            }
            try await body()
        }
        for runner in runners.withLock({ $0 }) { await runner.value }
    }

    /// Joins on a line of the participant's own.
    func join(
        _ identity: String,
        room: String = "room",
        renewToken: (@Sendable () async throws(TransportError) -> String)? = nil
    ) async throws -> Guest {
        let address = try address(of: identity)
        let token = tokens.make(InMemoryHub.Grant(room: room, identity: identity))
        let transport = try makeTransport(to: address)
        try await transport.connect(to: address, token: token, options: TransportOptions(renewToken: renewToken))
        let guest = Guest(identity: identity, transport: transport, token: token, line: try line(of: identity))
        try await guest.wait(for: .connection(.connected))
        return guest
    }
}

/// A participant, and what it has read.
struct Guest: Sendable {
    let identity: String
    let transport: WebSocketTransport
    let token: String
    let line: TestLine

    /// Reads up to and with the first event that is the last to be read.
    @discardableResult
    func read(until isLast: (TransportEvent) -> Bool) async throws -> [TransportEvent] {
        var events: [TransportEvent] = []
        var iterator = transport.events.makeAsyncIterator()
        while let event = await iterator.next() {
            events.append(event)
            if isLast(event) { return events }
        }
        throw EndOfEvents(last: events.suffix(3).map { "\($0)" })
    }

    @discardableResult
    func wait(for event: TransportEvent) async throws -> [TransportEvent] {
        try await read { $0 == event }
    }

    /// Reads up to and with the next join of somebody.
    @discardableResult
    func wait(forJoinOf identity: String) async throws -> [TransportEvent] {
        try await read { event in
            if case .participantJoined(let participant) = event { participant.identity == identity } else { false }
        }
    }

    /// Reads everything to the end and returns why it is.
    func end() async -> DisconnectReason? {
        var reason: DisconnectReason?
        for await event in transport.events {
            if case .connection(.disconnected(let told)) = event { reason = told }
        }
        return reason
    }
}

struct EndOfEvents: Error {
    let last: [String]
}

extension TransportEvent {
    var packet: DataPacket? {
        if case .data(let packet) = self { packet } else { nil }
    }
}
