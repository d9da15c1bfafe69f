public import Foundation
internal import Glibc
public import PresenceKit

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
    /// The time of day, in seconds since 1970.
    public var timeOfDay: @Sendable () -> Double
    /// Where settings are kept.
    public var settings: any SettingsStorage
    /// Where the end of the last transcript is kept.
    public var transcripts: any TranscriptStorage
    /// The folder in which a server keeps its keys.
    public var keysFolder: String
    /// What map projects are kept in and read with.
    public var maps: MapBackends

    /// Makes a world of its parts.
    public init(
        environment: [String: String],
        output: CommandOutput,
        terminal: Terminal?,
        clock: any Clock<Duration>,
        plugins: PluginRegistry,
        samples: URL,
        timeOfDay: @escaping @Sendable () -> Double = { 0 },
        settings: any SettingsStorage = InMemorySettingsStorage(),
        transcripts: any TranscriptStorage = InMemoryTranscriptStorage(),
        keysFolder: String = "/nonexistent",
        maps: MapBackends = .inMemory
    ) {
        self.environment = environment
        self.output = output
        self.terminal = terminal
        self.clock = clock
        self.plugins = plugins
        self.samples = samples
        self.timeOfDay = timeOfDay
        self.settings = settings
        self.transcripts = transcripts
        self.keysFolder = keysFolder
        self.maps = maps
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
