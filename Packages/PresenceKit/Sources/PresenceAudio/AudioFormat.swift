public import PresenceKit

/// How one sample is written, by the names that ffmpeg uses.
public enum PCMEncoding: String, Hashable, Sendable, CaseIterable {
    /// Unsigned 8 bit, silence at 128.
    case u8
    /// Signed 8 bit.
    case s8
    /// Signed 16 bit, little-endian.
    case s16le
    /// Signed 16 bit, big-endian.
    case s16be
    /// Signed 24 bit in three bytes, little-endian.
    case s24le
    /// Signed 24 bit in three bytes, big-endian.
    case s24be
    /// Signed 32 bit, little-endian.
    case s32le
    /// Signed 32 bit, big-endian.
    case s32be
    /// IEEE 754 single precision, little-endian.
    case f32le
    /// IEEE 754 single precision, big-endian.
    case f32be
    /// IEEE 754 double precision, little-endian.
    case f64le
    /// IEEE 754 double precision, big-endian.
    case f64be

    /// The bytes of one sample.
    public var byteCount: Int {
        switch self {
        case .u8, .s8: 1
        case .s16le, .s16be: 2
        case .s24le, .s24be: 3
        case .s32le, .s32be, .f32le, .f32be: 4
        case .f64le, .f64be: 8
        }
    }

    /// What a sample is divided by to lie in −1...1: 2^(bits − 1) for integers, 1 for floating point.
    var fullScale: Double {
        switch self {
        case .u8, .s8: 0x1p7
        case .s16le, .s16be: 0x1p15
        case .s24le, .s24be: 0x1p23
        case .s32le, .s32be: 0x1p31
        case .f32le, .f32be, .f64le, .f64be: 1
        }
    }
}

/// The format of interleaved, uncompressed audio.
public struct AudioFormat: Hashable, Sendable {
    /// The largest sample rate that is taken for one, in Hz.
    public static let highestSampleRate = 10_000_000
    /// The largest number of channels, which is what a WAV header can say.
    public static let highestChannelCount = 65_535

    /// Frames a second, 1...10,000,000.
    public let sampleRate: Int
    /// Samples a frame, 1...65,535.
    public let channelCount: Int
    /// How a sample is written.
    public let encoding: PCMEncoding

    /// Makes a format.
    ///
    /// - Throws: `.noChannels` for a channel count of 0 or less, `.badFormat` for a rate or count out of range.
    public init(
        sampleRate: Int,
        channelCount: Int,
        encoding: PCMEncoding = .s16le
    ) throws(AudioLevelSourceError) {
        try self.init(sampleRate: sampleRate, channelCount: channelCount, encoding: encoding, name: "The audio format")
    }

    init(sampleRate: Int, channelCount: Int, encoding: PCMEncoding, name: String) throws(AudioLevelSourceError) {
        guard channelCount > 0 else {
            throw AudioLevelSourceError(
                .noChannels,
                thing: name,
                reason: "has no channels, so there is nothing to hear"
            )
        }
        guard channelCount <= Self.highestChannelCount else {
            throw AudioLevelSourceError(
                .badFormat,
                thing: name,
                reason: "says \(channelCount) channels",
                remedy: "at most \(Self.highestChannelCount) can be read"
            )
        }
        guard (1...Self.highestSampleRate).contains(sampleRate) else {
            throw AudioLevelSourceError(
                .badFormat,
                thing: name,
                reason: "says a sample rate of \(sampleRate) Hz",
                remedy: "it must be 1 to \(Self.highestSampleRate) Hz"
            )
        }
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.encoding = encoding
    }

    private init(speechEncoding encoding: PCMEncoding) {
        sampleRate = 48_000
        channelCount = 1
        self.encoding = encoding
    }

    /// One channel of signed 16 bit at 48 kHz, little-endian: what capture programs are asked for.
    public static let speech = AudioFormat(speechEncoding: .s16le)

    /// The bytes of one frame: one sample of each channel.
    public var bytesPerFrame: Int { channelCount * encoding.byteCount }
}
