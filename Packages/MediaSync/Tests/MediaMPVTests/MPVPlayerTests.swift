import Foundation
import Glibc
import MediaMPV
import MediaPlayerConformance
import MediaSync
import Synchronization
import Testing
import TransportCore

/// With the real program, playing into nothing, in real time: each wait has a deadline, and none is a guess.
@Suite(.enabled(if: MPVProgram().path != nil, "mpv is not installed"), .timeLimit(.minutes(1)))
struct MPVPlayerTests {
    private static let seats = MPVSeats(10)
    private let stopwatch = Stopwatch(clock: ContinuousClock())

    @Test("mpv keeps every promise of a player", arguments: MediaPlayerLaw.allCases)
    func obeys(_ law: MediaPlayerLaw) async {
        let halt: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(3)) }
        await Self.seats.take()
        do {
            try await MediaShelf.with(resume: halt) { shelf in await law.check(MPVPlayerFactory(shelf: shelf)) }
        } catch {
            Issue.record(error)
        }
        await Self.seats.leave()
    }

    @Test("A killed mpv is started anew once and goes on; after the second death the player is gone, with last words")
    func deaths() async throws {
        let deaths = Mutex<[MediaPlayerError]>([])
        try await MediaShelf.with { shelf in
            let player = try await MPVPlayer.start(MPVPlayerFactory.program, stopwatch: stopwatch) { death in
                deaths.withLock { $0.append(death) }
            }
            let snapshots = await player.snapshots()
            try await player.setVolume(0.5)
            try await player.load(try shelf.load(at: 3))
            let before = try await position(in: snapshots) { $0.phase == .playing && ($0.position?.seconds ?? 0) > 3.2 }

            let first = try await player.kill()
            _ = try await position(in: snapshots) { $0.phase == .buffering }
            let after = try await position(in: snapshots) { $0.phase == .playing }
            #expect(after >= before - 0.01 && after < before + 1)
            #expect(await player.property("volume") == .number(50))
            #expect(deaths.withLock { $0.map(\.code) } == [.playerGone])
            #expect(deaths.withLock { $0.first?.message }?.contains("signal 9") == true)

            try await player.kill(after: first)
            var last: PlayerSnapshot?
            for await snapshot in snapshots { last = snapshot }
            guard case .failed(let error) = last?.phase else {
                Issue.record("The last snapshot is \(String(describing: last)).")
                return
            }
            #expect(error.code == .playerGone)
            #expect(error.message.contains("signal 9"))
            await #expect(throws: error) { try await player.play() }
            await player.close()
        }
    }

    @Test("Closing ends and reaps mpv, finishes the snapshots and leaves nothing behind")
    func closes() async throws {
        let player = try await MPVPlayer.start(MPVPlayerFactory.program, stopwatch: stopwatch)
        let number = try #require(player.processNumber)
        let arguments = try String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8).split(separator: "\0")
        let socket = try #require(arguments.first { $0.hasPrefix("--input-ipc-server=") }?.split(separator: "=").last)
        // Once connected, nobody else can reach it.
        let folder = URL(filePath: String(socket)).deletingLastPathComponent().path
        #expect(folder.contains("/hope-mpv-"))
        #expect(!FileManager.default.fileExists(atPath: folder))
        let snapshots = await player.snapshots()
        await player.close()
        #expect(!isThere(number))
        for await _ in snapshots {}
        await #expect(throws: MediaPlayerError.self) { try await player.play() }
        await player.close()
    }

    @Test("A player that is let go of ends mpv")
    func letGo() async throws {
        func number() async throws -> Int32? {
            try await MPVPlayer.start(MPVPlayerFactory.program, stopwatch: stopwatch).processNumber
        }
        let left = try #require(try await number())
        try await waitUntil("mpv is gone") { !isThere(left) }
    }

    @Test("A cancelled task leaves no mpv behind")
    func cancelled() async throws {
        let (numbers, started) = AsyncStream.makeStream(of: Int32?.self)
        let stopwatch = stopwatch
        let number = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await MPVPlayer.withPlayer(MPVPlayerFactory.program, stopwatch: stopwatch) { player in
                    started.yield(player.processNumber)
                    for await _ in await player.snapshots() {}
                    await #expect(throws: MediaPlayerError.self) { try await player.play() }
                }
                started.finish()
            }
            var number: Int32?
            for await started in numbers {
                number = started
                group.cancelAll()
            }
            return number
        }
        #expect(!isThere(try #require(number)))
    }

    @Test("M14: a broken file's error names its media type")
    func brokenFile() async throws {
        try await MediaShelf.with { shelf in
            try await MPVPlayer.withPlayer(MPVPlayerFactory.program, stopwatch: stopwatch) { player in
                let snapshots = await player.snapshots()
                let load = PlayerLoad(
                    number: 1,
                    trackID: "a",
                    source: try shelf.source(of: .undecodable),
                    mimeType: "audio/x-noise",
                    position: 0,
                    isPaused: false
                )
                try await player.load(load)
                let last = try await snapshot(in: snapshots) { if case .failed = $0.phase { true } else { false } }
                guard case .failed(let error) = last.phase else { return }
                #expect(error.code == .undecodable)
                #expect(error.message.contains("audio/x-noise"))
            }
        }
    }

    @Test("A player whose server stops buffers there, and goes on as soon as the server does")
    func starves() async throws {
        let (resumed, resume) = AsyncStream.makeStream(of: Void.self)
        let halt: @Sendable () async -> Void = { for await _ in resumed { return } }
        try await MediaShelf.with(resume: halt) { shelf in
            try await MPVPlayer.withPlayer(MPVPlayerFactory.program, stopwatch: stopwatch) { player in
                let snapshots = await player.snapshots()
                try await player.load(try shelf.load(try shelf.source(of: .starving)))
                _ = try await position(in: snapshots) { $0.phase == .playing }
                let stood = try await position(in: snapshots) { $0.phase == .buffering }
                #expect(stood > 0.5 && stood < 2)
                resume.yield()
                let after = try await position(in: snapshots) { $0.phase == .playing }
                #expect(after >= stood && after < stood + 1)
            }
        }
    }

    @Test("Of a list the first address that works is played, to its end and no further")
    func list() async throws {
        try await MediaShelf.with { shelf in
            try shelf.put(WaveFile.bytes(seconds: 0.6), as: "short.wav")
            let list = try shelf.put(Array("#EXTM3U\nmissing.wav\nshort.wav\nsong.wav\n".utf8), as: "list.m3u")
            try await MPVPlayer.withPlayer(MPVPlayerFactory.program, stopwatch: stopwatch) { player in
                let snapshots = await player.snapshots()
                try await player.load(try shelf.load(list))
                let end = try await snapshot(in: snapshots) { $0.phase == .ended }
                #expect(end.duration == 0.6)
                // mpv goes on to the next of the list until it is told to stop.
                try await waitUntil("mpv is idle") { await player.property("idle-active") == .flag(true) }
            }
        }
    }

    private func position(
        in snapshots: AsyncStream<PlayerSnapshot>,
        where isLast: (PlayerSnapshot) -> Bool
    ) async throws -> Double {
        try #require(try await snapshot(in: snapshots, where: isLast).position?.seconds)
    }

    private func snapshot(
        in snapshots: AsyncStream<PlayerSnapshot>,
        where isLast: (PlayerSnapshot) -> Bool
    ) async throws -> PlayerSnapshot {
        var last: PlayerSnapshot?
        for await snapshot in snapshots {
            last = snapshot
            if isLast(snapshot) { return snapshot }
        }
        throw MPVPlayerFactory.Failure(what: "The snapshots finished with \(String(describing: last)).")
    }
}

