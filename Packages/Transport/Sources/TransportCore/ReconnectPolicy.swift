/// How a backend tries to get a lost connection back.
///
/// The first attempt is made at once. Between attempt `n` and the next one lie `0.3 + 6.7 · √(1 − (n / (attempts − 1) −
/// 1)²)` seconds and up to a tenth more by chance, as LiveKit's Swift library waits (`n` from 0). No attempt begins after
/// ``total``.
public struct ReconnectPolicy: Hashable, Sendable {
    /// How many attempts there are at most.
    public var attempts: Int
    /// How long after the loss the last attempt may begin.
    public var total: Duration

    /// Creates a policy.
    public init(attempts: Int = 10, total: Duration = .seconds(45)) {
        self.attempts = attempts
        self.total = total
    }

    /// How long to wait after an attempt that failed, without the share of chance.
    ///
    /// - Parameter attempt: The attempt's number, from 0.
    /// - Returns: From 0.3 s to 7 s.
    public func delay(afterAttempt attempt: Int) -> Duration {
        guard attempts > 1 else { return .milliseconds(300) }
        let distance = min(1, max(0, Double(attempt) / Double(attempts - 1))) - 1
        let seconds = 0.3 + (1 - distance * distance).squareRoot() * 6.7
        return .milliseconds(Int((seconds * 1000).rounded()))
    }

    /// Attempts to connect until it succeeds, is refused, or the policy gives up.
    ///
    /// A time-out or a server that cannot be reached, is overloaded or failing (429, 5xx) is tried again. A token that
    /// is not accepted is replaced once. Everything else ends at once.
    ///
    /// - Parameters:
    ///   - clock: What is waited on.
    ///   - random: Where the share of chance comes from.
    ///   - token: The newest token.
    ///   - renewToken: Asks for a fresh token; `nil` when there is no way to.
    ///   - attempt: Makes one attempt with a token.
    /// - Returns: What the attempt that succeeded returned.
    /// - Throws: The last attempt's error, or `cancelled`.
    public func reconnect<Connection: Sendable>(
        on clock: any Clock<Duration>,
        random: inout SeededRandom,
        token: String,
        renewToken: (@Sendable () async throws(TransportError) -> String)?,
        attempt: (String) async throws(TransportError) -> Connection
    ) async throws(TransportError) -> Connection {
        let watch = Stopwatch(clock: clock)
        var token = token
        var mayRenew = renewToken != nil
        var last = TransportError(.timedOut)
        for number in 0..<max(1, attempts) {
            if number > 0 {
                let delay = delay(afterAttempt: number - 1) * (1 + random.nextUnit() / 10)
                if watch.elapsed + delay > total { throw last }
                do {
                    try await clock.sleep(for: delay)
                } catch {
                    throw TransportError(.cancelled)
                }
            }
            do throws(TransportError) {
                do throws(TransportError) {
                    return try await attempt(token)
                } catch {
                    guard error.code == .unauthorized, mayRenew, let renewToken else { throw error }
                    mayRenew = false
                    token = try await renewToken()
                    return try await attempt(token)
                }
            } catch {
                guard error.code.isWorthAnotherAttempt else { throw error }
                last = error
            }
        }
        throw last
    }
}

extension TransportError.Code {
    /// Whether the same attempt may succeed a little later.
    fileprivate var isWorthAnotherAttempt: Bool {
        switch self {
        case .timedOut, .unreachable, .nameNotFound, .closed, .notConnected: true
        case .refused(let status): status == 429 || (500...599).contains(status)
        default: false
        }
    }
}
