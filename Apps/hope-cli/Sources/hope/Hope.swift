import Dispatch
import Glibc
import HopeApp
import Synchronization

/// The executable: runs one command line, ends it well when it is interrupted.
@main
enum Hope {
    static func main() async {
        // A reader that went away shows as an error of the write, which ends the command.
        signal(SIGPIPE, SIG_IGN)
        let world = HopeWorld.live()
        let run = Task { await HopeTool.hope().run(Array(CommandLine.arguments.dropFirst()), in: world) }

        let ending = Mutex<Int32?>(nil)
        let watch = SignalWatch(
            onEnd: { number in
                let isFirst = ending.withLock { ending in
                    defer { ending = ending ?? number }
                    return ending == nil
                }
                run.cancel()
                // A command that does not come to its end in a second waits for something that cannot be interrupted.
                DispatchQueue.global().asyncAfter(deadline: isFirst ? .now() + 1 : .now()) {
                    world.terminal?.giveBack()
                    _exit(128 + number)
                }
            },
            onStop: { world.stopProcess() }
        )
        let status = await run.value
        withExtendedLifetime(watch) {}
        exit(ending.withLock { $0 }.map { 128 + $0 } ?? status)
    }
}
