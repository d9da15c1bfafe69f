import Synchronization
public import TransportCore

/// The body of a request that a server is answering.
///
/// It can be read until the handler's answer has been sent. A client that waits for `100 Continue` gets it with the first
/// reading, so a handler that refuses without reading spares the client its upload.
public final class HTTPServerRequestBody: HTTPBodyStream {
    private struct State {
        var isOver: Bool
        var mustContinue: Bool
        /// Whether the client may never send the body, as it was not told to before the answer.
        var isHeldBack = false
        var isDetached = false
        var fault: HTTPServerFault?
        var received = 0
        var waited = Duration.zero
    }

    private let input: HTTPServerInput
    private let timeouts: HTTPServerConfiguration.Timeouts
    /// The length that the client announced, `nil` when it comes in chunks; 0 for no body.
    public let announcedLength: Int?
    private let state: Mutex<State>

    init(
        _ input: HTTPServerInput,
        framing: HTTPBodyFraming,
        expectsContinue: Bool,
        timeouts: HTTPServerConfiguration.Timeouts
    ) {
        self.input = input
        self.timeouts = timeouts
        switch framing {
        case .empty, .length(0): announcedLength = 0
        case .length(let length): announcedLength = length
        case .chunked, .untilClose: announcedLength = nil
        }
        let isEmpty = announcedLength == 0
        state = Mutex(State(isOver: isEmpty, mustContinue: expectsContinue && !isEmpty))
    }

    /// Changes the most bytes that this body may have, before any of it has been read.
    ///
    /// - Parameter limit: The limit; a larger body makes reading throw, and is answered with 413.
    public func setLimit(_ limit: Int) {
        input.setBodyLimit(max(0, limit))
    }

    /// Waits for the next bytes; `nil` at the end.
    ///
    /// - Throws: `payloadTooLarge`, `protocolViolation` for a malformed body, `timedOut` for a slow client, `closed`, or
    ///   `cancelled`. A handler that lets the error through has it answered with the status that fits.
    public func next() async throws(TransportError) -> [UInt8]? {
        do throws(HTTPServerFault) {
            return try await read()
        } catch {
            state.withLock { $0.fault = error }
            switch error {
            case .transport(let error): throw error
            case .message(let error) where error.code == .bodyTooLarge:
                throw TransportError(.payloadTooLarge(limit: 0), error.message)
            case .message(let error) where error.code == .truncated: throw TransportError(.closed, error.message)
            case .message(let error): throw TransportError(.protocolViolation, error.message)
            }
        }
    }

    private func read() async throws(HTTPServerFault) -> [UInt8]? {
        let (isOver, mustContinue, fault) = state.withLock { state in
            defer { state.mustContinue = false }
            return (state.isOver || state.isDetached, state.mustContinue, state.fault)
        }
        if let fault { throw fault }
        if isOver { return nil }
        if mustContinue {
            do throws(TransportError) {
                _ = try input.connection.put(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            } catch {
                throw .transport(error)
            }
        }
        let deadlines = input.connection.group.deadlines
        let start = deadlines.now
        let event = try await input.next { self.due(deadlines.now) }
        return state.withLock { state -> [UInt8]? in
            state.waited += deadlines.now - start
            if case .body(let bytes) = event {
                state.received += bytes.count
                return Array(bytes)
            }
            state.isOver = true
            return nil
        }
    }

    /// A piece may take its time, and all pieces together as long as their number allows.
    private func due(_ now: Duration) -> Duration {
        state.withLock { state in
            let earned = Duration.seconds(state.received / max(1, timeouts.minimumBodyRate))
            return now + max(.zero, min(timeouts.body, timeouts.body + earned - state.waited))
        }
    }

    /// Reads the whole body.
    ///
    /// - Parameter limit: The most bytes to take.
    /// - Returns: The body.
    /// - Throws: As ``next()``.
    public func bytes(limit: Int) async throws(TransportError) -> [UInt8] {
        setLimit(limit)
        var all: [UInt8] = []
        while let bytes = try await next() {
            if all.isEmpty { all = bytes } else { all += bytes }
        }
        return all
    }

    /// Says that nothing more will be read.
    public func cancel() {}

    /// Says that the answer proper is on its way, after which there is no `100 Continue` any more.
    func answerBegins() {
        state.withLock { state in
            state.isHeldBack = state.mustContinue
            state.mustContinue = false
        }
    }

    /// Ends the handler's access, when its answer has been sent.
    func detach() {
        state.withLock { $0.isDetached = true }
    }

    /// Why reading failed, if it did.
    var fault: HTTPServerFault? { state.withLock { $0.fault } }

    /// Reads what is left if that is little, so that the connection can be used again.
    ///
    /// - Returns: Whether the body is over.
    func skipRest(atMost limit: Int) async -> Bool {
        let (isOver, isHeldBack) = state.withLock { ($0.isOver, $0.isHeldBack || $0.fault != nil) }
        if isOver { return true }
        if isHeldBack { return false }
        if let announcedLength, announcedLength - state.withLock({ $0.received }) > limit { return false }
        var rest = limit
        while rest >= 0 {
            guard let bytes = try? await next() else { return state.withLock { $0.isOver } }
            rest -= bytes.count
        }
        return false
    }
}
