import Foundation

/// Says who is an active speaker and how loud, as LiveKit's server computes it from the levels of audio packets.
///
/// Over each 400 ms of observed audio, `active` is the time with a level of at most 35 (−dBov, after RFC 6464) and
/// `loudest` the least level. With `active` of at least 160 ms,
/// `smoothed += (10^(−(loudest − 20 · log10(active / 400)) / 20) − smoothed) · 2 / 3`; else smoothed is 0.
/// Speaking means at least 10^(−35 / 20). 800 ms without audio is 0.
public struct ActiveSpeakerMeter: Hashable, Sendable {
    /// What the meter says of one speaker at one moment.
    public struct Reading: Hashable, Sendable {
        /// The smoothed level, 0...1.
        public let level: Double
        /// Whether the speaker counts as speaking.
        public let isSpeaking: Bool

        /// The level as LiveKit sends it, in steps of an eighth, rounded up; 0 while not speaking.
        public var sentLevel: Double { isSpeaking ? min((level * 8).rounded(.up) / 8, 1) : 0 }
    }

    /// The least loud packet level that counts as active, in −dBov.
    public static let activeLevel: UInt8 = 35
    /// The observed audio after which a new level is computed.
    public static let observation: Duration = .milliseconds(400)
    /// The active part of an observation below which it is silence.
    public static let leastActivity: Duration = .milliseconds(160)
    /// The time without audio after which a speaker is silent.
    public static let staleness: Duration = .milliseconds(800)

    private var smoothed = 0.0
    private var observed = Duration.zero
    private var active = Duration.zero
    private var loudest: UInt8 = 127
    private var lastObserved: Duration?

    /// Makes a meter for one speaker.
    public init() {}

    /// Takes a packet of audio.
    ///
    /// - Parameters:
    ///   - level: Its loudness in −dBov, 0 (loudest) to 127 (silence); larger values count as 127.
    ///   - duration: How much audio it carries; less than nothing counts as nothing.
    ///   - time: When it arrived.
    public mutating func observe(level: UInt8, duration: Duration, at time: Duration) {
        forgetIfStale(at: time)
        lastObserved = max(lastObserved ?? time, time)
        let duration = max(duration, .zero)
        observed += duration
        if level <= Self.activeLevel {
            active += duration
            loudest = min(loudest, level)
        }
        guard observed >= Self.observation else { return }
        if active >= Self.leastActivity {
            let adjusted = Double(loudest) - 20 * log10(active / Self.observation)
            smoothed += (pow(10, -adjusted / 20) - smoothed) * 2 / 3
        } else {
            smoothed = 0
        }
        startObservation()
    }

    /// The level at a moment.
    public mutating func reading(at time: Duration) -> Reading {
        forgetIfStale(at: time)
        return Reading(level: min(smoothed, 1), isSpeaking: smoothed >= Self.speakingThreshold)
    }

    private static let speakingThreshold = pow(10, -Double(activeLevel) / 20)

    private mutating func forgetIfStale(at time: Duration) {
        guard let last = lastObserved, time - last >= Self.staleness else { return }
        smoothed = 0
        startObservation()
    }

    private mutating func startObservation() {
        observed = .zero
        active = .zero
        loudest = 127
    }
}
