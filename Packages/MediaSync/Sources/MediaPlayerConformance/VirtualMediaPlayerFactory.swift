public import Foundation
public import MediaSync
import Synchronization
public import TransportCore

/// Makes virtual players on virtual time, optionally with another player around each.
public final class VirtualMediaPlayerFactory: MediaPlayerFactory {
    private let clock: ManualClock
    private let wrap: @Sendable (VirtualMediaPlayer, Stopwatch) -> any MediaPlayer
    private let made = Mutex<VirtualMediaPlayer?>(nil)

    /// The virtual time.
    public let stopwatch: Stopwatch

    /// Makes a factory with a clock of its own.
    ///
    /// - Parameter wrap: Makes what is checked out of the virtual player; the stopwatch is the factory's.
    public init(
        wrap: @escaping @Sendable (VirtualMediaPlayer, Stopwatch) -> any MediaPlayer = { player, _ in player }
    ) {
        clock = ManualClock()
        stopwatch = Stopwatch(clock: clock)
        self.wrap = wrap
    }

    /// Everything: what is virtual can be brought about.
    public var abilities: Set<MediaPlayerAbility> { Set(MediaPlayerAbility.allCases) }

    /// A minute.
    public var songLength: Double { 60 }

    /// Makes a player with slow loads and seeks, that does not always know its position.
    public func makePlayer() async throws -> any MediaPlayer {
        let length = songLength
        let player = VirtualMediaPlayer(stopwatch: stopwatch) { source in
            var track = VirtualTrack(
                duration: length,
                seekDelay: .milliseconds(120),
                refusesEarlySeek: true,
                positionDelay: .milliseconds(60)
            )
            switch MediaSample(rawValue: source.lastPathComponent) {
            case .starving: track.starvations = [VirtualTrack.Starvation(at: 1, for: .milliseconds(1500))]
            case .undecodable: track.fault = .undecodable
            case .empty: track.fault = .empty
            case .unreachable, nil: track.fault = .unreachable
            case .song: break
            }
            return track
        }
        made.withLock { $0 = player }
        return wrap(player, stopwatch)
    }

    /// Returns an address that the virtual player knows.
    ///
    /// - Throws: `URLError` should the address not be one.
    public func source(of sample: MediaSample) async throws -> URL {
        guard let url = URL(string: "http://virtual.invalid/\(sample.rawValue)") else { throw URLError(.badURL) }
        return url
    }

    /// Reads the loudness of the player that was made last.
    ///
    /// - Throws: Nothing.
    public func volume(of player: any MediaPlayer) async throws -> Double {
        made.withLock { $0?.volume } ?? 0
    }

    /// Ends the player that was made last.
    ///
    /// - Throws: Nothing.
    public func end(_ player: any MediaPlayer) async throws {
        made.withLock { $0 }?.die()
    }

    /// Runs a check on virtual time, two virtual minutes at most.
    ///
    /// - Throws: What the check throws.
    public func run(_ check: @escaping @Sendable () async throws -> Void) async throws {
        try await clock.run(until: .seconds(120), check)
    }
}
