/// A state of the server, marked with the generation in which it was asked for.
public struct ServerSnapshot: Hashable, Sendable {
    /// What the server wants.
    public var state: MediaState
    /// `LocalPlayback.generation` when the request was sent, or what `confirm` returned for the answer to an action.
    public var generation: Int

    /// Makes a snapshot.
    ///
    /// - Parameters:
    ///   - state: What the server wants.
    ///   - generation: The generation in which it was asked for.
    public init(state: MediaState, generation: Int) {
        self.state = state
        self.generation = generation
    }
}

/// Decides what has to be done so that this side becomes what the server wants: the only place that does.
///
/// A pure function. Whoever calls it gives each command to the player and to `LocalPlayback.apply`, after which the same
/// arguments lead to no more commands.
///
/// - Parameters:
///   - local: What is known about this side.
///   - server: What the server wants, and when it was asked.
///   - now: The time since the session's start, on the clock of the positions in `local`.
/// - Returns: The commands in their order; none for a state that was asked for before the user last did something here,
///   or while the server has not confirmed that.
public func reconcile(local: LocalPlayback, server: ServerSnapshot, now: Duration) -> [PlayerCommand] {
    guard server.generation >= local.generation, local.unconfirmedAction == nil else { return [] }
    let state = server.state
    guard let track = state.track else {
        return local.item != nil || local.rejected != nil ? [.stop] : []
    }
    guard state.desired != .stopped else { return local.item != nil ? [.stop] : [] }

    let earlier = local.rejected.flatMap { $0.trackID == track.id ? $0 : nil }
    if let earlier, earlier.source == track.audioURL { return [] }
    let position = local.item.flatMap { $0.trackID == track.id ? $0.position.seconds(at: now) : nil }
    if let source = track.audioURL, local.item?.trackID != track.id || local.item?.source == nil,
        let reason = local.formats.refusal(of: track)
    {
        let rejection = UnplayableTrack(
            trackID: track.id,
            source: source,
            mimeType: track.mimeType,
            position: position ?? earlier?.position ?? 0,
            reason: reason
        )
        return (local.item != nil ? [.stop] : []) + [.reject(rejection)]
    }

    let hint = freshHint(of: state, for: track, fulfilled: local.fulfilledHint)
    guard let item = local.item, let position else {
        let resumed = local.resumePoint.flatMap { $0.trackID == track.id && track.kind == .file ? $0.position : nil }
        let load = PlayerLoad(
            number: local.nextLoad,
            trackID: track.id,
            source: track.audioURL,
            mimeType: track.mimeType,
            position: hint?.position ?? earlier?.position ?? resumed ?? 0,
            isPaused: state.startPaused || state.desired == .paused || !local.holds.isEmpty
        )
        return [.load(load, waitsForStart: state.startPaused, hint: hint?.timestamp)]
    }

    var commands: [PlayerCommand] = []
    // An address that changes while the track plays is left alone: servers sign addresses anew at every poll.
    if item.source == nil, let source = track.audioURL { commands.append(.wire(source, position: position)) }
    if let hint { commands.append(.seek(to: hint.position, hint: hint.timestamp)) }
    let hasEnded = item.hasEnded && hint == nil
    let waits = state.startPaused && item.waitsForStart
    if state.desired == .playing, item.isPaused, !hasEnded, !waits, local.holds.isEmpty { commands.append(.play) }
    if state.desired == .paused, !item.isPaused, !hasEnded { commands.append(.pause) }
    return commands
}

/// Returns the seek hint if it is newer than every one that was fulfilled and the track can be sought in.
private func freshHint(of state: MediaState, for track: MediaTrack, fulfilled: Double?) -> SeekHint? {
    guard let hint = state.seekHint, track.kind == .file, hint.position.isFinite, hint.timestamp.isFinite,
        fulfilled.map({ hint.timestamp > $0 }) ?? true
    else { return nil }
    return SeekHint(timestamp: hint.timestamp, position: max(0, hint.position))
}
