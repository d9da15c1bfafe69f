public import Foundation
internal import Glibc

/// Every outside thing that a command may touch, chosen once at the start and passed down.
public struct HopeWorld: Sendable {
    /// The process's environment variables.
    public var environment: [String: String]
    /// Where words go.
    public var output: CommandOutput
    /// The terminal behind standard output; nil when it is something else.
    public var terminal: Terminal?
    /// The time that live drawing follows.
    public var clock: any Clock<Duration>
    /// What can be plugged into each seam.
    public var plugins: PluginRegistry
    /// The folder of the sample recordings.
    public var samples: URL

    /// Makes a world of its parts.
    public init(
        environment: [String: String],
        output: CommandOutput,
        terminal: Terminal?,
        clock: any Clock<Duration>,
        plugins: PluginRegistry,
        samples: URL
    ) {
        self.environment = environment
        self.output = output
        self.terminal = terminal
        self.clock = clock
        self.plugins = plugins
        self.samples = samples
    }
}

extension HopeWorld {
    /// Stops the process as Ctrl-Z does, with the terminal given back for as long; returns when it is continued.
    public func stopProcess() {
        if let terminal {
            terminal.stopProcess()
        } else {
            kill(getpid(), SIGSTOP)
        }
    }
}
