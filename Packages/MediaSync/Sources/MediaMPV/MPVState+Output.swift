package import MediaSync
package import TransportCore

/// Why a load cannot be played, before it is put into words.
enum MPVFailure: Sendable {
    /// The address is none that mpv is given.
    case address
    /// mpv gave up, in its words.
    case playing(words: String?, wasOpened: Bool)
    /// The bytes broke off, and asking for the rest was in vain.
    case brokenOff
    /// mpv is gone.
    case playerGone(MediaPlayerError)
}

/// What follows from calls and messages.
package struct MPVOutput: Sendable {
    /// The commands for mpv, in their order.
    package var commands: [JSONValue]
    /// What the player does now, if that is news.
    package var snapshot: PlayerSnapshot?
}

extension MPVState {
    /// Takes what has to be sent and said by now.
    ///
    /// mpv tells one change in several lines, so this is asked for once all that has arrived was taken in.
    ///
    /// - Parameter now: The time since the session's start.
    /// - Returns: The commands and the snapshot, which are not returned again.
    package mutating func takeOutput(now: Duration) -> MPVOutput {
        defer { commands = [] }
        return MPVOutput(commands: commands, snapshot: takeSnapshot(now: now))
    }

    private mutating func takeSnapshot(now: Duration) -> PlayerSnapshot? {
        guard let load else { return nil }
        // A failure is told once, with what was known when it was told.
        if case .failed = last?.phase { return nil }
        let phase = phase
        if phase == .playing || phase == .paused { hasBeenReady = true }

        var snapshot = PlayerSnapshot(load: load.number, phase: phase, duration: duration)
        if let seconds = shownPosition {
            let isAdvancing = phase == .playing
            var time = now
            if let earlier = last?.position, earlier.seconds == seconds, earlier.isAdvancing == isAdvancing {
                time = earlier.time
            }
            snapshot.position = PlaybackPosition(seconds: seconds, time: time, isAdvancing: isAdvancing)
            // A length that was estimated too short is at least as long as what has been played of it.
            snapshot.duration = duration.map { max($0, seconds) }
        }
        guard snapshot != last else { return nil }
        last = snapshot
        return snapshot
    }

    private var phase: PlayerSnapshot.Phase {
        switch stage {
        case .failed: return .failed(error)
        case .ended: return .ended
        case .parked: return .paused
        case .running where isPaused && (wantsPause || last?.phase == .paused): return .paused
        case .running:
            let isHeard = !isPaused && !isIdle && !isStarved && !isSeeking && target == nil
            if isHeard { return .playing }
            return hasBeenReady ? .buffering : .loading
        case .unloaded, .disconnected, .asked, .queued, .opening, .opened:
            guard hasBeenReady else { return .loading }
            return wantsPause ? .paused : .buffering
        }
    }

    private var shownPosition: Double? {
        switch stage {
        case .failed: nil
        case .running, .ended, .parked: target.map { clamped($0) } ?? position
        case .unloaded, .disconnected, .asked, .queued, .opening, .opened:
            hasBeenReady ? target.map { clamped($0) } ?? position : nil
        }
    }

    private var error: MediaPlayerError {
        let type = load?.mimeType.map { MPVWords.cleaned($0) } ?? "of unknown type"
        switch failure {
        case .playerGone(let error): return error
        case .address:
            return MediaPlayerError(
                code: .unreachable,
                message: "mpv cannot fetch this track (\(type)): its address is none of http, https or a file."
            )
        case .brokenOff:
            return MediaPlayerError(
                code: .unreachable,
                message: "mpv lost the connection in the middle of this track (\(type)), and it did not come back; "
                    + "check the connection and load the track again."
            )
        case .playing(let words?, _) where words.contains("audio output"):
            return MediaPlayerError(
                code: .undecodable,
                message:
                    "mpv cannot make this track (\(type)) heard: \(MPVWords.cleaned(words)); check the sound device."
            )
        case .playing(let words, let wasOpened):
            let isForeign = words?.contains("unrecognized") ?? wasUnrecognized
            if wasOpened || isForeign {
                let words = words.map { MPVWords.cleaned($0) } ?? "the bytes are broken or of an unknown kind"
                return MediaPlayerError(
                    code: .undecodable,
                    message: "mpv cannot play this track (\(type)): \(words); other bytes are needed."
                )
            }
            let words = reason ?? words.map { MPVWords.cleaned($0) } ?? "loading failed"
            return MediaPlayerError(
                code: .unreachable,
                message: "mpv cannot fetch this track (\(type)): \(words); check its address and the connection."
            )
        case nil: return MediaPlayerError(code: .undecodable, message: "mpv cannot play this track (\(type)).")
        }
    }
}
