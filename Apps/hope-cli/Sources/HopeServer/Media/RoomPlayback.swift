internal import MediaSync

/// What is to be played in one room: the rules by which requests and reports change it.
///
/// A track that has come to its end stays where it is, paused: people see what was played and can play it again, and a
/// player that comes later does not begin by itself what is over. Stopping keeps the track as well, so that "play"
/// begins it again.
struct RoomPlayback: Hashable, Sendable {
    /// Something that can be done to the track.
    enum Action: Hashable, Sendable {
        case play
        case pause
        case stop
        case seek(Double)
        case volume(Double)
    }

    private(set) var trackID: String?
    private(set) var desired = MediaState.Desired.stopped
    private(set) var seekHint: SeekHint?
    private(set) var startPaused = false
    private(set) var choices: [MediaChoice] = []
    private(set) var reported: ReportedPlayback?
    private(set) var volume: Double?
    private var hasEnded = false
    /// The length that a player measured, for a track whose own is not known.
    private var measuredDuration: Double?
    /// The newest hint's time, which outlives the hint: players compare with it.
    private var lastHint = 0.0

    /// Plays a track from its beginning, also when it is the one that is there; one that is to wait for somebody stays
    /// where a player has it, since it is carried over from another room.
    ///
    /// - Parameters:
    ///   - id: The track.
    ///   - isLive: Whether it has no beginning.
    ///   - position: Where to begin, in seconds; nil for the usual place.
    ///   - startPaused: Whether it waits for someone to start it.
    ///   - now: Seconds since 1970.
    mutating func play(_ id: String, isLive: Bool, at position: Double?, startPaused: Bool, now: Double) {
        trackID = id
        desired = .playing
        self.startPaused = startPaused
        choices = []
        reported = nil
        measuredDuration = nil
        hasEnded = false
        seekHint = nil
        if !isLive, let position = position ?? (startPaused ? nil : 0) { hint(position, now) }
    }

    /// Asks somebody to choose; what is playing goes on.
    mutating func offer(_ choices: [MediaChoice]) {
        self.choices = choices
    }

    /// Does something to the track.
    ///
    /// - Parameters:
    ///   - action: What.
    ///   - track: The track as it is now, nil for none.
    ///   - now: Seconds since 1970.
    /// - Throws: 409 when there is no track, or it cannot be sought in.
    mutating func control(_ action: Action, track: MediaTrack?, now: Double) throws(MediaRefusal) {
        switch action {
        case .volume(let level): volume = level
        case .stop:
            desired = .stopped
            seekHint = nil
            startPaused = false
            choices = []
            hasEnded = false
        case .play:
            guard track != nil else { throw .nothingLoaded }
            // What is over, or was let go of, begins anew, also on a player that has not noticed yet.
            if hasEnded || desired == .stopped, track?.kind == .file { hint(0, now) }
            hasEnded = false
            startPaused = false
            desired = .playing
        case .pause:
            guard track != nil else { throw .nothingLoaded }
            // What has been stopped is not there to be paused.
            if desired != .stopped { desired = .paused }
        case .seek(let position):
            guard let track else { throw .nothingLoaded }
            guard track.kind == .file else {
                throw MediaRefusal(409, "“\(track.title)” is a live stream, which cannot be sought in")
            }
            hasEnded = false
            hint(min(position, track.duration ?? position), now)
        }
    }

    /// Takes in what a player says; what it says about another track, or said earlier, changes nothing.
    mutating func take(_ report: PlaybackReport) {
        guard report.trackID == trackID, reported.map({ report.timestamp >= $0.timestamp }) ?? true else { return }
        reported = ReportedPlayback(
            trackID: report.trackID,
            position: report.position,
            isPlaying: report.isPlaying,
            timestamp: report.timestamp
        )
        if let duration = report.duration, duration > 0 { measuredDuration = duration }
        guard report.hasEnded, desired != .stopped else { return }
        hasEnded = true
        desired = .paused
        startPaused = false
        seekHint = nil
    }

    /// Forgets a track that is not there any more.
    mutating func remove(_ id: String) {
        choices.removeAll { $0.id == id }
        guard trackID == id else { return }
        trackID = nil
        desired = .stopped
        seekHint = nil
        startPaused = false
        reported = nil
        hasEnded = false
    }

    /// The state as the API describes it.
    func state(track: MediaTrack?, pending: [PendingDownload]) -> MediaState {
        var track = track
        if let known = track, known.kind == .file { track?.duration = known.duration ?? measuredDuration }
        return MediaState(
            track: track,
            desired: track == nil ? .stopped : desired,
            seekHint: track == nil ? nil : seekHint,
            startPaused: startPaused,
            pending: pending,
            choices: choices,
            reported: reported,
            volume: volume
        )
    }

    /// A hint is always newer than those before, however little time has passed.
    private mutating func hint(_ position: Double, _ now: Double) {
        let moment = (now * 1000).rounded() / 1000
        lastHint = moment > lastHint ? moment : ((lastHint + 0.001) * 1000).rounded() / 1000
        seekHint = SeekHint(timestamp: lastHint, position: position)
    }
}

/// A request that the media API does not carry out.
struct MediaRefusal: Error, Hashable {
    static let nothingLoaded = MediaRefusal(409, "nothing is loaded; play a track first")

    let status: Int
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
