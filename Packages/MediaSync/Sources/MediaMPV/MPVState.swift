package import Foundation
package import MediaSync
import TransportCore

/// What is wanted of mpv and what it has said, as a reducer: calls and messages go in, commands and snapshots come out.
///
/// mpv's events say which playlist entry they are about only at its start and its end, so everything in between counts
/// for a load only from its entry's start to that entry's end. Properties are told late and only when they have
/// changed, so a position counts only once a load or a seek has come to rest, and lengths are asked for anew.
package struct MPVState: Sendable {
    /// How far mpv has come with the present load.
    enum Stage: Equatable {
        /// mpv was not asked for it: there are no bytes yet.
        case unloaded
        /// There is no mpv at the moment; it is loaded once there is.
        case disconnected
        /// It was asked for; until mpv answers, all that it says is about something earlier.
        case asked
        /// mpv has given it a number, and has not begun with it.
        case queued
        /// mpv fetches its beginning.
        case opening
        /// mpv knows what it is.
        case opened
        /// It plays, or could.
        case running
        /// It stands still at a place from which mpv found nothing more to play, and so let go of it.
        case parked
        /// It came to its end.
        case ended
        /// It cannot be played.
        case failed
    }

    /// How far mpv has come with a seek.
    enum SeekStage: Equatable {
        /// It was asked for.
        case sent
        /// mpv has taken it in.
        case accepted
        /// mpv is on its way.
        case begun
    }

    /// A seek that has not arrived.
    struct Seek {
        var request: Int
        var goal: Double
        var stage = SeekStage.sent
    }

    /// Whether there is an mpv to talk to.
    package internal(set) var isConnected = false
    var commands: [JSONValue] = []
    var requestCount = 0
    var versionRequest: Int?
    var volume: Double?

    var load: PlayerLoad?
    var source: URL?
    var wantsPause = false
    var stage = Stage.unloaded
    var loadRequest: Int?
    var durationRequest: Int?
    var seekableRequest: Int?
    var pauseRequest: Int?
    /// The playlist entries that are this load's; several when its bytes are a list of addresses.
    var entries: ClosedRange<Int>?
    /// Where mpv was told to begin.
    var begin = 0.0
    /// Where it is going, until it has arrived.
    var target: Double?
    var seek: Seek?
    var hasRestarted = false
    /// The last position that can be relied on.
    var position: Double?
    /// What mpv last said, which may be where it wants to go.
    var toldPosition: Double?
    var duration: Double?
    var isSeekable: Bool?
    /// Whether it was ever ready since it was loaded.
    var hasBeenReady = false
    var failure: MPVFailure?

    var isPaused = false
    var isIdle = true
    var isStarved = false
    var isSeeking = false

    var last: PlayerSnapshot?
    /// What was said about the present load that may explain a failure.
    var reason: String?
    var wasUnrecognized = false
    /// Whether the bytes stopped too early and are not being asked for again.
    var hasBrokenOff = false

    /// The last line of mpv's log, if it wrote any.
    package internal(set) var lastWords: String?
    /// What mpv calls its version, once it has answered.
    package internal(set) var version: String?

    /// Makes the state before mpv is there, with nothing loaded.
    package init() {}
}

// MARK: What is wanted

extension MPVState {
    /// Replaces whatever is loaded.
    package mutating func load(_ load: PlayerLoad) {
        let mayHold = holdsSomething
        self.load = load
        wantsPause = load.isPaused
        hasBeenReady = false
        last = nil
        take(load.source, at: load.position)
        if stage == .unloaded, mayHold { send("stop") }
    }

    /// Gives the present load its bytes.
    package mutating func wire(_ source: URL, position: Double) {
        guard load != nil, stage != .failed else { return }
        take(source, at: position)
    }

    /// Plays on.
    package mutating func play() {
        guard load != nil else { return }
        wantsPause = false
        switch stage {
        case .asked, .queued, .opening, .opened, .running: sendPause()
        case .parked:
            if let position, let duration, position >= duration - Self.closeness {
                stage = .ended
            } else {
                open(at: position ?? begin)
            }
        case .unloaded, .disconnected, .ended, .failed: break
        }
    }

    /// Stands still.
    package mutating func pause() {
        guard load != nil else { return }
        wantsPause = true
        if holdsSomething { sendPause() }
    }

    /// Goes to a position.
    package mutating func seek(to position: Double) {
        guard load != nil, position.isFinite else { return }
        let goal = clamped(position)
        switch stage {
        case .unloaded, .disconnected, .asked, .queued, .opening: target = goal
        case .opened, .running: sendSeek(goal)
        case .parked, .ended: goOn(at: goal)
        case .failed: break
        }
    }

