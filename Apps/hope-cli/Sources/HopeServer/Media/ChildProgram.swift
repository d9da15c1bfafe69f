internal import Dispatch
internal import Glibc
internal import Synchronization

/// Another program at work, with nothing of this process's environment.
final class ChildProgram: Sendable {
    /// How a program ended.
    struct Ending: Sendable {
        /// The exit status; 128 and more for a signal.
        var status: Int32
        /// What it wrote, as much as was asked for.
        var output: [UInt8] = []
        /// The last line that it wrote as an error.
        var lastWords = ""
        var isTimedOut = false

        var isWell: Bool { status == 0 && !isTimedOut }
    }

    private struct State {
        var isReaped = false
        var isTimedOut = false
        var openEnds = 3
        var ending = Ending(status: 0)
        var errors: [UInt8] = []
        var waiter: CheckedContinuation<Ending, Never>?
    }

    /// Runs the program that its arguments name, and ends it when nobody holds the other end of descriptor 3 any more: a
    /// process that was killed cannot end its children, and ffmpeg would go on for hours.
    private static let guardScript = """
        exec 4<&0 5>&2 2>/dev/null
        "$@" <&4 2>&5 3<&- 4<&- 5>&- &
        program=$!
        exec 5>&-
        (read -r line <&3; kill -9 $program) >/dev/null 4<&- &
        guard=$!
        wait $program
        status=$?
        kill -9 $guard
        wait $guard
        exit $status
        """

    private let number: pid_t
    /// Held open as long as this process lives.
    private let lifeline: Int32
    private let state = Mutex(State())

    /// Runs a program to its end; killed when the task is cancelled, or when it takes too long.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: Its arguments, without its name.
    ///   - input: What it reads as standard input; nil for nothing.
    ///   - limit: How long it may take.
    ///   - clock: What that is measured on.
    ///   - outputLimit: How much of its output is kept.
    ///   - onOutput: Gets its output as it comes, instead of its being kept.
    /// - Returns: How it ended; nil when it could not be started.
    static func run(
        _ path: String,
        _ arguments: [String],
        input: MediaFile? = nil,
        limit: Duration,
        clock: any Clock<Duration>,
        outputLimit: Int = 1024 * 1024,
        onOutput: (@Sendable ([UInt8]) -> Void)? = nil
    ) async -> Ending? {
        guard !Task.isCancelled,
            let child = ChildProgram(path, arguments, input, outputLimit: outputLimit, onOutput: onOutput)
        else { return nil }
        return await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    if (try? await clock.sleep(for: limit)) != nil { child.kill(isLate: true) }
                }
                let ending = await child.ending()
                group.cancelAll()
                return ending
            }
        } onCancel: {
            child.kill()
        }
    }

    private init?(
        _ path: String,
        _ arguments: [String],
        _ input: MediaFile?,
        outputLimit: Int,
        onOutput: (@Sendable ([UInt8]) -> Void)?
    ) {
        var output: [Int32] = [-1, -1]
        var errors: [Int32] = [-1, -1]
        // Not pipes: only these are kept from other children from the beginning.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &output) == 0 else { return nil }
        guard socketpair(AF_UNIX, kind, 0, &errors) == 0 else {
            output.forEach { close($0) }
            return nil
        }
        var life: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, kind, 0, &life) == 0 else {
            (output + errors).forEach { close($0) }
            return nil
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.descriptor, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output[1], 1)
        posix_spawn_file_actions_adddup2(&actions, errors[1], 2)
        posix_spawn_file_actions_adddup2(&actions, life[1], 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A group of its own: Ctrl-C is for this process, which then ends its children.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP)
        )
        var words: [UnsafeMutablePointer<CChar>?] =
            (["/bin/sh", "-c", Self.guardScript, "sh", path] + arguments).map { strdup($0) } + [nil]
        // Keys that this process was given are none of its children's business.
        let variables = ["PATH=/usr/bin:/bin", "LC_ALL=C", "AV_LOG_FORCE_NOCOLOR=1"]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { (words + environment).forEach { free($0) } }
        var number = pid_t()
        let isThere = access(path, X_OK) == 0
        let result = isThere ? posix_spawn(&number, "/bin/sh", &actions, &attributes, &words, &environment) : ENOENT
        close(output[1])
        close(errors[1])
        close(life[1])
        guard result == 0 else {
            close(life[0])
            close(output[0])
            close(errors[0])
            return nil
        }
        self.number = number
        lifeline = life[0]
        // Not on a global queue, whose few threads are those that tasks run on.
        Self.read(output[0], "child-output") { bytes in
            if let onOutput, !bytes.isEmpty {
                onOutput(bytes)
            } else {
                self.state.withLock { $0.ending.output += bytes.prefix(outputLimit - $0.ending.output.count) }
            }
            if bytes.isEmpty { self.partEnded() }
        }
        Self.read(errors[0], "child-errors") { bytes in
            self.state.withLock { $0.errors = Array(($0.errors + bytes).suffix(1_000)) }
            if bytes.isEmpty { self.partEnded() }
        }
        DispatchQueue(label: "child-end").async { self.reap() }
    }

    deinit {
        close(lifeline)
    }

    /// Hands on what comes, and nothing at the end.
    private static func read(_ descriptor: Int32, _ name: String, _ take: @escaping @Sendable ([UInt8]) -> Void) {
        DispatchQueue(label: name).async {
            while true {
                var isInterrupted = false
                let bytes = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, used in
                    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                    isInterrupted = count < 0 && errno == EINTR
                    used = max(0, count)
                }
                if isInterrupted { continue }
                if bytes.isEmpty { close(descriptor) }
                take(bytes)
                if bytes.isEmpty { return }
            }
        }
    }

    private func reap() {
        var information = siginfo_t()
        // Its number stays its own until it is reaped, which must not happen while somebody is about to kill it.
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        state.withLock { state in
            var status: Int32 = 0
            waitpid(number, &status, 0)
            let signal = status & 0x7F
            state.ending.status = signal == 0 ? status >> 8 & 0xFF : 128 + signal
            state.isReaped = true
        }
        partEnded()
    }

    private func partEnded() {
        let (waiter, ending) = state.withLock { state in
            state.openEnds -= 1
            guard state.openEnds == 0 else { return (nil as CheckedContinuation<Ending, Never>?, state.ending) }
            state.ending.isTimedOut = state.isTimedOut
            let lines = String(decoding: state.errors, as: UTF8.self).split(whereSeparator: \.isNewline)
            state.ending.lastWords = lines.last.map(String.init) ?? ""
            defer { state.waiter = nil }
            return (state.waiter, state.ending)
        }
        waiter?.resume(returning: ending)
    }

    private func ending() async -> Ending {
        await withCheckedContinuation { continuation in
            let ending: Ending? = state.withLock { state in
                if state.openEnds == 0 { return state.ending }
                state.waiter = continuation
                return nil
            }
            if let ending { continuation.resume(returning: ending) }
        }
    }

    private func kill(isLate: Bool = false) {
        state.withLock { state in
            guard !state.isReaped else { return }
            if isLate { state.isTimedOut = true }
            // The shell then ends the program and waits for it, so that nothing is left for others to reap.
            shutdown(lifeline, Int32(SHUT_RDWR))
        }
    }
}
