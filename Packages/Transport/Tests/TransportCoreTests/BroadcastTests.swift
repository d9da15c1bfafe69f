import Testing
import TransportCore

struct BroadcastTests {
    @Test func `every stream gets what is sent after it was opened, in order`() async {
        let broadcast = Broadcast<Int>()
        let early = broadcast.open(.unbounded, first: 0)
        broadcast.send(1)
        let late = broadcast.open(.unbounded)
        broadcast.send(2)
        broadcast.finish()
        #expect(await Array(early) == [0, 1, 2])
        #expect(await Array(late) == [2])
        #expect(broadcast.isEmpty)
    }

    @Test func `after finishing new streams can be opened, after closing they have ended`() async {
        let broadcast = Broadcast<Int>()
        broadcast.finish()
        let again = broadcast.open(.unbounded)
        broadcast.send(3)
        broadcast.close()
        #expect(await Array(again) == [3])
        #expect(await Array(broadcast.open(.unbounded, first: 4)) == [4])
        broadcast.send(5)
        #expect(await Array(broadcast.open(.unbounded)) == [])
    }

    @Test func `streams end with what they belong to`() async {
        var broadcast: Broadcast<Int>? = Broadcast()
        let stream = broadcast?.open(.unbounded)
        broadcast?.send(1)
        broadcast = nil
        #expect(await stream?.reduce(0, +) == 1)
    }

    @Test func `a ring that nobody waited for is kept, once, until it is silenced`() async {
        let bell = Bell()
        bell.ring()
        bell.ring()
        #expect(await bell.wait())
        bell.ring()
        bell.silence()
        let waiting = Task { await bell.wait() }
        waiting.cancel()
        #expect(await waiting.value == false)
    }

    @Test func `waiting until a time ends with a ring or at that time`() async throws {
        let clock = ManualClock()
        try await clock.run {
            let stopwatch = Stopwatch(clock: clock)
            let bell = Bell()
            await bell.wait(until: .seconds(3), on: stopwatch)
            #expect(stopwatch.elapsed == .seconds(3))
            bell.ring()
            await bell.wait(until: .seconds(9), on: stopwatch)
            #expect(stopwatch.elapsed == .seconds(3))
        }
    }
}

extension Array where Element: Sendable {
    fileprivate init(_ stream: AsyncStream<Element>?) async {
        self = []
        if let stream { for await element in stream { append(element) } }
    }
}
