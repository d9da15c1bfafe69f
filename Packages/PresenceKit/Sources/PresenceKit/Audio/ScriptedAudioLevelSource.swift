import TransportCore

/// A source that says exact levels at exact times: for tests, previews and replays.
public final class ScriptedAudioLevelSource: Sendable {
    /// What happens after the last level.
    public enum Ending: Hashable, Sendable {
        /// The stream ends, as at the end of a file.
        case finishes
        /// The stream stays open and silent until it is stopped, as a device that stopped reporting.
        case staysOpen
        /// The stream throws, as a device that was unplugged.
        case fails(AudioLevelSourceError)
    }

    private let levels: [AudioLevel]
    private let ending: Ending
    private let startFailure: AudioLevelSourceError?
    private let clock: any Clock<Duration>
    private let run = AudioLevelRun(name: "The script")

    /// Makes a source from a script.
    ///
    /// - Parameters:
    ///   - levels: What it says; times count from the start. Levels out of order are sorted by time.
    ///   - ending: What follows the last level.
    ///   - startFailure: What starting throws, for a microphone that is denied or missing.
    ///   - clock: The clock that decides when each level is due.
    public init(
        _ levels: [AudioLevel],
        ending: Ending = .finishes,
        startFailure: AudioLevelSourceError? = nil,
        clock: any Clock<Duration>
    ) {
        // A stable sort: of two levels of one time the later in the script stays the newer.
        self.levels = levels.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        self.ending = ending
        self.startFailure = startFailure
        self.clock = clock
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ScriptedAudioLevelSource: AudioLevelSource {
    public func start() async throws(AudioLevelSourceError) -> AudioLevelStream {
        if let startFailure {
            throw startFailure
        }
        let clock = Stopwatch(clock: clock)
        let (levels, ending) = (levels, ending)
        return try run.start { continuation throws(AudioLevelSourceError) in
            for level in levels {
                try await clock.wait(until: level.time)
                continuation.yield(level)
            }
            switch ending {
            case .finishes: break
            case .fails(let error): throw error
            case .staysOpen:
                // Woken once a day by a clock that nobody is meant to wait on; a cancelled wait throws.
                while true {
                    try await clock.wait(until: clock.elapsed + .seconds(86_400))
                }
            }
        }
    }

    public func stop() async {
        await run.stop()
    }
}
