import Foundation

/// The loudness of one stretch of audio.
public struct LevelReading: Hashable, Sendable {
    /// The number of the stretch, from 0.
    public let index: Int
    /// When the stretch begins and, at a full stretch, ends: `index / n` and `(index + 1) / n` seconds.
    public let start, end: Duration
    /// The frames that were measured; 0 only where the sample rate is lower than the number of stretches a second.
    public let frameCount: Int
    /// The root mean square over all samples of all channels, unsmoothed, limited to 0...1.
    public let level: Double

    /// The level in dBov: 0 is a full-scale square wave, −infinity is digital silence.
    ///
    /// `level = 10^(decibels / 20)`.
    public var decibels: Double { 20 * log10(level) }

    /// The level as audio packets carry it: −dBov rounded, 0 (loudest) to 127 (silence), after RFC 6464.
    public var packetLevel: UInt8 {
        level > 0 ? UInt8(min(max((-decibels).rounded(), 0), 127)) : 127
    }
}

/// Measures audio as LiveKit does: the level of each 20 ms frame.
///
/// Frame k is the samples from `round(k · rate / 50)` up to `round((k + 1) · rate / 50)`, halves rounded up. The values
/// are the same whatever the sizes of the pieces that the audio comes in. Give one meter audio of one format.
public struct LevelMeter: Sendable {
    private var stretches = LevelStretches(perSecond: 50)

    /// Makes a meter at the beginning of some audio.
    public init() {}

    /// Measures the next piece and hands out each frame that is now complete.
    public mutating func push(_ frames: PCMFrames, _ body: (LevelReading) -> Void) {
        stretches.push(frames, body)
    }

    /// Measures what the last, incomplete frame has; nil when the audio ended with a complete one.
    public mutating func finish() -> LevelReading? {
        stretches.finish()
    }
}

/// Measures audio in windows of 100 ms.
///
/// Window k is the samples from `round(k · rate / 10)` up to `round((k + 1) · rate / 10)`, halves rounded up. The values
/// are the same whatever the sizes of the pieces that the audio comes in. Give one meter audio of one format.
public struct LevelWindows: Sendable {
    private var stretches = LevelStretches(perSecond: 10)

    /// Makes a meter at the beginning of some audio.
    public init() {}

    /// Measures the next piece and hands out each window that is now complete.
    public mutating func push(_ frames: PCMFrames, _ body: (LevelReading) -> Void) {
        stretches.push(frames, body)
    }

    /// Measures what the last, incomplete window has; nil when the audio ended with a complete one.
    public mutating func finish() -> LevelReading? {
        stretches.finish()
    }
}

/// Cuts audio into stretches of equal length and measures each.
struct LevelStretches: Sendable {
    private let perSecond: Int
    private var sampleRate = 0
    private var index = 0
    private var position = 0
    private var begin = 0
    private var end = 0
    private var power = PowerSum()

    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    mutating func push(_ frames: PCMFrames, _ body: (LevelReading) -> Void) {
        guard frames.count > 0 else { return }
        if sampleRate == 0 {
            sampleRate = frames.format.sampleRate
            end = boundary(1)
        }
        var offset = 0
        while offset < frames.count {
            while position == end {
                body(take())
            }
            let count = min(frames.count - offset, end - position)
            power.add(frames.slice(from: offset, count: count))
            offset += count
            position += count
        }
        // Complete stretches are handed out at once, not when the next sample comes.
        while position == end, position > begin {
            body(take())
        }
    }

    mutating func finish() -> LevelReading? {
        position > begin ? take() : nil
    }

    private mutating func take() -> LevelReading {
        let reading = LevelReading(
            index: index,
            start: .seconds(1) * index / perSecond,
            end: .seconds(1) * (index + 1) / perSecond,
            frameCount: position - begin,
            level: power.level
        )
        power = PowerSum()
        index += 1
        begin = position
        end = boundary(index + 1)
        return reading
    }

    private func boundary(_ index: Int) -> Int {
        (2 * index * sampleRate + perSecond) / (2 * perSecond)
    }
}