/// What needs no mpv, since another program or none is in its place.
@Suite(.timeLimit(.minutes(1)))
struct MPVProgramTests {
    private let stopwatch = Stopwatch(clock: ContinuousClock())

    private func failure(of program: MPVProgram) async -> MediaPlayerError? {
        await #expect(throws: MediaPlayerError.self) { _ = try await MPVPlayer.start(program, stopwatch: stopwatch) }
    }

    @Test("A missing mpv is named, with how to get it", arguments: ["no-such-mpv", "/nowhere/mpv"])
    func missing(name: String) async {
        let program = MPVProgram(name: name)
        #expect(program.path == nil)
        let error = await failure(of: program)
        #expect(error?.code == .playerGone)
        #expect(error?.message.contains(name) == true)
        #expect(error?.message.contains("apt install mpv") == true)
    }

    @Test("An mpv that does not run says why in its last words")
    func lastWords() async throws {
        try await MediaShelf.with { shelf in
            let script = try shelf.script("echo 'mpv: libass.so.9: cannot open shared object file' >&2; exit 127")
            let error = await failure(of: MPVProgram(name: script))
            #expect(error?.code == .playerGone)
            #expect(error?.message.contains("status 127") == true)
            #expect(error?.message.contains("libass.so.9: cannot open shared object file") == true)
        }
    }

    @Test("Cancelling the start of an mpv that never listens ends it")
    func cancelledStart() async throws {
        try await MediaShelf.with { shelf in
            let note = shelf.folder.appending(path: "number").path
            let script = try shelf.script("echo $$ > '\(note).part'; mv '\(note).part' '\(note)'; exec sleep 1000")
            let number = try await withThrowingTaskGroup(of: Int32?.self) { group in
                group.addTask {
                    let error = await failure(of: MPVProgram(name: script))
                    #expect(error?.code == .cancelled)
                    return nil
                }
                var text: String?
                while text == nil {
                    text = try? String(contentsOfFile: note, encoding: .utf8)
                    await Task.yield()
                }
                group.cancelAll()
                try await group.waitForAll()
                return text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            }
            let left = try #require(number)
            #expect(!isThere(left))
        }
    }
}

extension MediaShelf {
    /// A load of the song, or of another source.
    func load(_ other: URL? = nil, at position: Double = 0) throws -> PlayerLoad {
        PlayerLoad(
            number: 1,
            trackID: "song",
            source: try other ?? source(of: .song),
            mimeType: nil,
            position: position,
            isPaused: false
        )
    }
}

/// Whether a process of that number runs, or has ended and was not reaped.
private func isThere(_ number: Int32) -> Bool {
    kill(number, 0) == 0
}

/// Waits for what nothing tells of.
private func waitUntil(_ what: String, _ isSo: () async -> Bool) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(10)
    while await !isSo() {
        guard clock.now < deadline else { throw MPVPlayerFactory.Failure(what: "In vain: \(what).") }
        try await clock.sleep(for: .milliseconds(5))
    }
}
