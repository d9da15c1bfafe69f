import Foundation
import PresenceAudio
import PresenceConformance
import PresenceKit
import Testing
import TransportCore

@Suite struct PacedAudioLevelSourceTests {
    /// Five seconds of a square wave: every level is 0.5.
    private static let wave = (0..<40_000).map { $0 % 2 == 0 ? 0.5 : -0.5 }
    private static let file = WAVWriter(samples: .integers(bits: 16)).file(wave)

    private func hear(_ source: any AudioLevelSource) async throws -> ([AudioLevel], AudioLevelSourceError?) {
        var levels: [AudioLevel] = []
        let stream = try await source.start()
        do throws(AudioLevelSourceError) {
            for try await level in stream { levels.append(level) }
        } catch {
            return (levels, error)
        }
        return (levels, nil)
    }

    @Test(arguments: AudioLevelSourceLaw.allCases)
    func wavObeys(_ law: AudioLevelSourceLaw) async throws {
        try await law.check { WAVAudioLevelSource(bytes: Self.file, clock: $0) }
    }

    @Test(arguments: AudioLevelSourceLaw.allCases)
    func pcmObeys(_ law: AudioLevelSourceLaw) async throws {
        let format = try AudioFormat(sampleRate: 8_000, channelCount: 1)
        try await law.check { PCMAudioLevelSource(bytes: Array(Self.file.dropFirst(44)), format: format, clock: $0) }
    }

    @Test func aLevelComesWhenItsFrameHasPassed() async throws {
        let clock = ManualClock()
        let (levels, failure) = try await clock.run {
            try await hear(WAVAudioLevelSource(bytes: Self.file, owner: .agent, clock: clock))
        }
        #expect(failure == nil)
        #expect(levels.map(\.time) == (1...250).map { .milliseconds(20 * $0) })
        #expect(levels.allSatisfy { $0.level == 0.5 && $0.source == .agent })
        #expect(clock.now.offset == .seconds(5))
    }

    @Test func aFileIsHeardFromItsBeginningAtEachStart() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/voice.wav"
            try Data(Self.file).write(to: URL(fileURLWithPath: path))
            let clock = ManualClock()
            let counts = try await clock.run {
                let source = WAVAudioLevelSource(path: path, clock: clock)
                let first = try await hear(source).0.count
                return (first, try await hear(source).0.count)
            }
            #expect(counts == (250, 250))
        }
    }

    @Test func saysWhatIsMissingAfterTheLastLevel() async throws {
        let clock = ManualClock()
        let file = WAVWriter(samples: .integers(bits: 16), cut: 8_000).file(Self.wave)
        let (levels, failure) = try await clock.run { try await hear(WAVAudioLevelSource(bytes: file, clock: clock)) }
        #expect(levels.count == 225)
        #expect(failure?.code == .truncated)
    }

    @Test func aFileThatIsNoAudioFails() async throws {
        let clock = ManualClock()
        let failures = try await clock.run {
            var failures: [AudioLevelSourceError.Code?] = []
            for bytes in [[], Array("no audio, only words".utf8)] {
                failures.append(try await hear(WAVAudioLevelSource(bytes: bytes, clock: clock)).1?.code)
            }
            return failures
        }
        #expect(failures == [.badFormat, .badFormat])
        let missing = await #expect(throws: AudioLevelSourceError.self) {
            try await WAVAudioLevelSource(path: "/no/such/voice.wav", clock: clock).start()
        }
        #expect(missing?.code == .deviceMissing)
    }

    @Test func aPipeGoesOnWhereItWas() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(Self.file.prefix(44 + 16_000)))
        let clock = ManualClock()
        let source = WAVAudioLevelSource(descriptor: pipe.fileHandleForReading.fileDescriptor, clock: clock)
        let first = try await source.start()
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(20))
        var iterator = first.makeAsyncIterator()
        #expect(try await iterator.next()?.level == 0.5)
        await source.stop()
        #expect(try await iterator.next() == nil)

        try pipe.fileHandleForWriting.close()
        let second = try await source.start()
        async let rest = second.reduce(into: [AudioLevel]()) { $0.append($1) }
        for _ in 0..<60 {
            await clock.advance(by: .milliseconds(20))
        }
        // The header came before the stop; without its place kept the rest would be noise, or no WAV file at all.
        do {
            let levels = try await rest
            Issue.record("ended with \(levels.count) levels and without a word")
        } catch let error as AudioLevelSourceError {
            #expect(error.code == .truncated)
            #expect(error.message.contains("16000 of 80000"), "\(error.message)")
        }
    }

    @Test func stoppingDoesNotWaitForASilentPipe() async throws {
        let pipe = Pipe()
        let source = PCMAudioLevelSource(
            descriptor: pipe.fileHandleForReading.fileDescriptor,
            format: .speech,
            clock: ManualClock()
        )
        let stream = try await source.start()
        await source.stop()
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        // Stopped, it leaves to others what comes.
        try pipe.fileHandleForWriting.write(contentsOf: Data([1, 2, 3]))
        #expect(pipe.fileHandleForReading.availableData == Data([1, 2, 3]))
    }
}
