import CTransportLinux
import Glibc
import Synchronization
package import TransportCore
package import TransportTLS

/// One connected socket as an asynchronous stream of bytes both ways, with or without TLS.
///
/// Nothing is read before it is asked for, so an idle connection holds no buffer, and a slow reader holds back the
/// other side. Writers wait while more than ``highWater`` bytes have not been taken by the system. One task may
/// receive while others send. Cancelling a waiting task ends its wait with `cancelled`; who owns the connection closes it.
package final class SocketConnection: Sendable {
    /// More unsent bytes than this make writers wait.
    package static let highWater = 256 * 1024
    /// Waiting writers go on at this many unsent bytes.
    package static let lowWater = 64 * 1024

    private struct State: Sendable {
        var descriptor: Int32
        var identifier: UInt64 = 0
        var tls: TLSEngine?
        var isConnecting = false
        /// Whether reading or writing may find something to do; cleared when the system says that it would wait.
        var mayRead = true
        var mayWrite = true
        var hasHungUp = false
        var inputEnded = false
        var failure: TransportError?
        /// Why nothing can be sent any more; what came before can still be received.
        var sendFailure: TransportError?
        /// How much the next reading makes room for.
        var readSize = 4096

        var outgoing: [[UInt8]] = []
        var outgoingStart = 0
        var outgoingBytes = 0
        var closesWhenSent = false

        var reader: CheckedContinuation<Void, Never>?
        var writers: [(number: UInt64, level: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var nextNumber: UInt64 = 0

        var readDue: Duration?
        var writeDue: Duration?
        var writePatience: Duration?
        var armedAt: Duration?
        var hangupAction: (@Sendable () -> Void)?
    }

    private struct Wakes {
        var continuations: [CheckedContinuation<Void, Never>] = []
        var hangup: (@Sendable () -> Void)?

        func resume() {
            for continuation in continuations { continuation.resume() }
            hangup?()
        }
    }

    private enum Attempt {
        case done([UInt8]?)
        case wait
    }

    package let group: SocketLoopGroup
    let loop: SocketLoop
    /// Who is at the other end, for people.
    package let peer: String
    private let state: Mutex<State>

    /// Takes over a descriptor.
    init(_ descriptor: Int32, group: SocketLoopGroup, loop: SocketLoop, peer: String, isConnecting: Bool = false) {
        self.group = group
        self.loop = loop
        self.peer = peer
        state = Mutex(State(descriptor: descriptor, isConnecting: isConnecting))
    }

    deinit {
        state.withLock { state in
            if state.descriptor >= 0 { Glibc.close(state.descriptor) }
            loop.remove(state.identifier)
        }
    }

    /// Begins to be told by the loop; has to be called once, before anything waits.
    func watch() throws(TransportError) {
        let descriptor = state.withLock { $0.descriptor }
        guard let identifier = loop.add(descriptor, for: self) else {
            close()
            throw TransportError(.unavailable, "The system watches no more sockets; close some connections.")
        }
        state.withLock { $0.identifier = identifier }
    }

    // MARK: State

    /// Whether it is open in both directions, as far as is known.
    package var isOpen: Bool {
        state.withLock {
            $0.descriptor >= 0 && $0.failure == nil && !$0.hasHungUp && !$0.inputEnded && !$0.closesWhenSent
        }
    }

    /// Whether anything may still be sent or received.
    package var isUsable: Bool { state.withLock { $0.descriptor >= 0 && $0.failure == nil } }

    /// Whether it is open and the other side has sent nothing that was not read: fit to be used for another request.
    package var isQuiet: Bool {
        guard isOpen else { return false }
        return state.withLock { state in
            var byte: UInt8 = 0
            // With TLS even an unread record that is no data, such as a new key, is not worth telling apart.
            let count = recv(state.descriptor, &byte, 1, Int32(clamping: MSG_PEEK | MSG_DONTWAIT))
            return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
        }
    }

    /// How many bytes the system has not taken yet.
    package var unsentBytes: Int { state.withLock { $0.outgoingBytes } }

    /// The fingerprints of the server's certificate, on a client's connection with TLS.
    package var peerFingerprints: CertificateFingerprints? { state.withLock { $0.tls }?.peerFingerprints }

    /// Whether TLS is on.
    package var isSecure: Bool { state.withLock { $0.tls != nil } }

    /// Has an action called once when the other side has gone or closes its sending direction; at once if it has.
    package func onHangup(_ action: (@Sendable () -> Void)?) {
        let isLate = state.withLock { state in
            if action != nil, state.hasHungUp || state.descriptor < 0 { return true }
            state.hangupAction = action
            return false
        }
        if isLate { action?() }
    }

    // MARK: Receiving

    /// Waits for bytes; `nil` when the other side has ended its sending properly.
    ///
    /// - Parameters:
    ///   - limit: The most bytes to return, about so many where TLS is on.
    ///   - due: When to give up, on the clock of ``SocketLoopGroup/deadlines``, which closes the connection; `nil` for never.
    /// - Returns: The bytes, never none.
    /// - Throws: `timedOut`, `cancelled`, `closed` when the connection broke off, or what TLS throws.
    package func receive(atMost limit: Int = 256 * 1024, due: Duration? = nil) async throws(TransportError) -> [UInt8]?
    {
        while true {
            switch try attempt({ state throws(TransportError) in try self.tryReceive(&state, limit) }) {
            case .done(let bytes): return bytes
            case .wait: try await waitForInput(due: due)
            }
        }
    }

    /// Sets a limit for a wait that has begun without one.
    package func limitWait(until due: Duration) {
        let armAt = state.withLock { state -> Duration? in
            guard state.reader != nil else { return nil }
            state.readDue = due
            return Self.arming(&state)
        }
        if let armAt { group.deadlines.schedule(self, at: armAt) }
    }

    private func attempt(_ body: (inout State) throws(TransportError) -> Attempt) throws(TransportError) -> Attempt {
        let (result, wakes) = state.withLock { state -> (Result<Attempt, TransportError>, Wakes) in
            do throws(TransportError) {
                return (.success(try body(&state)), Wakes())
            } catch {
                return (.failure(error), fail(&state, error))
            }
        }
        wakes.resume()
        return try result.get()
    }

    private func tryReceive(_ state: inout State, _ limit: Int) throws(TransportError) -> Attempt {
        if let failure = state.failure { throw failure }
        if state.inputEnded { return .done(nil) }
        guard state.descriptor >= 0 else { throw TransportError(.closed) }
        guard let tls = state.tls else { return try tryReceivePlain(&state, limit) }
        while true {
            switch try tls.read(atMost: limit) {
            case .bytes(let bytes): return .done(bytes)
            case .end:
                state.inputEnded = true
                return .done(nil)
            case .needsInput:
                // Reading can call for an answer of TLS's own: to a new key, or to what is not allowed.
                try? push(&state, tls.takeOutput(), more: false)
                guard state.mayRead else { return .wait }
                switch try feed(&state, tls) {
                case .bytes(let bytes): return .done(bytes)
                case .end:
                    state.inputEnded = true
                    return .done(nil)
                case .needsInput: continue
                }
            }
        }
    }

    private func tryReceivePlain(_ state: inout State, _ limit: Int) throws(TransportError) -> Attempt {
        guard state.mayRead else { return .wait }
        let size = max(1, min(limit, state.readSize))
        var count = 0
        var code: Int32 = 0
        let descriptor = state.descriptor
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
            count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            code = errno
            used = max(0, count)
        }
        if count < 0 {
            guard code == EAGAIN || code == EWOULDBLOCK || code == EINTR else { throw brokenOff(code) }
            state.mayRead = code == EINTR
            return code == EINTR ? try tryReceivePlain(&state, limit) : .wait
        }
        if count == 0 {
            state.inputEnded = true
            return .done(nil)
        }
        adapt(&state, count, size)
        // A large array that holds little would keep its memory for as long as the bytes are kept.
        return .done(count < size / 2 ? bytes.withUnsafeBufferPointer { Array($0) } : bytes)
    }

    /// Makes room for more after a reading that filled what there was, and lets the loop tell when there is more.
    private func adapt(_ state: inout State, _ count: Int, _ size: Int) {
        if count == size {
            state.readSize = min(state.readSize * 2, 256 * 1024)
        } else {
            // Less than there was room for means that nothing is left, except for the end of a stream.
            if !state.hasHungUp { state.mayRead = false }
            if count < state.readSize / 4 { state.readSize = max(4096, state.readSize / 2) }
        }
    }

    /// Moves bytes from the socket to TLS, which decrypts them once it is set up.
    private func feed(_ state: inout State, _ tls: TLSEngine) throws(TransportError) -> TLSEngine.Reading {
        let size = max(16 * 1024, min(state.readSize, 128 * 1024))
        let descriptor = state.descriptor
        let isOpen = tls.isOpen
        let (count, code, reading) = withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) {
            buffer -> (Int, Int32, Result<TLSEngine.Reading, TransportError>) in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            let code = errno
            guard count > 0 else { return (count, code, .success(.needsInput)) }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            guard isOpen else {
                tls.receive(bytes)
                return (count, code, .success(.needsInput))
            }
            do throws(TransportError) { return (count, code, .success(try tls.decrypt(bytes))) } catch {
                return (count, code, .failure(error))
            }
        }
        if count < 0 {
            guard code == EAGAIN || code == EWOULDBLOCK || code == EINTR else { throw brokenOff(code) }
            state.mayRead = code == EINTR
        } else if count == 0 {
            tls.receiveEnd()
        } else {
            adapt(&state, count, size)
        }
        return try reading.get()
    }

    private func brokenOff(_ code: Int32) -> TransportError {
        TransportError(.closed, "The connection to \(peer) broke off (\(String(cString: strerror(code)))).")
    }

    private func waitForInput(due: Duration?) async throws(TransportError) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let armAt = state.withLock { state -> Duration?? in
                    if state.mayRead || state.failure != nil || state.descriptor < 0 || Task.isCancelled { return nil }
                    state.reader = continuation
                    state.readDue = due
                    return .some(Self.arming(&state))
                }
                guard let armAt else { return continuation.resume() }
                if let armAt { group.deadlines.schedule(self, at: armAt) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume()
        }
        state.withLock { $0.readDue = nil }
        if Task.isCancelled { throw TransportError(.cancelled) }
    }

    /// The time to have the queue call at, `nil` when it will call early enough anyway.
    private static func arming(_ state: inout State) -> Duration? {
        guard let due = [state.readDue, state.writeDue].compactMap({ $0 }).min() else { return nil }
        if let armedAt = state.armedAt, armedAt <= due { return nil }
        state.armedAt = due
        return due
    }

    // MARK: Sending

    /// Sends bytes, waiting while too many of those before have not been taken by the system.
    ///
    /// - Parameters:
    ///   - bytes: What to send.
    ///   - more: Whether more follows at once, which saves a packet.
    ///   - patience: How long the other side may take nothing at all, which closes the connection; `nil` for any time.
    /// - Throws: `closed`, `timedOut` or `cancelled`.
    package func send(
        _ bytes: [UInt8],
        more: Bool = false,
        patience: Duration? = nil
    ) async throws(TransportError) {
        if try put(bytes, more: more) { try await waitForRoom(patience: patience) }
    }

    /// Sends bytes without waiting.
    ///
    /// - Returns: Whether so many bytes have not been taken by the system that the caller should wait for room.
    /// - Throws: `closed`, or the error that ended the connection.
    package func put(_ bytes: [UInt8], more: Bool = false) throws(TransportError) -> Bool {
        try state.withLock { state throws(TransportError) in
            try enqueue(&state, bytes, more: more)
            return state.outgoingBytes > Self.highWater
        }
    }

    /// Waits until there is room for more after ``put(_:more:)`` has said that there is none.
    ///
    /// - Throws: As ``send(_:more:patience:)``.
    package func waitForRoom(patience: Duration? = nil) async throws(TransportError) {
        try await waitForOutput(Self.highWater, resumingAt: Self.lowWater, patience: patience)
    }

    /// Sends bytes without waiting, unless that would leave more than `limit` bytes unsent.
    ///
    /// - Returns: Whether they were taken; a connection that does not take them is too slow, or over.
    package func trySend(_ bytes: [UInt8], limit: Int) -> Bool {
        state.withLock { state -> Bool in
            guard state.outgoingBytes == 0 || state.outgoingBytes + bytes.count <= limit else { return false }
            return (try? enqueue(&state, bytes, more: false)) != nil
        }
    }

    /// Waits until the system has taken everything.
    ///
    /// - Throws: As ``send(_:more:patience:)``.
    package func flush(patience: Duration? = nil) async throws(TransportError) {
        try await waitForOutput(0, resumingAt: 0, patience: patience)
    }

    private func enqueue(_ state: inout State, _ bytes: [UInt8], more: Bool) throws(TransportError) {
        if let failure = state.failure ?? state.sendFailure { throw failure }
        guard state.descriptor >= 0, !state.closesWhenSent else { throw TransportError(.closed) }
        if let tls = state.tls {
            try push(&state, tls.encrypt(bytes), more: more)
        } else {
            try push(&state, bytes, more: more)
        }
    }

    private func push(_ state: inout State, _ bytes: [UInt8], more: Bool) throws(TransportError) {
        guard !bytes.isEmpty else { return }
        state.outgoing.append(bytes)
        state.outgoingBytes += bytes.count
        if state.mayWrite { drain(&state, more: more) }
        if let sendFailure = state.sendFailure { throw sendFailure }
    }

    /// Gives the system what it takes.
    private func drain(_ state: inout State, more: Bool) {
        guard !state.isConnecting else { return }
        while !state.outgoing.isEmpty {
            // Many small pieces cost less as one.
            if state.outgoing.count > 1, state.outgoing[0].count - state.outgoingStart < 16 * 1024 { join(&state) }
            let piece = state.outgoing[0]
            let start = state.outgoingStart
            let descriptor = state.descriptor
            let hasMore = more || state.outgoing.count > 1
            let count = piece.withUnsafeBytes { buffer in
                hope_socket_send(
                    descriptor,
                    buffer.baseAddress.map { $0 + start },
                    buffer.count - start,
                    hasMore ? 1 : 0
                )
            }
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                if code == EAGAIN || code == EWOULDBLOCK {
                    state.mayWrite = false
                    return
                }
                state.sendFailure = brokenOff(code)
                state.outgoing = []
                state.outgoingBytes = 0
                state.outgoingStart = 0
                return
            }
            state.outgoingBytes -= count
            state.outgoingStart += count
            if state.outgoingStart == piece.count {
                state.outgoing.removeFirst()
                state.outgoingStart = 0
            }
            if state.writeDue != nil, let patience = state.writePatience {
                state.writeDue = group.deadlines.now + patience
            }
        }
    }

    private func join(_ state: inout State) {
        var joined = Array(state.outgoing[0][state.outgoingStart...])
        var count = 1
        while count < state.outgoing.count, joined.count + state.outgoing[count].count <= 64 * 1024 {
            joined += state.outgoing[count]
            count += 1
        }
        guard count > 1 else { return }
        state.outgoing.replaceSubrange(0..<count, with: CollectionOfOne(joined))
        state.outgoingStart = 0
    }

    private func waitForOutput(_ level: Int, resumingAt resumed: Int, patience: Duration?) async throws(TransportError)
    {
        let isEnough = state.withLock { state in
            state.outgoingBytes <= level || state.failure != nil || state.descriptor < 0
        }
        if isEnough { return try checkSendable() }
        while true {
            let number = state.withLock { state in
                state.nextNumber += 1
                return state.nextNumber
            }
            let due = patience.map { group.deadlines.now + $0 }
            await withTaskCancellationHandler {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    let armAt = state.withLock { state -> Duration?? in
                        if state.outgoingBytes <= resumed || state.failure != nil || state.descriptor < 0
                            || Task.isCancelled
                        {
                            return nil
                        }
                        state.writers.append((number, resumed, continuation))
                        state.writeDue = due
                        state.writePatience = patience
                        return .some(Self.arming(&state))
                    }
                    guard let armAt else { return continuation.resume() }
                    if let armAt { group.deadlines.schedule(self, at: armAt) }
                }
            } onCancel: {
                let writer = state.withLock { state -> CheckedContinuation<Void, Never>? in
                    guard let index = state.writers.firstIndex(where: { $0.number == number }) else { return nil }
                    return state.writers.remove(at: index).continuation
                }
                writer?.resume()
            }
            if Task.isCancelled { throw TransportError(.cancelled) }
            let unsent = state.withLock { state in
                if state.writers.isEmpty { state.writeDue = nil }
                return state.outgoingBytes
            }
            try checkSendable()
            if unsent <= resumed { return }
        }
    }

    private func checkSendable() throws(TransportError) {
        if let failure = state.withLock({ $0.sendFailure }) { throw failure }
        try checkOpen()
    }

    private func checkOpen() throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            if let failure = state.failure { throw failure }
            guard state.descriptor >= 0 else { throw TransportError(.closed) }
        }
    }

    // MARK: TLS

    /// Sets up TLS before anything else is sent or received.
    ///
    /// - Parameters:
    ///   - engine: This end.
    ///   - due: When to give up.
    /// - Throws: As ``TLSEngine/handshake()``, and `timedOut` or `cancelled`; the connection is closed then.
    package func startTLS(_ engine: TLSEngine, due: Duration?) async throws(TransportError) {
        state.withLock { $0.tls = engine }
        while true {
            let attempted = try attempt { state throws(TransportError) in
                if let failure = state.failure { throw failure }
                guard state.descriptor >= 0 else { throw TransportError(.closed) }
                do throws(TransportError) {
                    let isOpen = try engine.handshake()
                    try self.push(&state, engine.takeOutput(), more: false)
                    if isOpen { return .done(nil) }
                } catch {
                    // The alert that tells the other side why is still to be sent.
                    try? self.push(&state, engine.takeOutput(), more: false)
                    throw error
                }
                guard state.mayRead else { return .wait }
                _ = try self.feed(&state, engine)
                return .done([])
            }
            switch attempted {
            case .done(nil): return
            case .done: break
            case .wait: try await waitForInput(due: due)
            }
        }
    }

    // MARK: Connecting and ending

    /// Waits until a connection that is being made stands.
    func waitUntilConnected(due: Duration?) async throws(TransportError) {
        while state.withLock({ $0.isConnecting && $0.failure == nil && $0.descriptor >= 0 }) {
            state.withLock { $0.mayRead = false }
            if !state.withLock({ $0.isConnecting }) { break }
            try await waitForInput(due: due)
        }
        try checkOpen()
        state.withLock { $0.mayRead = true }
    }

    /// Closes at once, and loses what has not been sent; harmless when it is closed already.
    package func close() {
        fail(with: TransportError(.closed))
    }

    /// Ends with an error that everybody who waits gets.
    package func fail(with error: TransportError) {
        state.withLock { fail(&$0, error) }.resume()
    }

    /// Closes when everything has been sent, saying so where TLS is on.
    ///
    /// - Parameter patience: How long the other side may take nothing before the rest is given up.
    package func finish(patience: Duration? = nil) async {
        let mustWait = state.withLock { state -> Bool in
            guard state.descriptor >= 0, state.failure == nil else { return false }
            if let tls = state.tls {
                tls.close()
                do throws(TransportError) { try push(&state, tls.takeOutput(), more: false) } catch { return false }
            }
            state.closesWhenSent = true
            return true
        }
        if mustWait { try? await flush(patience: patience) }
        close()
    }

    /// Says that nothing more will be sent, and throws away what still comes, for as long as it is not much.
    ///
    /// Closing while the other side is still sending would make its system drop the answer it has not read yet.
    package func finishGently(patience: Duration) async {
        let due = group.deadlines.now + patience
        let canLinger = state.withLock { state -> Bool in
            guard state.descriptor >= 0, state.failure == nil else { return false }
            if let tls = state.tls {
                tls.close()
                do throws(TransportError) { try push(&state, tls.takeOutput(), more: false) } catch { return false }
            }
            state.closesWhenSent = true
            return true
        }
        if canLinger, (try? await flush(patience: patience)) != nil {
            state.withLock { if $0.descriptor >= 0 { shutdown($0.descriptor, Int32(SHUT_WR)) } }
            var rest = 256 * 1024
            while rest > 0, let bytes = try? await receive(due: due) { rest -= bytes.count }
        }
        close()
    }

    private func fail(_ state: inout State, _ error: TransportError) -> Wakes {
        guard state.descriptor >= 0 else { return Wakes() }
        state.failure = state.failure ?? error
        loop.remove(state.identifier)
        Glibc.close(state.descriptor)
        state.descriptor = -1
        state.outgoing = []
        state.outgoingBytes = 0
        state.outgoingStart = 0
        state.tls = nil
        var wakes = Wakes(continuations: state.writers.map(\.continuation), hangup: state.hangupAction)
        if let reader = state.reader { wakes.continuations.append(reader) }
        state.reader = nil
        state.writers = []
        state.hangupAction = nil
        return wakes
    }
}

