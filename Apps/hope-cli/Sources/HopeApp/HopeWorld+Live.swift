internal import Foundation
internal import Glibc
internal import PresenceStorage

extension HopeWorld {
    /// The process's own world: its environment, its standard streams, real time.
    public static func live(plugins: PluginRegistry = .standard) -> HopeWorld {
        let environment = ProcessInfo.processInfo.environment
        return HopeWorld(
            environment: environment,
            output: .standard(),
            terminal: Terminal(descriptor: STDOUT_FILENO),
            clock: ContinuousClock(),
            plugins: plugins,
            samples: samplesBesideExecutable(),
            timeOfDay: { Date().timeIntervalSince1970 },
            settings: JSONFileSettingsStorage(
                path: folder("XDG_CONFIG_HOME", else: ".config", in: environment) + "/settings.json"
            ),
            transcripts: JSONLinesTranscriptStorage(
                path: folder("XDG_DATA_HOME", else: ".local/share", in: environment) + "/transcript.jsonl"
            ),
            keysFolder: folder("XDG_DATA_HOME", else: ".local/share", in: environment) + "/server",
            maps: .live(
                home: folder("XDG_DATA_HOME", else: ".local/share", in: environment) + "/maps",
                secrets: folder("XDG_CONFIG_HOME", else: ".config", in: environment) + "/secrets"
            )
        )
    }

    /// Hope's folder of a kind, after the XDG Base Directory Specification: a path that is not absolute does not count.
    private static func folder(_ variable: String, else usual: String, in environment: [String: String]) -> String {
        if let base = environment[variable], base.hasPrefix("/") { return "\(base)/hope" }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
        return "\(home)/\(usual)/hope"
    }

    /// The folder of sample recordings in the resource bundle that the build puts beside the executable.
    private static func samplesBesideExecutable() -> URL {
        Bundle.main.bundleURL
            .appendingPathComponent("hope-cli_HopeApp.resources")
            .appendingPathComponent("Samples")
    }
}
