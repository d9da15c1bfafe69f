public import TransportCore

/// Something that a controller did or heard, in the order in which it happened.
public struct MediaEvent: Hashable, Sendable {
    /// What can happen.
    public enum Kind: Hashable, Sendable {
        /// The player was told something.
        case command(PlayerCommand)
        /// The server was told what the player does.
        case report(PlaybackReport)
        /// The player does something else now, or goes on with it.
        case player(PlayerSnapshot)
        /// Something went wrong; a sentence for people.
        case error(String)
        /// The room was told what is playing.
        case published(MediaStateMessage)
    }

    /// When, since the session's start.
    public let time: Duration
    /// What happened.
    public let kind: Kind

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - time: When, since the session's start.
    ///   - kind: What happened.
    public init(time: Duration, kind: Kind) {
        self.time = time
        self.kind = kind
    }

    /// The event as one line of JSON; addresses are left out, since they may carry credentials.
    public var json: JSONValue {
        let t = JSONValue.number(Self.rounded(time.inSeconds))
        return switch kind {
        case .command(let command): ["t": t, "command": command.json]
        case .report(let report): ["t": t, "report": report.json]
        case .player(let snapshot): ["t": t, "player": snapshot.json]
        case .error(let message): ["t": t, "error": .string(message)]
        case .published(let message): ["t": t, "published": message.json]
        }
    }

    /// Rounds seconds to thousandths, so that sums of fractions print as people expect.
    static func rounded(_ seconds: Double) -> Double {
        let rounded = (seconds * 1000).rounded() / 1000
        return rounded.isFinite ? rounded : seconds
    }
}

extension PlayerCommand {
    fileprivate var json: JSONValue {
        func number(_ seconds: Double) -> JSONValue { .number(MediaEvent.rounded(seconds)) }
        return switch self {
        case .load(let load, _, _):
            [
                "name": "load", "track_id": .string(load.trackID), "position": number(load.position),
                "paused": .bool(load.isPaused), "load": .integer(load.number),
            ]
        case .wire(_, let position): ["name": "wire", "position": number(position)]
        case .play: ["name": "play"]
        case .pause: ["name": "pause"]
        case .seek(let position, _): ["name": "seek", "position": number(position)]
        case .stop: ["name": "stop"]
        case .reject(let track):
            [
                "name": "reject", "track_id": .string(track.trackID), "mime": .string(track.mimeType),
                "reason": .string(track.reason),
            ]
        }
    }
}

extension PlayerSnapshot {
    fileprivate var json: JSONValue {
        [
            "position": .number(position.map { MediaEvent.rounded($0.seconds) }), "state": .string(phase.name),
            "load": .integer(load), "duration": .number(duration.map(MediaEvent.rounded)),
        ]
    }
}

extension PlayerSnapshot.Phase {
    /// The phase as it stands in JSON.
    public var name: String {
        switch self {
        case .loading: "loading"
        case .paused: "paused"
        case .playing: "playing"
        case .buffering: "buffering"
        case .ended: "ended"
        case .failed: "failed"
        }
    }
}
