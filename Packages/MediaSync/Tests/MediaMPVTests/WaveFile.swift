/// Makes WAV files (RIFF, 16-bit PCM) for mpv to play.
enum WaveFile {
    /// The bytes of a second, with two channels at 48 kHz.
    static let bytesPerSecond = 48_000 * 4

    /// Returns a file with a quiet saw-tooth.
    static func bytes(seconds: Double) -> [UInt8] {
        let count = Int(seconds * 48_000) * 4
        var bytes = Array("RIFF".utf8)
        func number(_ value: Int, bytes count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        bytes += number(36 + count, bytes: 4)
        bytes += Array("WAVEfmt ".utf8) + number(16, bytes: 4)
        bytes += number(1, bytes: 2) + number(2, bytes: 2)
        bytes += number(48_000, bytes: 4) + number(bytesPerSecond, bytes: 4)
        bytes += number(4, bytes: 2) + number(16, bytes: 2)
        bytes += Array("data".utf8) + number(count, bytes: 4)
        var period: [UInt8] = []
        for level in UInt8.min...UInt8.max { period += [level, 1, level, 1] }
        let end = bytes.count + count
        while bytes.count < end { bytes += period }
        return Array(bytes.prefix(end))
    }
}
