public import Foundation
import TransportCore

/// What the reconciler knows about this side: what the player was told, what it does, and what the user just did.
public struct LocalPlayback: Hashable, Sendable {
    /// A reason for which nothing is started here, whatever the server wants.
    public enum Hold: Hashable, Sendable {
        /// The system took the sound away, for a phone call for example.
        case interruption
        /// A conversation is going on.
        case talk
    }

    /// What is loaded.
    public struct Item: Hashable, Sendable {
        /// The number of the load.
        public let load: Int
        /// The track.
        public let trackID: String
        /// The bytes that are played, or nil while they are missing.
        public internal(set) var source: URL?
        /// The media type of those bytes, if known.
        public let mimeType: String?
        /// Whether it waits for someone to start it, as the server wished when it was loaded.
        public internal(set) var waitsForStart: Bool
        /// Whether it stands still because it was told to.
        public internal(set) var isPaused: Bool
        /// Whether it has come to its end.
        public internal(set) var hasEnded = false
        /// The last position that was known.
        public internal(set) var position: PlaybackPosition
        /// What the player does with it, as far as it has said so since it was last told something.
        public internal(set) var phase = PlayerSnapshot.Phase.loading
        /// The length in seconds as the player measured it, or nil.
        public internal(set) var duration: Double?
        /// Where a seek goes that the player has not carried out yet.
        var soughtPosition: PlaybackPosition?
        /// Since when the player has owed a word on having been paused or started.
        var toldSince: Duration?

        /// Whether it is heard, or would be if the bytes were there.
        public var isStarted: Bool { !isPaused && !hasEnded }
    }

    /// A position to which a track goes back when it is loaded again.
    public struct ResumePoint: Hashable, Sendable {
        /// The track.
        public let trackID: String
        /// Seconds from its beginning.
        public let position: Double
    }

    /// How long a word of the player may be one from before it was told something.
    fileprivate static let patience: Duration = .seconds(3)
    /// How far from where it was sent a player may land, in seconds.
    fileprivate static let seekTolerance = 2.0

    /// What the player can decode.
    public let formats: PlayableFormats
    /// What is loaded, or nil.
    public private(set) var item: Item?
    /// What was found to be unplayable, until something else is wanted.
    public private(set) var rejected: UnplayableTrack?
    /// The reasons for which nothing is started here.
    public private(set) var holds: Set<Hold> = []
    /// The newest time stamp of a seek hint that was fulfilled.
    public private(set) var fulfilledHint: Double?
    /// Where a track goes on that played before a conversation, once it is loaded again.
    public private(set) var resumePoint: ResumePoint?
    /// Counts what the user did here and what the server confirmed of it; requests are marked with it when sent.
    public private(set) var generation = 0
    /// The generation of the user's action that the server has not confirmed yet.
    public private(set) var unconfirmedAction: Int?

    private var loadCount = 0

    /// Makes the state before anything was loaded.
    ///
    /// - Parameter formats: What the player can decode.
    public init(formats: PlayableFormats) {
        self.formats = formats
    }

    /// The number that the next load gets.
    public var nextLoad: Int { loadCount + 1 }

    /// Notes that the user did something here; until it is confirmed no state of the server is applied.
    ///
    /// - Returns: The action, to be given to `confirm` with the server's answer to it.
    public mutating func beginAction() -> Int {
        generation += 1
        unconfirmedAction = generation
        return generation
    }

    /// Notes that the server has answered an action, or that sending it has failed.
    ///
    /// - Parameter action: What `beginAction` returned.
    /// - Returns: The generation of the state in the answer, or nil when the user has done something since, so that the
    ///   answer is out of date.
    public mutating func confirm(_ action: Int) -> Int? {
        guard unconfirmedAction == action else { return nil }
        unconfirmedAction = nil
        // Polls that were sent between the action and this answer may have been answered before the server knew.
        generation += 1
        return generation
    }

    /// Forgets an action that nobody waits for any more, and every request that is on its way.
    public mutating func abandonAction() {
        unconfirmedAction = nil
        generation += 1
    }

    /// Begins or ends a reason for which nothing is started here.
    ///
    /// - Parameters:
    ///   - hold: The reason.
    ///   - isHeld: Whether it holds from now on.
    public mutating func setHold(_ hold: Hold, _ isHeld: Bool) {
        if isHeld { holds.insert(hold) } else { holds.remove(hold) }
    }

    /// Lets what is loaded wait for someone to start it, as far as the server says that it is to.
    public mutating func waitForStart() {
        item?.waitsForStart = true
    }

    /// Notes where a track is to go on when it is loaded the next time.
    ///
    /// - Parameters:
    ///   - trackID: The track.
    ///   - position: Seconds from its beginning.
    public mutating func resume(_ trackID: String, at position: Double) {
        resumePoint = ResumePoint(trackID: trackID, position: position)
    }

