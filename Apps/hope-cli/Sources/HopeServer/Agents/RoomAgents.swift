internal import Synchronization
internal import TransportCore

/// Brings an agent into each room when its first person joins, and out again with the last.
final class RoomAgents: Sendable {
    /// How long an agent waits in a room for somebody whose joining did not come about.
    static let patience = Duration.seconds(30)

    private let makeAgent: @Sendable (String) -> any Agent
    private let join: @Sendable (VisitedRoom, _ room: String) async throws -> Void
    private let makeTransport: @Sendable () throws -> any Transport
    private let isOccupied: @Sendable (_ room: String) -> Bool
    private let startedAt: Double
    private let clock: any Clock<Duration>
    private let time: Stopwatch
    private let rooms: AsyncStream<String>
    private let calls: AsyncStream<String>.Continuation
    /// How often somebody was let in to each room that has an agent or is about to get one.
    private let admissions = Mutex<[String: Int]>([:])

    init(
        startedAt: Double,
        clock: any Clock<Duration>,
        makeAgent: @escaping @Sendable (String) -> any Agent,
        makeTransport: @escaping @Sendable () throws -> any Transport,
        join: @escaping @Sendable (VisitedRoom, _ room: String) async throws -> Void,
        isOccupied: @escaping @Sendable (_ room: String) -> Bool
    ) {
        self.startedAt = startedAt
        self.clock = clock
        self.makeAgent = makeAgent
        self.makeTransport = makeTransport
        self.join = join
        self.isOccupied = isOccupied
        time = Stopwatch(clock: clock)
        (rooms, calls) = AsyncStream.makeStream(of: String.self)
    }

    /// Says that a person is about to join a room.
    func personIsJoining(_ room: String) {
        let isFirst = admissions.withLock { admissions in
            admissions[room, default: 0] += 1
            return admissions[room] == 1
        }
        if isFirst { calls.yield(room) }
    }

    /// Brings agents in until ``stop()`` is called and all of them have left.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await room in rooms {
                group.addTask { await self.attend(room) }
            }
        }
    }

    /// Ends ``run()``; agents that are in a room leave when their connections end.
    func stop() {
        calls.finish()
    }

    private func attend(_ room: String) async {
        while true {
            let seen = await visit(room)
            let mayLeave = admissions.withLock { admissions in
                // Whoever was let in since the agent last saw anybody join would find nobody.
                guard admissions[room] == seen || Task.isCancelled else { return false }
                admissions[room] = nil
                return true
            }
            guard mayLeave else { continue }
            if isOccupied(room) { personIsJoining(room) }
            return
        }
    }

    /// Stays in a room as long as there are people.
    ///
    /// - Returns: How many had been let in when the agent last saw somebody join, or when it gave up.
    private func visit(_ room: String) async -> Int? {
        let atStart = admissions.withLock { $0[room] }
        do {
            let connection = VisitedRoom(try makeTransport()) { [weak self] in
                self?.admissions.withLock { $0[room] }
            }
            try await join(connection, room)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [makeAgent, startedAt, time, clock] in
                    // What ends an agent early ends its visit; the person sees it leave.
                    try? await makeAgent(room).serve(
                        connection,
                        timeOfDay: startedAt + time.elapsed.inSeconds,
                        clock: clock
                    )
                }
                group.addTask {
                    for await _ in connection.whilePeopleAreThere {}
                }
                group.addTask { [clock] in
                    try? await clock.sleep(for: Self.patience)
                    if connection.lastArrival != nil {
                        for await _ in connection.whilePeopleAreThere {}
                    }
                }
                await group.next()
                group.cancelAll()
                await connection.disconnect(.roomClosed)
            }
            return connection.lastArrival ?? atStart
        } catch {
            // The room has gone, or the server is stopping; there is nobody to tell.
            return atStart
        }
    }
}
