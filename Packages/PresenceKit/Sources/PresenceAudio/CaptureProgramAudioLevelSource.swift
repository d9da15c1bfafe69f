#if os(Linux) || os(macOS)
    import Foundation
    public import PresenceKit
    import TransportCore

    /// The microphone, heard through a program that records it: `pw-record`, `parec`, `arecord` or `ffmpeg`.
    ///
    /// The first program that is found and gives samples is used; one that ends before its first sample leaves its place to
    /// the next. The stream throws `.captureEnded` (or `.accessDenied` or `.deviceMissing` where its words show it) with
    /// the last words of the programs when the last one ends. Stopping kills and reaps the program.
    public final class CaptureProgramAudioLevelSource: Sendable {
        private let programs: [CaptureProgram]
        private let searchPath: String
        private let owner: AudioLevelOwner
        private let clock: any Clock<Duration>
        private let run = AudioLevelRun(name: "The microphone")

        /// Makes a source; nothing is looked for or started yet.
        ///
        /// - Parameters:
        ///   - programs: The programs to try, in this order.
        ///   - searchPath: Where they are looked for: folders separated by colons, as in the variable PATH;
        ///     nil for the value of that variable.
        ///   - owner: Whose voice it is.
        ///   - clock: The clock that stamps the levels.
        public init(
            programs: [CaptureProgram] = CaptureProgram.all,
            searchPath: String? = nil,
            owner: AudioLevelOwner = .microphone,
            clock: any Clock<Duration>
        ) {
            self.programs = programs
            self.searchPath = searchPath ?? ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            self.owner = owner
            self.clock = clock
        }

        /// The programs that are there, in the order in which they are tried.
        public var availablePrograms: [CaptureProgram] {
            programs.filter { $0.path(in: searchPath) != nil }
        }
    }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    extension CaptureProgramAudioLevelSource: AudioLevelSource {
        public func start() async throws(AudioLevelSourceError) -> AudioLevelStream {
            let found = programs.compactMap { program in program.path(in: searchPath).map { (program, $0) } }
            guard !found.isEmpty else {
                throw AudioLevelSourceError(
                    .deviceMissing,
                    thing: "The microphone",
                    reason: "needs one of \(programs.map(\.name).joined(separator: ", ")), and none is there",
                    remedy: "install one, or choose another source of audio"
                )
            }
            let (owner, clock) = (owner, Stopwatch(clock: clock))
            return try run.start { continuation throws(AudioLevelSourceError) in
                var failures: [Capture.Failure] = []
                for (program, path) in found {
                    let capture = Capture(program: program, path: path, owner: owner, clock: clock)
                    let failure = try await capture.run(into: continuation)
                    failures.append(failure)
                    if failure.hadSamples { break }
                }
                throw Capture.error(failures)
            }
        }

        public func stop() async {
            await run.stop()
        }
    }

    /// One program, from its start to its end.
    private struct Capture: Sendable {
        struct Failure: Sendable {
            let hadSamples: Bool
            let words: String
        }

        let program: CaptureProgram
        let path: String
        let owner: AudioLevelOwner
        let clock: Stopwatch

        /// Runs the program until it ends by itself, and says how.
        func run(into continuation: AudioLevelStream.Continuation) async throws(AudioLevelSourceError) -> Failure {
            let process: CaptureProcess
            do throws(AudioLevelSourceError) {
                process = try CaptureProcess(program, path: path)
            } catch {
                return Failure(hadSamples: false, words: error.message)
            }
            do throws(AudioLevelSourceError) {
                async let words = process.lastWords()
                let hadSamples = try await yieldLevels(of: process.output, into: continuation)
                let said = await words
                let ending = await process.ending()
                return Failure(
                    hadSamples: hadSamples,
                    words: "\(program.name) ended (\(ending))" + (said.isEmpty ? "" : ": \(said)")
                )
            } catch {
                process.kill()
                _ = await process.ending()
                throw error
            }
        }

        private func yieldLevels(
            of output: DescriptorFeed,
            into continuation: AudioLevelStream.Continuation
        ) async throws(AudioLevelSourceError) -> Bool {
            var decoder = CaptureDecoder(format: program.format, name: program.name)
            var meter = LevelMeter()
            var hadSamples = false
            while true {
                let piece = try await output.next()
                if piece.isEmpty { return hadSamples }
                try decoder.decode(piece) { frames in
                    meter.push(frames) { reading in
                        hadSamples = true
                        continuation.yield(AudioLevel(source: owner, level: reading.level, time: clock.elapsed))
                    }
                }
            }
        }

        static func error(_ failures: [Failure]) -> AudioLevelSourceError {
            let words = failures.map(\.words).joined(separator: "; ")
            let folded = words.lowercased()
            let isNew = !failures.contains { $0.hadSamples }
            let missing = [
                "no such file", "no such device", "cannot find card", "no default", "host is down", "refused",
            ]
            if isNew, ["permission denied", "access denied", "not permitted"].contains(where: folded.contains) {
                return AudioLevelSourceError(
                    .accessDenied,
                    thing: "The microphone",
                    reason: "may not be heard: \(words)",
                    remedy: "allow this user to record"
                )
            }
            if isNew, missing.contains(where: folded.contains) {
                return AudioLevelSourceError(
                    .deviceMissing,
                    thing: "The microphone",
                    reason: "is not there: \(words)",
                    remedy: "plug one in, or choose another source of audio"
                )
            }
            return AudioLevelSourceError(
                .captureEnded,
                thing: "The microphone",
                reason: "is not heard any more: \(words)",
                remedy: "start again"
            )
        }
    }
#endif
