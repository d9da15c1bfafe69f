internal import Foundation
internal import Glibc

extension HopeWorld {
    /// The process's own world: its environment, its standard streams, real time.
    public static func live(plugins: PluginRegistry = .standard) -> HopeWorld {
        HopeWorld(
            environment: ProcessInfo.processInfo.environment,
            output: .standard(),
            terminal: Terminal(descriptor: STDOUT_FILENO),
            clock: ContinuousClock(),
            plugins: plugins,
            samples: samplesBesideExecutable()
        )
    }

    /// The folder of sample recordings in the resource bundle that the build puts beside the executable.
    private static func samplesBesideExecutable() -> URL {
        Bundle.main.bundleURL
            .appendingPathComponent("hope-cli_HopeApp.resources")
            .appendingPathComponent("Samples")
    }
}
