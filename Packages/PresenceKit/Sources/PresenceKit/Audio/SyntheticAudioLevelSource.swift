import TransportCore

/// A source that sounds like somebody speaking, the same for the same seed: for demos without a microphone.
public final class SyntheticAudioLevelSource: Sendable {
    private let owner: AudioLevelOwner
    private let seed: UInt64
    private let duration: Duration?
    private let clock: any Clock<Duration>
    private let run = AudioLevelRun(name: "The synthetic voice")

    /// Makes a voice.
    ///
    /// - Parameters:
    ///   - seed: Decides every phrase and pause; see ``SpeechEnvelope``.
    ///   - owner: Whose voice it is.
    ///   - duration: How long it speaks; without it, until it is stopped.
    ///   - clock: The clock that paces the levels, one each 20 ms.
    public init(
        seed: UInt64 = 1,
        owner: AudioLevelOwner = .microphone,
        duration: Duration? = nil,
        clock: any Clock<Duration>
    ) {
        self.owner = owner
        self.seed = seed
        self.duration = duration
        self.clock = clock
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SyntheticAudioLevelSource: AudioLevelSource {
    public func start() async throws(AudioLevelSourceError) -> AudioLevelStream {
        let clock = Stopwatch(clock: clock)
        let (owner, seed, duration) = (owner, seed, duration)
        return try run.start { continuation throws(AudioLevelSourceError) in
            var envelope = SpeechEnvelope(seed: seed)
            var time = SpeechEnvelope.period
            while duration.map({ time <= $0 }) ?? true {
                try await clock.wait(until: time)
                continuation.yield(AudioLevel(source: owner, level: envelope.nextLevel(), time: time))
                time += SpeechEnvelope.period
            }
        }
    }

    public func stop() async {
        await run.stop()
    }
}

/// The loudness of made-up speech, one value for each 20 ms: phrases of syllables with pauses between them.
///
/// It begins with a pause of 0.2 s. Phrases last 0.8 s to 2.6 s, pauses 0.35 s to 1.1 s; syllables come about four
/// to six a second, as in spoken English, with peaks between 0.12 and 0.55, and pauses are below every threshold of
/// the conversation.
public struct SpeechEnvelope: Hashable, Sendable {
    /// The time that one value stands for.
    public static let period: Duration = .milliseconds(20)

    private var random: SeededRandom
    private var remainingFrames = 10
    private var isPhrase = false
    private var syllableFrames = 1
    private var syllablePosition = 0
    private var peak = 0.0
    private var phraseLoudness = 0.0

    /// Makes an envelope; equal seeds give equal values on every machine.
    public init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// The level of the next 20 ms, 0...1.
    public mutating func nextLevel() -> Double {
        if remainingFrames == 0 {
            isPhrase.toggle()
            remainingFrames = isPhrase ? draw(40, 130) : draw(18, 55)
            phraseLoudness = 0.6 + 0.4 * random.nextUnit()
            syllablePosition = syllableFrames
        }
        remainingFrames -= 1
        guard isPhrase else { return 0.004 * random.nextUnit() }
        if syllablePosition >= syllableFrames {
            syllableFrames = draw(8, 13)
            syllablePosition = 0
            peak = (0.2 + 0.35 * random.nextUnit()) * phraseLoudness
        }
        // A parabola needs no library function, whose last bit may differ between platforms.
        let place = (Double(syllablePosition) + 0.5) / Double(syllableFrames)
        syllablePosition += 1
        return peak * (0.15 + 0.85 * 4 * place * (1 - place))
    }

    private mutating func draw(_ least: Int, _ most: Int) -> Int {
        least + random.nextInt(below: most - least + 1)
    }
}
