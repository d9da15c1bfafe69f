internal import Foundation
internal import HopeServer

/// Music that is made of notes, for whoever has no folder of it.
enum SampleMusic {
    private struct Tune {
        let title: String
        /// Semitones above the root of a bar, one for each beat of the bass.
        let walk: [Int]
        /// The root of each bar, in semitones above C.
        let bars: [Int]
        /// The length of a beat in samples.
        let beat: Int
    }

    private static let rate = 8000
    private static let blues = [0, 0, 0, 0, 5, 5, 0, 0, 7, 5, 0, 7]

    private static let tunes = [
        Tune(title: "Jazz Walk", walk: [0, 4, 7, 9], bars: blues, beat: rate / 2),
        Tune(title: "Slow Jazz", walk: [0, 3, 7, 10], bars: [0, 0, 5, 5, 0, 0, 7, 0], beat: rate * 3 / 4),
        Tune(title: "River Blues", walk: [0, 7, 10, 7], bars: blues, beat: rate * 3 / 8),
    ]

    /// The tracks, each some twenty seconds long.
    static var tracks: [MediaSample] {
        tunes.map { tune in
            MediaSample(
                name: tune.title.lowercased().replacing(" ", with: "-") + ".wav",
                title: tune.title,
                channel: "Hope Samples",
                duration: Double(tune.bars.count * tune.walk.count * tune.beat) / Double(rate),
                bytes: wave(of: tune)
            )
        }
    }

    /// A mono WAV file of 16 bits.
    private static func wave(of tune: Tune) -> [UInt8] {
        var sound: [Int16] = []
        sound.reserveCapacity(tune.bars.count * tune.walk.count * tune.beat)
        for root in tune.bars {
            for (index, step) in tune.walk.enumerated() {
                // On the second and fourth beat a chord of the third and the seventh stands above the bass.
                let chord = index % 2 == 1 ? [24 + tune.walk[1], 24 + 10] : []
                sound += beat(of: [step] + chord, above: root, length: tune.beat)
            }
        }
        var bytes: [UInt8] = []
        func append<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        bytes += Array("RIFF".utf8)
        append(UInt32(36 + sound.count * 2))
        bytes += Array("WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(1))
        append(UInt32(rate))
        append(UInt32(rate * 2))
        append(UInt16(2))
        append(UInt16(16))
        bytes += Array("data".utf8)
        append(UInt32(sound.count * 2))
        sound.withUnsafeBytes { bytes += $0 }
        return bytes
    }

    /// One beat of several notes, each of which fades away.
    private static func beat(of notes: [Int], above root: Int, length: Int) -> [Int16] {
        var sums = [Int](repeating: 0, count: length)
        for (index, note) in notes.enumerated() {
            // C2 is 65.4 Hz; a whole turn of the phase is 2^32.
            let frequency = 65.406 * pow(2, Double(root + note) / 12)
            let advance = UInt32(frequency / Double(rate) * 4_294_967_296)
            let loudness = index == 0 ? 14_000 : 4_000
            var phase: UInt32 = 0
            for position in 0..<length {
                let fading = (length - position) * loudness / length
                // The first few samples rise, lest it clicks.
                let rising = min(position, 40) * fading / 40
                sums[position] += sine[Int(phase >> 22)] * rising >> 15
                phase &+= advance
            }
        }
        return sums.map { Int16(clamping: $0) }
    }

    /// A turn of the sine in 1024 steps of 15 bits.
    private static let sine = (0..<1024).map { Int((sin(Double($0) * .pi / 512) * 32_767).rounded()) }
}
