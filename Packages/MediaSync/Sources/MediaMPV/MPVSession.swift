import Foundation
import MediaSync
import Synchronization
import TransportCore

/// What is behind a player: mpv, the thread that attends to it, and those who wait for what it says.
final class MPVSession: Sendable {
    private struct Reader {
        let id: Int
        let bell = Bell()
        var waiting: [PlayerSnapshot] = []

        mutating func take(_ snapshot: PlayerSnapshot) {
            if let last = waiting.last, last.load == snapshot.load, last.phase == snapshot.phase {
                waiting.removeLast()
            }
            waiting.append(snapshot)
        }
    }

    private enum Stage {
        case starting(CheckedContinuation<MediaPlayerError?, Never>?)
        case running
        case gone(MediaPlayerError)
    }

    private struct State {
        var mpv = MPVState()
        var stage = Stage.starting(nil)
        var isClosing = false
        var isOver = false
        var unsent: [UInt8] = []
        var processNumber: Int32?
        var questions: [Int: CheckedContinuation<MPVValue?, Never>] = [:]
        var closers: [CheckedContinuation<Void, Never>] = []
        var readerCount = 0
        var readers: [Reader] = []

        var gone: MediaPlayerError? {
            if case .gone(let error) = stage { error } else { nil }
        }

        /// Puts what follows where it goes, and returns the bells to ring once the lock is open.
        mutating func handOut(_ now: Duration) -> [Bell] {
            let output = mpv.takeOutput(now: now)
            for command in output.commands { unsent += command.bytes + [UInt8(ascii: "\n")] }
            guard let snapshot = output.snapshot else { return [] }
            for index in readers.indices { readers[index].take(snapshot) }
            return readers.map(\.bell)
        }
    }

    private let program: MPVProgram
    private let stopwatch: Stopwatch
    private let onDeath: @Sendable (MediaPlayerError) -> Void
    private let wake: MPVWake
    private let state = Mutex(State())

    init(
        _ program: MPVProgram,
        stopwatch: Stopwatch,
        onDeath: @escaping @Sendable (MediaPlayerError) -> Void
    ) throws(MediaPlayerError) {
        self.program = program
        self.stopwatch = stopwatch
        self.onDeath = onDeath
        wake = try MPVWake()
    }

    // MARK: Calls