    /// Unloads.
    package mutating func stop() {
        if holdsSomething { send("stop") }
        load = nil
        source = nil
        stage = .unloaded
        last = nil
    }

    /// Sets the loudness, 0...1; anything else is clamped.
    package mutating func setVolume(_ wanted: Double) {
        volume = wanted.isNaN ? 0 : min(max(wanted, 0), 1)
        sendVolume()
    }

    /// Asks what a property is; the answer carries the number that is returned.
    package mutating func ask(_ property: String) -> Int {
        send("get_property", .string(property))
    }
}

// MARK: Coming and going

extension MPVState {
    /// Begins anew with an mpv that has just been started: what was loaded is loaded again where it was.
    package mutating func connect() {
        isConnected = true
        lastWords = nil
        versionRequest = send("get_property", "mpv-version")
        send("request_log_messages", "warn")
        for (index, property) in MPVProperty.allCases.enumerated() {
            send("observe_property", .integer(index + 1), .string(property.rawValue))
        }
        sendVolume()
        // What cannot be sought in is live, or begins anew.
        if stage == .disconnected { open(at: isSeekable == false ? 0 : target ?? begin) }
    }

    /// Notes that mpv is not there any more.
    package mutating func disconnect() {
        isConnected = false
        commands = []
        if holdsSomething {
            target = target.map { clamped($0) } ?? position ?? begin
            stage = .disconnected
        }
        seek = nil
        isPaused = false
        isIdle = true
        isStarved = false
        isSeeking = false
    }

    /// Notes that mpv is gone for good: a load that would still play has failed.
    package mutating func end(_ error: MediaPlayerError) {
        disconnect()
        guard load != nil, stage != .ended, stage != .failed else { return }
        stage = .failed
        failure = .playerGone(error)
    }
}

// MARK: Commands

extension MPVState {
    /// Closer than this, in seconds, a position counts as the other.
    static let closeness = 0.05

    /// Whether mpv holds the present load, or may come to.
    var holdsSomething: Bool {
        switch stage {
        case .asked, .queued, .opening, .opened, .running: true
        case .unloaded, .disconnected, .parked, .ended, .failed: false
        }
    }

    @discardableResult
    mutating func send(_ words: JSONValue...) -> Int {
        requestCount += 1
        if isConnected {
            commands.append(["command": .array(words), "request_id": .integer(requestCount)])
        }
        return requestCount
    }

    mutating func sendSeek(_ goal: Double) {
        guard isSeekable != false else { return }
        target = goal
        seek = Seek(request: send("seek", .number(goal), "absolute"), goal: goal)
    }

    /// Goes on after mpv has let go of the load.
    mutating func goOn(at goal: Double) {
        if let duration, goal >= duration - Self.closeness {
            // mpv would refuse to begin there.
            position = duration
            stage = wantsPause ? .parked : .ended
        } else {
            open(at: goal)
        }
    }

    func clamped(_ position: Double) -> Double {
        // Not by max, which lets -0.0 through.
        position > 0 ? min(position, duration ?? position) : 0
    }

    private mutating func take(_ source: URL?, at position: Double) {
        self.source = source
        duration = nil
        isSeekable = nil
        self.position = nil
        failure = nil
        begin = position.isFinite ? clamped(position) : 0
        target = nil
        seek = nil
        guard let source else {
            target = begin
            stage = .unloaded
            return
        }
        // Some of mpv's other schemes run programs or read what the address does not show.
        guard let scheme = source.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            if holdsSomething { send("stop") }
            stage = .failed
            failure = .address
            return
        }
        open(at: begin)
    }

    private mutating func open(at start: Double) {
        begin = start
        target = start
        seek = nil
        entries = nil
        toldPosition = nil
        hasRestarted = false
        reason = nil
        wasUnrecognized = false
        hasBrokenOff = false
        guard isConnected, let source else {
            stage = .disconnected
            return
        }
        // Whichever comes first decides that what is being replaced, or what replaces it, is not heard by mistake.
        if wantsPause { sendPause() }
        // The place of a start among the arguments of loadfile depends on mpv's version; the option does not.
        send("set_property", "start", start > 0 ? .string(Self.decimal(start)) : "none")
        loadRequest = send("loadfile", .string(source.isFileURL ? source.path : source.absoluteString), "replace")
        if !wantsPause { sendPause() }
        stage = .asked
    }

    private mutating func sendPause() {
        pauseRequest = send("set_property", "pause", .bool(wantsPause))
    }

    private mutating func sendVolume() {
        guard let volume else { return }
        send("set_property", "volume", .number(volume * 100))
    }

    /// A time with three decimals; mpv does not read exponents.
    private static func decimal(_ seconds: Double) -> String {
        let milliseconds = Int(min(seconds, 1e12) * 1000)
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
