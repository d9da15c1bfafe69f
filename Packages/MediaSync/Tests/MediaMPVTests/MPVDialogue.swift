import Foundation
import MediaMPV
import MediaSync
import TransportCore

/// A state that is told what mpv wrote, and what came of it.
struct MPVDialogue {
    var state = MPVState()
    /// The time since the session's start, moved by a quarter of a second with each call and each piece of text.
    private(set) var now: Duration = .zero
    private(set) var snapshots: [PlayerSnapshot] = []
    private(set) var commands: [String] = []

    /// Connects, and lets mpv answer as it did.
    init() {
        act { $0.connect() }
        hear(RecordedMPV.greeting)
    }

    var last: PlayerSnapshot? { snapshots.last }
    var phases: [PlayerSnapshot.Phase] {
        snapshots.map(\.phase).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
    var failure: MediaPlayerError? {
        if case .failed(let error) = last?.phase { error } else { nil }
    }

    /// Calls the state, and notes what it sends and says.
    mutating func act(_ call: (inout MPVState) -> Void) {
        now += .milliseconds(250)
        call(&state)
        note()
    }

    /// Lets mpv write lines, taken in at once or each for itself.
    mutating func hear(_ text: String, lineByLine: Bool = false) {
        now += .milliseconds(250)
        var lines = MPVLines()
        for line in lines.append(Array((text + "\n").utf8)) {
            guard let message = MPVMessage(line) else { continue }
            state.receive(message)
            if lineByLine { note() }
        }
        note()
    }

    /// Loads a track.
    mutating func load(
        _ number: Int = 1,
        _ source: String? = "http://h/a",
        at position: Double = 0,
        paused: Bool = false,
        type: String? = nil
    ) {
        let load = PlayerLoad(
            number: number,
            trackID: "t",
            source: source.flatMap { URL(string: $0) },
            mimeType: type,
            position: position,
            isPaused: paused
        )
        act { $0.load(load) }
    }

    /// Forgets what was sent and said so far.
    mutating func forget() {
        snapshots = []
        commands = []
    }

    private mutating func note() {
        let output = state.takeOutput(now: now)
        commands += output.commands.compactMap { $0["command"]?.text }
        if let snapshot = output.snapshot { snapshots.append(snapshot) }
    }
}