    /// Starts mpv and waits until it answers; cancelling closes.
    func start() async throws(MediaPlayerError) {
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.stage = .starting(continuation) }
                // Not a task or a queue: it waits for descriptors, and Swift's threads are few.
                Thread.detachNewThread { self.attend() }
            }
        } onCancel: {
            beginClosing()
        }
        if let error { throw error }
    }

    func act(_ change: (inout MPVState) -> Void) throws(MediaPlayerError) {
        guard !Task.isCancelled else {
            throw MediaPlayerError(code: .cancelled, message: "The player was not asked, since the task was cancelled.")
        }
        let (bells, gone) = state.withLock { state -> ([Bell], MediaPlayerError?) in
            if let gone = state.gone { return ([], gone) }
            change(&state.mpv)
            return (state.handOut(stopwatch.elapsed), nil)
        }
        if let gone { throw gone }
        for bell in bells { bell.ring() }
        wake.ring()
    }

    /// Asks mpv what a property is; nil when it does not say.
    func ask(_ property: String) async -> MPVValue? {
        await withCheckedContinuation { continuation in
            let isAsked = state.withLock { state in
                guard state.mpv.isConnected, state.gone == nil else { return false }
                state.questions[state.mpv.ask(property)] = continuation
                _ = state.handOut(stopwatch.elapsed)
                return true
            }
            if isAsked { wake.ring() } else { continuation.resume(returning: nil) }
        }
    }

    var processNumber: Int32? { state.withLock { $0.processNumber } }

    func beginClosing() {
        state.withLock { $0.isClosing = true }
        wake.ring()
    }

    /// Waits until mpv has ended and nothing is left of it.
    func close() async {
        beginClosing()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.closers.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    // MARK: Snapshots

    func snapshots() -> AsyncStream<PlayerSnapshot> {
        let id = state.withLock { state in
            state.readerCount += 1
            state.readers.append(Reader(id: state.readerCount))
            return state.readerCount
        }
        let subscription = Subscription(session: self, id: id)
        return AsyncStream {
            await subscription.next()
        } onCancel: {
            subscription.cancel()
        }
    }

    /// What a stream holds: when the stream is let go of, nothing is kept for it any more.
    private final class Subscription: Sendable {
        let session: MPVSession
        let id: Int

        init(session: MPVSession, id: Int) {
            self.session = session
            self.id = id
        }

        deinit { cancel() }

        func next() async -> PlayerSnapshot? { await session.next(for: id) }

        func cancel() {
            session.state.withLock { state in state.readers.removeAll { $0.id == id } }
        }
    }

    private func next(for id: Int) async -> PlayerSnapshot? {
        while true {
            let (snapshot, bell) = state.withLock { state -> (PlayerSnapshot?, Bell?) in
                guard let index = state.readers.firstIndex(where: { $0.id == id }) else { return (nil, nil) }
                if !state.readers[index].waiting.isEmpty { return (state.readers[index].waiting.removeFirst(), nil) }
                return (nil, state.gone == nil ? state.readers[index].bell : nil)
            }
            guard let bell else { return snapshot }
            guard await bell.wait() else { return nil }
        }
    }

    // MARK: The thread

    private var isClosing: Bool { state.withLock { $0.isClosing } }

    private func attend() {
        var deaths = 0
        var error = MediaPlayerError(code: .playerGone, message: "The player was closed; make a new one.")
        while !isClosing {
            let (death, hasAnswered) = live(isSecond: deaths > 0)
            guard let death else { break }
            deaths += 1
            // One that never answered would not the second time either.
            if deaths > 1 || !hasAnswered {
                error = death
                if deaths > 1 { onDeath(death) }
                break
            }
            onDeath(death)
        }
        finish(error)
    }

    /// Runs mpv until it ends.
    ///
    /// - Returns: How it died, or nil when it was closed, and whether it had answered before.
    private func live(isSecond: Bool) -> (MediaPlayerError?, Bool) {
        let process: MPVProcess
        do {
            process = try MPVProcess(program, wake: wake)
        } catch {
            return (error, false)
        }
        state.withLock { $0.processNumber = process.number }
        var hasAnswered = false
        if process.connect(while: { !isClosing }) {
            serve(process, &hasAnswered)
        } else {
            process.kill()
        }
        process.reap()
        let (bells, questions, words, version, wasClosed) = state.withLock { state in
            state.processNumber = nil
            state.unsent = []
            state.mpv.disconnect()
            defer { state.questions = [:] }
            let bells = state.handOut(stopwatch.elapsed)
            return (bells, state.questions, state.mpv.lastWords, state.mpv.version, state.isClosing)
        }
        for question in questions.values { question.resume(returning: nil) }
        for bell in bells { bell.ring() }
        if wasClosed { return (nil, hasAnswered) }

        let said = (process.lastWords ?? words).map { "it last said: \($0)" } ?? "it said nothing"
        let how = process.howItEnded ?? "an unknown status"
        let remedy: String
        if !hasAnswered {
            remedy = "Try `\(program.name) --version`, and look at the options that it is given."
        } else if isSecond {
            remedy = "It was started anew once already; make a new player."
        } else {
            remedy = "It is started anew, and goes on where it was."
        }
        let message = "\(version ?? program.name) ended with \(how), and \(said). \(remedy)"
        return (MediaPlayerError(code: .playerGone, message: message), hasAnswered)
    }

    private func serve(_ process: MPVProcess, _ hasAnswered: inout Bool) {
        var lines = MPVLines()
        var isQuitting = false
        let bells = state.withLock { state in
            state.mpv.connect()
            return state.handOut(stopwatch.elapsed)
        }
        for bell in bells { bell.ring() }
        while true {
            let (unsent, isClosing) = state.withLock { state in
                defer { state.unsent = [] }
                return (state.unsent, state.isClosing)
            }
            if !unsent.isEmpty { process.write(unsent) }
            if isClosing, !isQuitting {
                isQuitting = true
                process.write(Array("{\"command\":[\"quit\"]}\n".utf8))
            }
            let events = process.wait(milliseconds: isQuitting ? 500 : hasAnswered ? -1 : 20_000)
            // An mpv that hangs is ended by whoever reaps it.
            if events.isIdle { return }
            if events.hasAnswers {
                guard let bytes = process.read() else { return }
                receive(lines.append(bytes).compactMap { MPVMessage($0) }, &hasAnswered)
            } else if process.howItEnded != nil {
                return
            }
        }
    }

    private func receive(_ messages: [MPVMessage], _ hasAnswered: inout Bool) {
        var answers: [(CheckedContinuation<MPVValue?, Never>, MPVValue?)] = []
        var starter: CheckedContinuation<MediaPlayerError?, Never>?
        let bells = state.withLock { state in
            for message in messages {
                state.mpv.receive(message)
                switch message {
                case .success(let request, let value):
                    if let question = state.questions.removeValue(forKey: request) { answers.append((question, value)) }
                case .refusal(let request, _):
                    if let question = state.questions.removeValue(forKey: request) { answers.append((question, nil)) }
                default: break
                }
            }
            hasAnswered = hasAnswered || state.mpv.version != nil
            if case .starting(let waiting) = state.stage, state.mpv.version != nil {
                starter = waiting
                state.stage = .running
            }
            return state.handOut(stopwatch.elapsed)
        }
        for (question, value) in answers { question.resume(returning: value) }
        for bell in bells { bell.ring() }
        starter?.resume(returning: nil)
    }

    private func finish(_ error: MediaPlayerError) {
        var starter: CheckedContinuation<MediaPlayerError?, Never>?
        let (bells, closers) = state.withLock { state in
            if case .starting(let waiting) = state.stage { starter = waiting }
            if !state.isClosing { state.mpv.end(error) }
            _ = state.handOut(stopwatch.elapsed)
            state.stage = .gone(error)
            state.isOver = true
            defer { state.closers = [] }
            return (state.readers.map(\.bell), state.closers)
        }
        for bell in bells { bell.ring() }
        for closer in closers { closer.resume() }
        starter?.resume(returning: error)
    }
}
