import Foundation
import PresenceAudio
import PresenceKit
import Testing
import TransportCore

@Suite struct LevelMeterTests {
    /// The readings of interleaved values, pushed as floating point in pieces of the given frames.
    private func measure(
        _ values: [Double],
        rate: Int,
        channels: Int = 1,
        pieces: [Int] = [],
        windows: Bool = true
    ) throws -> [LevelReading] {
        let format = try AudioFormat(sampleRate: rate, channelCount: channels, encoding: .f64le)
        let bytes = WAVWriter(samples: .floats(bits: 64)).bytes(values)
        var readings: [LevelReading] = []
        var decoder = PCMDecoder(format: format)
        var (window, meter) = (LevelWindows(), LevelMeter())
        var rest = bytes[...]
        var index = 0
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces.isEmpty ? rest.count : pieces[index % pieces.count]))
            rest = rest.dropFirst(piece.count)
            index += 1
            decoder.decode(piece) { frames in
                if windows {
                    window.push(frames) { readings.append($0) }
                } else {
                    meter.push(frames) { readings.append($0) }
                }
            }
        }
        if let last = windows ? window.finish() : meter.finish() { readings.append(last) }
        return readings
    }

    @Test func measuresASquareWaveAsItsAmplitude() throws {
        let readings = try measure((0..<8_000).map { $0 % 2 == 0 ? 0.25 : -0.25 }, rate: 8_000)
        #expect(readings.map(\.level) == [Double](repeating: 0.25, count: 10))
        #expect(readings.map(\.start) == (0..<10).map { .milliseconds(100 * $0) })
        #expect(readings.allSatisfy { $0.end == $0.start + .milliseconds(100) })
    }

    @Test func measuresASineAsItsAmplitudeOverRootTwo() throws {
        // 100 whole periods of 80 samples in a second.
        let readings = try measure(tone(8_000, amplitude: 0.8, period: 80), rate: 8_000)
        #expect(readings.allSatisfy { abs($0.level - 0.8 / 2.0.squareRoot()) < 1e-12 })
    }

    @Test func countsAllChannels() throws {
        // A loud left and a silent right channel: the power is halved.
        let values = (0..<1_600).map { $0 % 2 == 0 ? 1.0 : 0.0 }
        let readings = try measure(values, rate: 8_000, channels: 2)
        #expect(readings.map(\.level) == [(0.5 as Double).squareRoot()])
        #expect(readings.first?.frameCount == 800)
    }

    @Test func theLastWindowIsOverWhatItHas() throws {
        let readings = try measure([Double](repeating: 0.5, count: 810), rate: 8_000)
        #expect(readings.map(\.frameCount) == [800, 10])
        #expect(readings.map(\.level) == [0.5, 0.5])
    }

    /// Bounds of windows and frames from exact fractions: `round(k · rate / n)`, halves up.
    @Test(arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000, 8_001, 61])
    func boundsAreRoundedMultiples(rate: Int) throws {
        for (windows, perSecond) in [(true, 10), (false, 50)] {
            let readings = try measure([Double](repeating: 0.5, count: rate), rate: rate, windows: windows)
            let bounds = (0...perSecond).map { Int((Double($0 * rate) / Double(perSecond)).rounded()) }
            #expect(readings.map(\.frameCount) == zip(bounds, bounds.dropFirst()).map { $1 - $0 })
            #expect(readings.map(\.index) == Array(0..<perSecond))
        }
    }

    /// Stretches that no sample falls into are handed out too, so that the index goes on counting time.
    @Test func aRateBelowTheNumberOfStretches() throws {
        #expect(try measure([1, 1], rate: 2).map(\.frameCount) == [0, 0, 1, 0, 0, 0, 0, 1])
    }

    @Test(arguments: 0..<20)
    func doesNotDependOnThePieces(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let values = (0..<3_000).map { _ in random.nextUnit() * 2 - 1 }
        let rate = [8_000, 11_025, 44_100][random.nextInt(below: 3)]
        let channels = 1 + random.nextInt(below: 3)
        let pieces = (0..<7).map { _ in 1 + random.nextInt(below: 900) }
        for windows in [true, false] {
            let whole = try measure(values, rate: rate, channels: channels, windows: windows)
            let split = try measure(values, rate: rate, channels: channels, pieces: pieces, windows: windows)
            #expect(whole == split, "seed \(seed)")
            #expect(!whole.isEmpty)
        }
    }

    /// Every encoding against the plain formula, written down without any of the meter's tricks.
    @Test(arguments: PCMEncoding.allCases)
    func agreesWithThePlainFormula(_ encoding: PCMEncoding) throws {
        var random = SeededRandom(seed: 11)
        for count in [1, 2, 3, 4, 5, 7, 8, 640, 641] {
            var bytes = (0..<count * encoding.byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if encoding.rawValue.hasPrefix("f") {
                bytes = (0..<count).flatMap { _ -> [UInt8] in
                    let value = random.nextUnit() * 2 - 1
                    let little = WAVWriter(samples: .floats(bits: 8 * encoding.byteCount)).encoded(value)
                    return encoding.rawValue.hasSuffix("be") ? little.reversed() : little
                }
            }
            let format = try AudioFormat(sampleRate: 48_000, channelCount: 1, encoding: encoding)
            var windows = LevelWindows()
            var samples: [Double] = []
            bytes.withUnsafeBytes { bytes in
                let frames = PCMFrames(format: format, bytes: bytes)
                samples = frames.samples()
                windows.push(frames) { _ in }
            }
            #expect(samples.count == count)
            let mean = samples.reduce(0) { $0 + $1 * $1 } / Double(count)
            let level = try #require(windows.finish()?.level)
            #expect(abs(level - mean.squareRoot()) < 1e-12)
        }
    }

    @Test(arguments: [PCMEncoding.s16le, .s24le, .s32le, .s8, .u8, .s16be, .s24be, .s32be])
    func fullScaleIsOneAndNothingOverflows(_ encoding: PCMEncoding) throws {
        // The most negative integer, whose square is the largest, in more samples than a window at 192 kHz has.
        var sample = [UInt8](repeating: 0, count: encoding.byteCount)
        if encoding != .u8 {
            sample[encoding.rawValue.hasSuffix("be") ? 0 : encoding.byteCount - 1] = 0x80
        }
        let bytes = [[UInt8]](repeating: sample, count: 20_000).flatMap { $0 }
        let format = try AudioFormat(sampleRate: 192_000, channelCount: 1, encoding: encoding)
        var windows = LevelWindows()
        var levels: [Double] = []
        bytes.withUnsafeBytes { windows.push(PCMFrames(format: format, bytes: $0)) { levels.append($0.level) } }
        #expect(levels == [1])
    }

    @Test func whatIsNoNumberIsSilence() throws {
        let readings = try measure(
            [.nan, .infinity, -.infinity, 0.5] + [Double](repeating: 0, count: 796),
            rate: 8_000
        )
        #expect(readings.map(\.level) == [(0.25 / 800).squareRoot()])
        let loud = try measure([1e300, 3, -7] + [Double](repeating: 0, count: 797), rate: 8_000)
        #expect(loud.map(\.level) == [1])
    }

    @Test func decibelsAndPacketLevels() throws {
        let levels = [1, 0.5, 0.1, 0.0316, 1e-5, 1e-9, 0]
        let readings = try levels.map { level in
            try #require(try measure([Double](repeating: level, count: 800), rate: 8_000).first)
        }
        #expect(readings.map(\.packetLevel) == [0, 6, 20, 30, 100, 127, 127])
        for (reading, level) in zip(readings, levels) where level > 0 {
            #expect(abs(pow(10, reading.decibels / 20) - level) < 1e-12)
        }
        #expect(readings.last?.decibels == -.infinity)
    }

    @Test func nothingIsNoWindow() throws {
        #expect(try measure([], rate: 8_000).isEmpty)
    }
}

extension WAVWriter {
    fileprivate func bytes(_ values: [Double]) -> [UInt8] { values.flatMap { encoded($0) } }
}
