internal import MediaSync
internal import TaskFeed
internal import TransportCore

/// What a player that follows is told and does, as lines: JSON for programs, words for people.
struct MediaTrace {
    private let form: ConversationLog.Form
    private let tracks: KnownTracks
    private var toldPhase: (load: Int, name: String)?

    init(_ form: ConversationLog.Form, tracks: KnownTracks) {
        self.form = form
        self.tracks = tracks
    }

    /// The line of an event; nil for what nobody needs to read.
    mutating func line(for event: MediaEvent) -> String? {
        switch form {
        case .json: event.json.text
        case .words: words(for: event.kind).map { storyLine(at: event.time, $0) }
        }
    }

    private mutating func words(for kind: MediaEvent.Kind) -> String? {
        switch kind {
        case .command(let command): "→ \(words(for: command))"
        case .report(let report):
            "← \(title(report.trackID)) \(report.hasEnded ? "ended" : report.isPlaying ? "plays" : "is silent")"
                + " at \(MediaTime.text(report.position))"
        case .player(let snapshot): words(for: snapshot)
        case .error(let message): "! \(TerminalText.singleLine(message))"
        case .published: nil
        }
    }

    private func words(for command: PlayerCommand) -> String {
        switch command {
        case .load(let load, _, _):
            "load \(title(load.trackID)) at \(MediaTime.text(load.position))\(load.isPaused ? ", paused" : "")"
        case .wire(_, let position): "open it at \(MediaTime.text(position))"
        case .play: "play"
        case .pause: "pause"
        case .seek(let position, _): "go to \(MediaTime.text(position))"
        case .stop: "stop"
        case .reject(let track): "cannot play \(title(track.trackID))"
        }
    }

    /// Only what changes: a position comes every second.
    private mutating func words(for snapshot: PlayerSnapshot) -> String? {
        let name = snapshot.phase.name
        guard toldPhase.map({ $0.load != snapshot.load || $0.name != name }) ?? true else { return nil }
        toldPhase = (snapshot.load, name)
        guard let position = snapshot.position else { return "  \(name)" }
        return "  \(name) at \(MediaTime.text(position.seconds))"
    }

    private func title(_ id: String) -> String {
        "“\(TerminalText.singleLine(tracks[id]?.title ?? id))”"
    }
}
