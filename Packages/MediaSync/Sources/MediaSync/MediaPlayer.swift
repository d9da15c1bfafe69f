public import Foundation

/// Something that makes tracks heard.
///
/// For implementers, each a `MediaPlayerLaw` of the module MediaPlayerConformance:
///
/// - A player has one load at a time. `load` replaces it at once; every snapshot carries the number of the load it is
///   about, and none about an earlier load comes after the first one about a later.
/// - Calls are made one after the other and return when the player has taken them in, not when they have had their
///   effect: that is told by snapshots. `play`, `pause` and `seek` before the bytes are there are kept and carried out
///   once they are, so that a seek right after a load lands. Without a load they do nothing.
/// - Buffering is a phase of its own: a starved player is not playing, and its position does not advance.
/// - A position comes with the time at which it was true. A player that does not know says nil, never 0.
/// - The end is told once, as `ended`, with the last position and not as a pause.
/// - Bytes that cannot be decoded, empty ones included, end in `failed`, also when loading them seemed to succeed;
///   `playing` is only said of what is heard.
/// - Once a player is gone for good, calls throw `playerGone` and the snapshots finish.
///
/// An Apple backend would be AVPlayer with its periodic time observer and `timeControlStatus`.
public protocol MediaPlayer: Sendable {
    /// What the player can decode.
    var formats: PlayableFormats { get }

    /// Replaces whatever is loaded.
    ///
    /// - Parameter load: The track, where to begin, and whether to wait there.
    /// - Throws: `MediaPlayerError`: `playerGone`, `cancelled`. Bytes that fail are told by a snapshot.
    func load(_ load: PlayerLoad) async throws(MediaPlayerError)

    /// Gives the present load its bytes without a new load.
    ///
    /// - Parameters:
    ///   - source: The bytes to play.
    ///   - position: Where to go on, in seconds.
    /// - Throws: `MediaPlayerError`: `playerGone`, `cancelled`.
    func wire(_ source: URL, position: Double) async throws(MediaPlayerError)

    /// Plays on; does nothing after the end.
    ///
    /// - Throws: `MediaPlayerError`: `playerGone`, `cancelled`.
    func play() async throws(MediaPlayerError)

    /// Stays where it is.
    ///
    /// - Throws: `MediaPlayerError`: `playerGone`, `cancelled`.
    func pause() async throws(MediaPlayerError)

    /// Goes to a position, playing or paused as before; after the end playing goes on from there.
    ///
    /// - Parameter position: Seconds from the beginning, clamped to what there is.
    /// - Throws: `MediaPlayerError`: `playerGone`, `cancelled`.
    func seek(to position: Double) async throws(MediaPlayerError)

    /// Stops and unloads; the load's snapshots end.
    ///
    /// - Throws: `MediaPlayerError`: `playerGone`, `cancelled`.
    func stop() async throws(MediaPlayerError)

    /// Sets the loudness, which outlives loads.
    ///
    /// - Parameter volume: 0 is silent, 1 is full; anything else is clamped.
    /// - Throws: `MediaPlayerError`: `playerGone`, `cancelled`.
    func setVolume(_ volume: Double) async throws(MediaPlayerError)

    /// Returns what the player does from now on: at every change of phase, and at least twice a second while playing.
    ///
    /// Only the newest snapshot waits for a slow reader, except that a change of phase is never lost. One
    /// stream is opened in a player's life; what a second one tells is up to the backend.
    func snapshots() async -> AsyncStream<PlayerSnapshot>
}

extension MediaPlayer {
    /// Carries out what the reconciler wants.
    ///
    /// - Parameter command: The command; `reject` asks nothing of a player.
    /// - Throws: `MediaPlayerError`: `playerGone`, `cancelled`.
    public func perform(_ command: PlayerCommand) async throws(MediaPlayerError) {
        switch command {
        case .load(let load, _, _): try await self.load(load)
        case .wire(let source, let position): try await wire(source, position: position)
        case .play: try await play()
        case .pause: try await pause()
        case .seek(let position, _): try await seek(to: position)
        case .stop: try await stop()
        case .reject: break
        }
    }
}
