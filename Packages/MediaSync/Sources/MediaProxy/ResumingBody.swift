import Synchronization
import TransportCore

/// The bytes that a player asked for, in as many answers of the server as it takes.
///
/// A server that breaks off is asked for the rest, on the condition that the file is still the same one. Whatever cannot be
/// had ends with an error, so that the player sees a short body and never a wrong one.
final class ResumingBody: HTTPBodyStream {
    private struct State {
        var leg: UpstreamLeg?
        /// The next byte that the leg brings.
        var offset: Int
        /// The next byte that the player gets.
        var position: Int
        /// Attempts since the last one that was worth it.
        var attempts = 0
        /// What the latest attempt has brought.
        var progress = 0
        var isCancelled = false
        var isOver = false
    }

    private enum Step {
        case over(UpstreamLeg?)
        case read(UpstreamLeg)
        case open
    }

    private let file: UpstreamFile
    private let version: Representation
    private let first: Int
    private let last: Int
    private let configuration: MediaProxyConfiguration
    private let stopwatch: Stopwatch
    private let report: @Sendable (MediaProxyEvent) -> Void
    private let didEnd: @Sendable () -> Void
    private let state: Mutex<State>

    /// Creates the body for the bytes `first` to `last` of a version, of which `leg` brings the first ones.
    init(
        _ file: UpstreamFile,
        version: Representation,
        first: Int,
        last: Int,
        leg: UpstreamLeg,
        configuration: MediaProxyConfiguration,
        stopwatch: Stopwatch,
        report: @escaping @Sendable (MediaProxyEvent) -> Void,
        didEnd: @escaping @Sendable () -> Void
    ) {
        self.file = file
        self.version = version
        self.first = first
        self.last = last
        self.configuration = configuration
        self.stopwatch = stopwatch
        self.report = report
        self.didEnd = didEnd
        state = Mutex(State(leg: leg, offset: leg.first, position: first))
    }

    func next() async throws(TransportError) -> [UInt8]? {
        while true {
            switch try step() {
            case .over(let leg):
                if let leg { await finish(leg) }
                end(nil)
                return nil
            case .open:
                // The server sent less than was asked for, as it had announced.
                try await open(after: "the server sent a part of it only", isSafe: true)
            case .read(let leg):
                do throws(TransportError) {
                    if let bytes = try await leg.body.next() {
                        if let piece = take(bytes, of: leg) { return piece }
                    } else {
                        try endLeg(leg)
                    }
                } catch {
                    leg.body.cancel()
                    try await resume(after: error)
                }
            }
        }
    }

    func cancel() {
        let (leg, isFirst, count) = state.withLock { state in
            let isFirst = !state.isCancelled && !state.isOver
            state.isCancelled = true
            defer { state.leg = nil }
            return (state.leg, isFirst, state.position - first)
        }
        leg?.body.cancel()
        guard isFirst else { return }
        report(.cancelled(id: file.source.name, bytes: count))
        didEnd()
    }

    private func step() throws(TransportError) -> Step {
        try state.withLock { state throws(TransportError) in
            if state.isCancelled { throw TransportError(.cancelled) }
            if state.position > last {
                defer { state.leg = nil }
                return .over(state.leg)
            }
            return state.leg.map { .read($0) } ?? .open
        }
    }

    /// What of a piece is for the player; `nil` for nothing.
    private func take(_ bytes: [UInt8], of leg: UpstreamLeg) -> [UInt8]? {
        let (range, excess) = state.withLock { state -> (Range<Int>, Bool) in
            let start = state.offset
            state.offset += bytes.count
            let end = min(state.offset, last + 1, leg.last + 1)
            let excess = state.offset > leg.last + 1
            if excess { state.leg = nil }
            guard end > state.position else { return (0..<0, excess) }
            let range = state.position - start..<end - start
            state.position = end
            state.progress += range.count
            if state.progress >= configuration.progressBytes { state.attempts = 0 }
            return (range, excess)
        }
        if excess { leg.body.cancel() }
        if range.isEmpty { return nil }
        return range.count == bytes.count ? bytes : Array(bytes[range])
    }

