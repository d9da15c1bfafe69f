import Dispatch
import Glibc
import HopeApp
import Synchronization

/// The executable: runs one command line, ends it well when it is interrupted.
@main
enum Hope {
    private struct Ending {
        var signal: Int32?
        var run: Task<Int32, Never>?
    }

    static func main() async {
        openStandardDescriptors()
        // A reader that went away shows as an error of the write, which ends the command.
        signal(SIGPIPE, SIG_IGN)
        let world = HopeWorld.live()
        let ending = Mutex(Ending())
        let watch = SignalWatch(
            onEnd: { number in
                let (isFirst, run) = ending.withLock { ending in
                    defer { ending.signal = ending.signal ?? number }
                    return (ending.signal == nil, ending.run)
                }
                run?.cancel()
                // A command that does not come to its end in a second waits for something that cannot be interrupted.
                DispatchQueue.global().asyncAfter(deadline: isFirst ? .now() + 1 : .now()) {
                    world.terminal?.giveBackAtOnce()
                    world.output.say("hope: interrupted")
                    _exit(128 + number)
                }
            },
            onStop: { world.stopProcess() }
        )
        let run = Task { await HopeTool.hope().run(Array(CommandLine.arguments.dropFirst()), in: world) }
        let isOver = ending.withLock { ending in
            ending.run = run
            return ending.signal != nil
        }
        if isOver { run.cancel() }
        let status = await run.value
        withExtendedLifetime(watch) {}
        exit(ending.withLock { $0.signal }.map { 128 + $0 } ?? status)
    }

    /// A descriptor that the caller closed would be taken by the next file that is opened.
    private static func openStandardDescriptors() {
        while true {
            let descriptor = open("/dev/null", O_RDWR)
            if descriptor > STDERR_FILENO || descriptor < 0 {
                close(descriptor)
                return
            }
        }
    }
}
