import HopeTokens

/// What of a snapshot is about the track that is shown.
struct ShownPlayback {
    let track: MediaTrack
    let item: LocalPlayback.Item?
    let nowPlaying: MediaPanel.NowPlaying
    let slider: MediaSlider?

    var isLoaded: Bool { item != nil }
    var isStarted: Bool { item?.isStarted == true }

    init?(_ snapshot: MediaSnapshot, now: Duration) {
        let item = snapshot.playback.item
        let isWanted = snapshot.state.map { $0.desired != .stopped } ?? false
        guard let track = snapshot.track ?? snapshot.state?.track, item != nil || isWanted else { return nil }
        self.track = track
        self.item = item
        let length = [track.duration, item?.duration].compactMap(\.self).first { $0.isFinite && $0 > 0 }
        let position = item.map { min($0.position.seconds(at: now), length ?? .infinity) }
        let isLive = track.kind == .stream
        let elapsed = MediaTime.text(position ?? 0, of: track.kind)
        let end = isLive ? nil : MediaTime.text(length)
        let rejection = snapshot.playback.rejected.flatMap { $0.trackID == track.id ? $0.reason : nil }
        let problem = rejection ?? snapshot.playback.formats.refusal(of: track)
        let (status, color) = Self.status(item, track, snapshot.playback, isUnplayable: rejection != nil)
        let title = MediaText(track.title, .headline, .ink)
        let channel = track.channel.flatMap { $0.isEmpty ? nil : MediaText($0, .caption, .inkSoft) }
        let times = isLive ? MediaTime.live : "\(elapsed) of \(end ?? MediaTime.unknown)"
        nowPlaying = MediaPanel.NowPlaying(
            art: track.art,
            title: title,
            channel: channel,
            status: MediaText(status, .caption, color),
            problem: problem.map { MediaText($0, .caption, .warm) },
            elapsed: MediaText(elapsed, .caption, .inkMuted),
            length: end.map { MediaText($0, .caption, .inkMuted) },
            spokenLabel: [title.text, channel?.text, status, times].compactMap(\.self).joined(separator: ", ")
        )
        slider =
            isLive
            ? nil
            : MediaSlider(
                value: position ?? 0,
                maximum: length ?? 0,
                isEnabled: item != nil && length != nil,
                color: .iris,
                spokenLabel: "Position",
                spokenValue: times
            )
    }

    private static func status(
        _ item: LocalPlayback.Item?,
        _ track: MediaTrack,
        _ playback: LocalPlayback,
        isUnplayable: Bool
    ) -> (String, ColorToken) {
        if isUnplayable { return ("Cannot be played", .danger) }
        guard let item else { return ("Waiting", .inkMuted) }
        if item.source == nil { return ("Preparing…", .inkMuted) }
        switch item.phase {
        case .loading: return ("Loading…", .inkMuted)
        case .paused where playback.holds.contains(.interruption): return ("Interrupted", .warm)
        case .paused: return ("Paused", .inkSoft)
        case .playing: return ("Playing", .mint)
        case .buffering: return ("Buffering…", .warm)
        case .ended: return ("Ended", .inkMuted)
        case .failed: return ("Cannot be played", .danger)
        }
    }
}