    /// A body that is over has to have brought what it announced.
    private func endLeg(_ leg: UpstreamLeg) throws(TransportError) {
        let isWhole = state.withLock { state in
            guard state.offset > leg.last else { return false }
            state.leg = nil
            // However little it was, the server kept what it had announced.
            state.attempts = 0
            return true
        }
        if !isWhole { throw TransportError(.closed) }
    }

    /// Reads the end behind the last byte, which makes the connection fit for another request.
    private func finish(_ leg: UpstreamLeg) async {
        let isAtEnd = state.withLock { $0.offset == leg.last + 1 }
        if isAtEnd, leg.endsByLength { _ = try? await leg.body.next() }
        leg.body.cancel()
    }

    // MARK: Going on

    private func resume(after error: TransportError) async throws(TransportError) {
        let isCancelled = state.withLock { state in
            state.leg = nil
            return state.isCancelled
        }
        guard !isCancelled else { throw TransportError(.cancelled) }
        switch error.code {
        case .closed: try await open(after: "the server broke off")
        case .timedOut: try await open(after: "the server sent nothing in time")
        case .cancelled: throw error
        default: throw end("the server broke the rules of HTTP or TLS")
        }
    }

    /// Asks for the rest, as often as the configuration allows.
    ///
    /// - Parameters:
    ///   - reason: Why it has to.
    ///   - isSafe: Whether the server means to be asked again, so that nothing but the length need tell that the file is
    ///     still the same.
    /// - Throws: `closed` when the rest cannot be had, `cancelled`.
    private func open(after reason: String, isSafe: Bool = false) async throws(TransportError) {
        var reason = reason
        while true {
            let (position, attempt) = state.withLock { state in
                state.attempts += 1
                state.progress = 0
                return (state.position, state.attempts)
            }
            guard isSafe || version.condition != nil else {
                throw end("\(reason), and gave nothing to recognise the file by, so it cannot be resumed")
            }
            guard attempt <= configuration.resumeDelays.count else { throw end("\(reason), too often") }
            report(.resumed(id: file.source.name, offset: position, attempt: attempt, reason: reason))
            try await wait(configuration.resumeDelays[attempt - 1])
            do throws(UpstreamFailure) {
                if try await openLeg(from: position) { return }
                report(.changed(id: file.source.name))
                throw UpstreamFailure("the file has changed on the server")
            } catch {
                switch error.kind {
                case .cancelled: throw TransportError(.cancelled)
                case .final: throw end(error.reason)
                case .transient: reason = error.reason
                }
            }
        }
    }

    private func wait(_ delay: Duration) async throws(TransportError) {
        guard delay > .zero else { return }
        do {
            try await stopwatch.sleep(until: stopwatch.elapsed + delay)
        } catch {
            throw TransportError(.cancelled)
        }
    }

    /// Opens the next leg.
    ///
    /// - Returns: Whether the file is still the same.
    private func openLeg(from position: Int) async throws(UpstreamFailure) -> Bool {
        let answer = try await file.open(
            from: position,
            through: last == version.total - 1 ? nil : last,
            isRanged: true,
            known: version
        )
        guard case .leg(let leg, let found) = answer else { return false }
        guard version.isSame(as: found) else {
            leg.body.cancel()
            return false
        }
        let isWanted = state.withLock { state in
            if state.isCancelled { return false }
            state.leg = leg
            state.offset = leg.first
            return true
        }
        guard isWanted else {
            leg.body.cancel()
            throw UpstreamFailure("cancelled", kind: .cancelled)
        }
        return true
    }

    /// Ends for good, with a reason when not everything was sent.
    @discardableResult
    private func end(_ reason: String?) -> TransportError {
        let (isFirst, count) = state.withLock { state in
            let isFirst = !state.isOver && !state.isCancelled
            state.isOver = true
            return (isFirst, state.position - first)
        }
        if isFirst {
            report(
                reason.map { .failed(id: file.source.name, status: nil, reason: $0) }
                    ?? .finished(id: file.source.name, bytes: count)
            )
            didEnd()
        }
        return TransportError(.closed)
    }
}
