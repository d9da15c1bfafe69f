public import Foundation
public import MediaSync
public import TransportCore

/// Something that only some players can do or that only some tests can bring about, and that some laws need.
public enum MediaPlayerAbility: Hashable, Sendable, CaseIterable {
    /// There is a source that gives its bytes too slowly.
    case starves
    /// The loudness can be read back.
    case readsVolume
    /// The player can be ended for good.
    case ends
}

/// What a law lets a player play.
public enum MediaSample: String, Hashable, Sendable, CaseIterable {
    /// Plays from its beginning to its end and can be sought in.
    case song
    /// As a song, but after at most two seconds of playing there are no more bytes for a second or two.
    case starving
    /// Bytes of a kind that the player cannot decode.
    case undecodable
    /// No bytes at all.
    case empty
    /// An address that cannot be fetched.
    case unreachable
}

/// Makes what the laws of a player are checked on.
///
/// Each check asks for a player of its own. A factory of a real player serves the samples as files or over HTTP and
/// measures on a stopwatch of a `ContinuousClock`; one on virtual time drives its clock in ``run(_:)``.
public protocol MediaPlayerFactory: Sendable {
    /// The time that positions carry, and on which the laws wait; the same one that players are made with.
    var stopwatch: Stopwatch { get }

    /// What can be brought about; laws that need more do not apply.
    var abilities: Set<MediaPlayerAbility> { get }

    /// The length of a song in seconds, at least 8.
    var songLength: Double { get }

    /// Makes a player that has nothing loaded.
    ///
    /// - Throws: Whatever keeps the player from working at all.
    func makePlayer() async throws -> any MediaPlayer

    /// Returns where the bytes of a sample are.
    ///
    /// - Throws: Whatever keeps them from being there.
    func source(of sample: MediaSample) async throws -> URL

    /// Reads the loudness back, 0...1; only asked for with ``MediaPlayerAbility/readsVolume``.
    ///
    /// - Throws: Whatever keeps it from being read.
    func volume(of player: any MediaPlayer) async throws -> Double

    /// Ends a player for good, as a crash would; only asked for with ``MediaPlayerAbility/ends``.
    ///
    /// - Throws: Whatever keeps it from happening.
    func end(_ player: any MediaPlayer) async throws

    /// Frees what a player holds, after its check.
    func discard(_ player: any MediaPlayer) async

    /// Runs a check; a factory on virtual time drives its clock meanwhile.
    ///
    /// - Throws: What the check throws.
    func run(_ check: @escaping @Sendable () async throws -> Void) async throws
}

extension MediaPlayerFactory {
    /// Does nothing: the player holds nothing that outlives it.
    public func discard(_ player: any MediaPlayer) async {}

    /// Runs a check in real time.
    ///
    /// - Throws: What the check throws.
    public func run(_ check: @escaping @Sendable () async throws -> Void) async throws {
        try await check()
    }
}