extension SocketConnection: SocketEventTarget {
    func socketDidChange(_ events: SocketEvents) {
        let wakes = state.withLock { state -> Wakes in
            guard state.descriptor >= 0 else { return Wakes() }
            if events.contains(.hangup) { state.hasHungUp = true }
            if state.isConnecting {
                // Nothing but the outcome of connecting can have changed.
                guard events.contains(.output) else { return Wakes() }
                let code = hope_socket_error(state.descriptor)
                guard code == 0 else { return fail(&state, Self.unreachable(peer, code)) }
                state.isConnecting = false
                state.mayRead = true
                hope_socket_send_at_once(state.descriptor)
            }
            var wakes = Wakes()
            if events.contains(.output) {
                state.mayWrite = true
                drain(&state, more: false)
                let unsent = state.outgoingBytes
                wakes.continuations = state.writers.filter { unsent <= $0.level }.map(\.continuation)
                state.writers.removeAll { unsent <= $0.level }
            }
            if events.contains(.input) { state.mayRead = true }
            if state.mayRead, let reader = state.reader {
                wakes.continuations.append(reader)
                state.reader = nil
            }
            if events.contains(.hangup) {
                wakes.hangup = state.hangupAction
                state.hangupAction = nil
            }
            return wakes
        }
        wakes.resume()
    }

    static func unreachable(_ peer: String, _ code: Int32) -> TransportError {
        if code == ECONNREFUSED {
            return TransportError(
                .unreachable,
                "\(peer) refuses connections; check that the server runs and the port is right."
            )
        }
        if code == ETIMEDOUT { return TransportError(.timedOut, "\(peer) does not answer.") }
        return TransportError(.unreachable, "\(peer) cannot be reached (\(String(cString: strerror(code)))).")
    }
}

extension SocketConnection: DeadlineTarget {
    package func deadlineReached(now: Duration) {
        let (wakes, armAt) = state.withLock { state -> (Wakes, Duration?) in
            state.armedAt = nil
            guard state.descriptor >= 0 else { return (Wakes(), nil) }
            if let due = state.readDue, due <= now {
                return (fail(&state, TransportError(.timedOut, "\(peer) sent nothing in time.")), nil)
            }
            if let due = state.writeDue, due <= now {
                return (fail(&state, TransportError(.timedOut, "\(peer) took nothing in time.")), nil)
            }
            return (Wakes(), Self.arming(&state))
        }
        wakes.resume()
        if let armAt { group.deadlines.schedule(self, at: armAt) }
    }
}
