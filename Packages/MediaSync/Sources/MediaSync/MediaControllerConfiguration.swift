/// How often a controller asks and tells, and how loud it begins.
public struct MediaControllerConfiguration: Hashable, Sendable {
    /// From one question for the state to the next.
    public var pollInterval: Duration
    /// The longest pause between questions after failures; each failure doubles it up to here.
    public var longestPollInterval: Duration
    /// How long a track is heard from one report to the next.
    public var reportInterval: Duration
    /// The loudness to begin with, 0...1, out of the settings.
    public var volume: Double

    /// Makes a configuration; without arguments it is the app's.
    ///
    /// - Parameters:
    ///   - pollInterval: From one question for the state to the next.
    ///   - longestPollInterval: The longest pause between questions after failures.
    ///   - reportInterval: How long a track is heard from one report to the next.
    ///   - volume: The loudness to begin with, 0...1.
    public init(
        pollInterval: Duration = .milliseconds(1500),
        longestPollInterval: Duration = .seconds(30),
        reportInterval: Duration = .seconds(5),
        volume: Double = 1
    ) {
        self.pollInterval = pollInterval
        self.longestPollInterval = longestPollInterval
        self.reportInterval = reportInterval
        self.volume = volume
    }
}
