import Synchronization
public import TransportCore

/// The threads that wait for the sockets of clients and servers, and the clock that their time limits are kept by.
///
/// One group can serve any number of clients and servers. Its threads end when nobody uses it any more.
public final class SocketLoopGroup: Sendable {
    package let deadlines: DeadlineQueue
    private let loops: [SocketLoop]
    private let turn = Atomic<Int>(0)

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - threads: How many, 1 to 64. One is enough for thousands of connections; more help when encryption is the work.
    ///   - clock: What time limits are kept by; a test gives a ``ManualClock`` and moves it.
    /// - Throws: `unavailable` when the system gives no more threads or descriptors.
    public init(threads: Int = 1, clock: any Clock<Duration> = ContinuousClock()) throws(TransportError) {
        var loops: [SocketLoop] = []
        for index in 0..<min(max(threads, 1), 64) { loops.append(try SocketLoop(name: "hope-sockets-\(index)")) }
        self.loops = loops
        deadlines = DeadlineQueue(clock: clock)
    }

    /// The next loop in turn.
    func nextLoop() -> SocketLoop {
        let index = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(UInt(bitPattern: index) % UInt(loops.count))]
    }
}
