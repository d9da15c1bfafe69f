import Foundation
import Glibc
import MediaMPV
import MediaPlayerConformance
import MediaSync
import Synchronization
import TransportCore

/// Makes players of a real mpv that plays into nothing, in real time.
struct MPVPlayerFactory: MediaPlayerFactory {
    /// What keeps a player from being checked.
    struct Failure: Error {
        var what: String
    }

    let shelf: MediaShelf
    let stopwatch = Stopwatch(clock: ContinuousClock())
    let abilities: Set<MediaPlayerAbility> = Set(MediaPlayerAbility.allCases)
    let songLength = MediaShelf.songLength

    static let program = MPVProgram(audioOutput: "null")

    func makePlayer() async throws -> any MediaPlayer {
        try await MPVPlayer.start(Self.program, stopwatch: stopwatch)
    }

    func source(of sample: MediaSample) async throws -> URL {
        try shelf.source(of: sample)
    }

    func volume(of player: any MediaPlayer) async throws -> Double {
        guard let player = player as? MPVPlayer, case .number(let percent) = await player.property("volume") else {
            throw Failure(what: "mpv does not say how loud it is.")
        }
        return percent / 100
    }

    func end(_ player: any MediaPlayer) async throws {
        guard let player = player as? MPVPlayer else { throw Failure(what: "This is no mpv.") }
        let first = try await player.kill()
        try await player.kill(after: first)
    }

    func discard(_ player: any MediaPlayer) async {
        await (player as? MPVPlayer)?.close()
    }
}

/// Lets a few checks run at a time: thirty programs that start at once would keep each other from playing in time.
actor MPVSeats {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    /// Waits for a seat.
    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Leaves it to the next.
    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension MPVPlayer {
    /// Kills mpv, waiting for the next one if `earlier` was the last; returns whom.
    @discardableResult
    func kill(after earlier: Int32? = nil) async throws -> Int32 {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(10)
        while clock.now < deadline {
            if let number = processNumber, number != earlier, await property("pid") != nil {
                Glibc.kill(number, SIGKILL)
                return number
            }
            try await clock.sleep(for: .milliseconds(5))
        }
        throw MPVPlayerFactory.Failure(what: "There is no mpv to kill.")
    }
}
