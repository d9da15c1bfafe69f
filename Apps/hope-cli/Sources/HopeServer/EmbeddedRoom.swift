public import TransportCore

/// A room inside this process with an agent in it: what a conversation needs when there is no server.
public struct EmbeddedRoom: Sendable {
    /// The identity that an agent joins under.
    public static let agentIdentity = "agent-1"

    /// The room's name.
    public let name: String
    /// Where rooms live; it gives out connections and tokens.
    public let hub: InMemoryHub
    private let timeOfDay: Double
    private let clock: any Clock<Duration>

    /// Makes a room in a hub of its own.
    ///
    /// - Parameters:
    ///   - name: The room's name, to ask a token for.
    ///   - timeOfDay: The time of day now, in seconds since 1970.
    ///   - clock: What every wait and every time is measured on.
    public init(name: String, timeOfDay: Double, clock: any Clock<Duration>) {
        self.name = name
        self.timeOfDay = timeOfDay
        self.clock = clock
        hub = InMemoryHub(clock: clock, startedAt: timeOfDay)
    }

    /// Lets an agent join under ``agentIdentity`` and answer, until the connection ends or the task is cancelled.
    ///
    /// - Parameters:
    ///   - agent: Who answers.
    ///   - delay: How long the agent takes to join.
    /// - Throws: What the agent throws, or `TransportError` when it cannot join.
    public func serve(_ agent: some Agent, after delay: Duration = .milliseconds(400)) async throws {
        try await clock.sleep(for: delay)
        let connection = try await hub.join(
            InMemoryHub.Grant(room: name, identity: Self.agentIdentity, kind: .agent, name: "Hope")
        )
        do {
            let joined = timeOfDay + delay.inSeconds
            try await agent.serve(connection, timeOfDay: joined, clock: clock)
        } catch {
            await connection.disconnect()
            throw error
        }
        await connection.disconnect()
    }
}
