import PresenceKit
import TransportCore

/// The levels of the 20 ms frames of some audio, read only as they are asked for.
actor LevelFeed {
    enum Bytes: Sendable {
        case memory([UInt8])
        case descriptor(DescriptorFeed)
    }

    private var bytes: Bytes
    private var decoder: AudioDecoder
    private var meter = LevelMeter()
    private var isAtEnd = false

    init(_ bytes: Bytes, container: AudioContainer, name: String) {
        self.bytes = bytes
        decoder = AudioDecoder(container, name: name)
    }

    /// The next levels, perhaps none yet; nil at the end.
    ///
    /// - Throws: What is wrong with the audio; `.truncated` after its last level when some of it is missing.
    func next() async throws(AudioLevelSourceError) -> [Double]? {
        guard !isAtEnd else { return nil }
        let piece: [UInt8]
        switch bytes {
        case .memory(let all):
            piece = all
            bytes = .memory([])
        case .descriptor(let feed):
            piece = try await feed.next()
        }
        var levels: [Double] = []
        if piece.isEmpty {
            isAtEnd = true
            if let last = meter.finish() {
                levels.append(last.level)
            }
            return levels
        }
        // Copies go in and out, since an actor's properties cannot be lent to two closures at once.
        var (decoder, meter) = (decoder, meter)
        defer { (self.decoder, self.meter) = (decoder, meter) }
        try decoder.decode(piece, count: piece.count) { frames in
            meter.push(frames) { levels.append($0.level) }
        }
        return levels
    }

    /// What is missing at the end.
    func shortfall() throws(AudioLevelSourceError) -> AudioLevelSourceError? {
        try decoder.finish()
    }

    /// Yields each level when its frame has passed on the clock, never faster than the audio would play.
    func play(
        as owner: AudioLevelOwner,
        on clock: Stopwatch,
        into continuation: AudioLevelStream.Continuation
    ) async throws(AudioLevelSourceError) {
        var frames = 0
        while let levels = try await next() {
            for level in levels {
                frames += 1
                try await clock.wait(until: .milliseconds(20) * frames)
                continuation.yield(AudioLevel(source: owner, level: level, time: clock.elapsed))
            }
        }
        if let shortfall = try shortfall() {
            throw shortfall
        }
    }
}
