#if os(Linux) || os(macOS)
    import Foundation
    import PresenceAudio
    import PresenceConformance
    import PresenceKit
    import Testing

    /// With small scripts in place of the programs that record.
    @Suite struct CaptureProgramAudioLevelSourceTests {
        /// Writes scripts into a folder of their own and makes a source that finds them there.
        private func withPrograms(
            _ scripts: [(name: String, script: String)],
            _ body: (CaptureProgramAudioLevelSource, String) async throws -> Void
        ) async throws {
            try await withTemporaryFolder { folder in
                for (name, script) in scripts {
                    let path = "\(folder)/\(name)"
                    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
                    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
                }
                let programs = scripts.map { CaptureProgram(name: $0.name, arguments: ["one argument", folder]) }
                let source = CaptureProgramAudioLevelSource(
                    programs: programs,
                    searchPath: "/no/such/folder:\(folder)",
                    clock: ContinuousClock()
                )
                try await body(source, folder)
            }
        }

        /// Square waves without end: 960 samples of ±0x4000 are a frame of 20 ms whose level is 0.5.
        private static let endless = """
            echo $$ > "$2/number"
            while printf '\\000\\100\\000\\300\\000\\100\\000\\300\\000\\100\\000\\300\\000\\100\\000\\300'; do :; done
            """

        private func failure(_ source: CaptureProgramAudioLevelSource) async throws -> AudioLevelSourceError? {
            let stream = try await source.start()
            do throws(AudioLevelSourceError) {
                for try await _ in stream {}
                return nil
            } catch {
                return error
            }
        }

        private func isRunning(_ folder: String) throws -> Bool {
            let number = try String(contentsOfFile: folder + "/number", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let test = Process()
            test.executableURL = URL(fileURLWithPath: "/bin/sh")
            test.arguments = ["-c", "kill -0 \(number) 2>/dev/null"]
            try test.run()
            test.waitUntilExit()
            return test.terminationStatus == 0
        }

        @Test func hearsAndKillsAndReapsTheProgram() async throws {
            try await withPrograms([("recorder", Self.endless)]) { source, folder in
                let stream = try await source.start()
                var iterator = stream.makeAsyncIterator()
                for _ in 1...5 {
                    let level = try await iterator.next()
                    #expect(level?.level == 0.5)
                    #expect(level?.source == .microphone)
                }
                #expect(try isRunning(folder))
                await source.stop()
                #expect(try !isRunning(folder))
            }
        }

        @Test(arguments: [
            AudioLevelSourceLaw.secondStartIsRefused, .stopEndsTheStream, .stopIsIdempotent, .releaseEndsTheStream,
        ])
        func obeys(_ law: AudioLevelSourceLaw) async throws {
            try await withPrograms([("recorder", Self.endless)]) { source, folder in
                try await law.checkInRealTime { clock in
                    CaptureProgramAudioLevelSource(
                        programs: [CaptureProgram(name: "recorder", arguments: ["", folder])],
                        searchPath: folder,
                        clock: clock
                    )
                }
            }
        }

        @Test func stopsAProgramThatIgnoresRequestsAndItsChildren() async throws {
            let script = """
                trap '' TERM INT HUP
                echo $$ > "$2/number"
                head -c 1920 /dev/zero
                sleep 1000 & wait
                sleep 1000
                """
            try await withPrograms([("recorder", script)]) { source, folder in
                let stream = try await source.start()
                var iterator = stream.makeAsyncIterator()
                #expect(try await iterator.next()?.level == 0)
                await source.stop()
                #expect(try await iterator.next() == nil)
                #expect(try !isRunning(folder))
            }
        }

        @Test func saysTheLastWordsOfAProgramThatDies() async throws {
            let script =
                "head -c 3000 /dev/zero; echo chatter >&2; printf 'arecord: \\033[31mstream died\\033[0m' >&2; exit 3"
            try await withPrograms([("recorder", script)]) { source, _ in
                let failure = try await failure(source)
                #expect(failure?.code == .captureEnded)
                #expect(
                    failure?.message
                        == "The microphone is not heard any more: recorder ended (status 3): chatter arecord: [31mstream "
                        + "died[0m; start again"
                )
            }
        }

        @Test func theNextProgramIsTriedWhenOneGivesNothing() async throws {
            try await withPrograms([
                ("first", "echo 'cannot connect: Host is down' >&2; exit 1"), ("second", Self.endless),
            ]) {
                source,
                _ in
                let stream = try await source.start()
                var iterator = stream.makeAsyncIterator()
                #expect(try await iterator.next()?.level == 0.5)
                await source.stop()
            }
        }

        @Test(arguments: [
            ("cannot find card '0'", AudioLevelSourceError.Code.deviceMissing), ("Permission denied", .accessDenied),
            ("something else", .captureEnded),
        ])
        func understandsTheLastWords(words: String, code: AudioLevelSourceError.Code) async throws {
            try await withPrograms([("recorder", "echo \"\(words)\" >&2; exit 1")]) { source, _ in
                let failure = try await failure(source)
                #expect(failure?.code == code)
                #expect(failure?.message.contains(words) == true)
            }
        }

        @Test func readsAnAUHeaderInFrontOfTheSamples() async throws {
            // Offset 28, unknown size, 16 bit (3), 8 kHz, two channels, then 0x4000 big-endian.
            let script = """
                printf '.snd\\000\\000\\000\\034\\377\\377\\377\\377\\000\\000\\000\\003\\000\\000\\037\\100\\000\\000\\000\\002info'
                while printf '\\100\\000\\300\\000'; do :; done
                """
            try await withPrograms([("recorder", script)]) { source, _ in
                let stream = try await source.start()
                var iterator = stream.makeAsyncIterator()
                #expect(try await iterator.next()?.level == 0.5)
                await source.stop()
            }
        }

        @Test func namesTheProgramsThatAreNotThere() async throws {
            let source = CaptureProgramAudioLevelSource(searchPath: "/no/such/folder", clock: ContinuousClock())
            #expect(source.availablePrograms.isEmpty)
            let error = await #expect(throws: AudioLevelSourceError.self) { try await source.start() }
            #expect(error?.code == .deviceMissing)
            #expect(error?.message.contains("pw-record, parec, arecord, ffmpeg") == true)
        }
    }
#endif