    /// Notes that a seek hint asks for what the user has done here already.
    ///
    /// - Parameter hint: The server's echo of the user's own seek.
    public mutating func fulfil(_ hint: SeekHint) {
        if hint.timestamp.isFinite { note(hint.timestamp) }
    }

    /// Notes that a command was given to the player.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - now: The time since the session's start.
    public mutating func apply(_ command: PlayerCommand, now: Duration) {
        switch command {
        case .load(let load, let waitsForStart, let hint):
            loadCount = max(loadCount, load.number)
            rejected = nil
            resumePoint = nil
            note(hint)
            item = Item(
                load: load.number,
                trackID: load.trackID,
                source: load.source,
                mimeType: load.mimeType,
                waitsForStart: waitsForStart,
                isPaused: load.isPaused,
                // It moves once the player says that it plays.
                position: PlaybackPosition(seconds: load.position, time: now, isAdvancing: false)
            )
        case .wire(let source, let position):
            item?.source = source
            item?.position = PlaybackPosition(seconds: position, time: now, isAdvancing: false)
            item?.phase = .loading
        case .play:
            setPaused(false, now)
            item?.waitsForStart = false
        case .pause:
            setPaused(true, now)
            freeze(now)
        case .seek(let position, let hint):
            note(hint)
            item?.hasEnded = false
            let target = PlaybackPosition(seconds: position, time: now, isAdvancing: false)
            item?.position = target
            item?.soughtPosition = target
            if let item, item.phase == .ended { self.item?.phase = item.isPaused ? .paused : .buffering }
        case .stop:
            item = nil
            rejected = nil
        case .reject(let track):
            item = nil
            rejected = track
        }
    }

    /// Takes in what the player says; what it says about another load than the present one changes nothing.
    ///
    /// - Parameters:
    ///   - snapshot: What the player says.
    ///   - now: The time since the session's start.
    public mutating func observe(_ snapshot: PlayerSnapshot, now: Duration) {
        guard var current = item, current.load == snapshot.load else { return }
        if let since = current.toldSince {
            let isOld = Self.contradicts(snapshot.phase, isPaused: current.isPaused)
            // What was said before the player took in what it was told is not about that.
            if isOld, now - since < Self.patience { return }
            if snapshot.phase != .loading { current.toldSince = nil }
        }
        if let position = snapshot.position, position.seconds.isFinite { current.take(position, now: now) }
        if let duration = snapshot.duration, duration.isFinite { current.duration = duration }
        current.phase = snapshot.phase
        switch snapshot.phase {
        case .loading: break
        case .paused: current.isPaused = true
        case .playing, .buffering:
            current.isPaused = false
            current.hasEnded = false
        case .ended: current.hasEnded = true
        case .failed(let error):
            item = nil
            rejected = UnplayableTrack(
                trackID: current.trackID,
                source: current.source,
                mimeType: current.mimeType,
                position: current.position.seconds(at: now),
                reason: error.message
            )
            return
        }
        item = current
        if snapshot.phase != .playing { freeze(now) }
    }

    private static func contradicts(_ phase: PlayerSnapshot.Phase, isPaused: Bool) -> Bool {
        switch phase {
        case .paused: !isPaused
        case .playing, .buffering: isPaused
        case .loading, .ended, .failed: false
        }
    }

    private mutating func setPaused(_ isPaused: Bool, _ now: Duration) {
        guard var current = item else { return }
        if current.isPaused != isPaused { current.toldSince = now }
        current.isPaused = isPaused
        switch (current.phase, isPaused) {
        case (.playing, true), (.buffering, true): current.phase = .paused
        case (.paused, false): current.phase = .buffering
        default: break
        }
        item = current
    }

    private mutating func note(_ hint: Double?) {
        if let hint { fulfilledHint = max(hint, fulfilledHint ?? hint) }
    }

    /// Stops the position where it is.
    private mutating func freeze(_ now: Duration) {
        guard let position = item?.position, position.isAdvancing else { return }
        item?.position = PlaybackPosition(seconds: position.seconds(at: now), time: now, isAdvancing: false)
    }
}

extension LocalPlayback.Item {
    /// Takes over what the player says of its position, unless it is from before a seek.
    fileprivate mutating func take(_ new: PlaybackPosition, now: Duration) {
        if let sought = soughtPosition {
            let passed = (now - sought.time).inSeconds
            let isThere = abs(new.seconds(at: now) - sought.seconds) <= LocalPlayback.seekTolerance + passed
            guard isThere || now - sought.time >= LocalPlayback.patience else { return }
            soughtPosition = nil
        }
        position = new
    }
}
