import Testing
import TransportCore

@Suite struct ReconnectPolicyTests {
    private let clock = ManualClock()

    /// Reconnects with the errors that the attempts meet, and returns when each was made and with which token.
    private func attempts(
        _ outcomes: [TransportError?],
        renewToken: (@Sendable () async throws(TransportError) -> String)? = nil
    ) async throws -> (made: [String], error: TransportError?) {
        let journal = Journal()
        let error = try await clock.run(until: .seconds(600)) { [clock] () -> TransportError? in
            var random = SeededRandom(seed: 9)
            do throws(TransportError) {
                try await ReconnectPolicy().reconnect(
                    on: clock,
                    random: &random,
                    token: "old",
                    renewToken: renewToken
                ) { (token: String) async throws(TransportError) in
                    let number = journal.lines.count
                    journal.write("\(clock.now.offset.inMilliseconds) \(token)")
                    if number < outcomes.count, let error = outcomes[number] { throw error }
                }
                return nil
            } catch {
                return error
            }
        }
        return (journal.lines, error)
    }

    @Test("Delays grow as LiveKit's do")
    func delays() {
        // Computed from the formula in LiveKit's Swift library.
        let expected = [300, 3370, 4510, 5290, 5870, 6300, 6620, 6830, 6960]
        for (number, milliseconds) in expected.enumerated() {
            let delay = ReconnectPolicy().delay(afterAttempt: number)
            #expect(abs(delay.inMilliseconds - milliseconds) <= 5)
        }
    }

    @Test("The first attempt is made at once, further ones within 45 s, then the last error stands")
    func givesUp() async throws {
        let (made, error) = try await attempts(Array(repeating: TransportError(.unreachable), count: 20))
        #expect(made.first == "0 old")
        #expect(made.count == 9)
        #expect(error?.code == .unreachable)
        #expect(clock.now.offset <= .seconds(45))
        #expect(clock.now.offset > .seconds(37))
    }

    @Test("A time-out is tried again, and a success ends it")
    func success() async throws {
        let (made, error) = try await attempts([TransportError(.timedOut), TransportError(.refused(status: 503)), nil])
        #expect(made.count == 3)
        #expect(error == nil)
    }

    @Test("A 401 leads to one fresh token, which is used from then on; a second 401 ends it")
    func freshToken() async throws {
        let unauthorized = TransportError(.unauthorized)
        let renew: @Sendable () async throws(TransportError) -> String = { "new" }
        let (made, error) = try await attempts([unauthorized, TransportError(.timedOut), nil], renewToken: renew)
        #expect(made.map { $0.split(separator: " ").last } == ["old", "new", "new"])
        #expect(error == nil)
        #expect(try await attempts([unauthorized, unauthorized, nil], renewToken: renew).error == unauthorized)
        let later = [unauthorized, TransportError(.timedOut), unauthorized, nil]
        #expect(try await attempts(later, renewToken: renew).error == unauthorized)
        #expect(try await attempts([unauthorized, nil]).error == unauthorized)
    }

    @Test(
        "A refusal ends it at once",
        arguments: [
            TransportError.Code.refused(status: 403), .pinMismatch(expected: ["a"], found: "b"), .protocolViolation,
            .notPermitted, .cancelled,
        ]
    )
    func refusal(_ code: TransportError.Code) async throws {
        let (made, error) = try await attempts([TransportError(code), nil])
        #expect(made.count == 1)
        #expect(error?.code == code)
    }
}
