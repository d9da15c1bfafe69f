import TransportCore

extension MPVState {
    /// Takes in what mpv says.
    package mutating func receive(_ message: MPVMessage) {
        switch message {
        case .success(let request, let value): succeeded(request, value)
        case .refusal(let request, let words): refused(request, words)
        case .startFile(let entry): started(entry)
        case .endFile(let end): ended(end)
        case .fileLoaded: opened()
        case .seek: if seek?.stage == .accepted { seek?.stage = .begun }
        case .playbackRestart: restarted()
        case .property(let property, let value): changed(property, value)
        case .log(let prefix, let text): log(prefix, text)
        case .other: break
        }
    }

    // MARK: Answers

    private mutating func succeeded(_ request: Int, _ value: MPVValue?) {
        switch request {
        case versionRequest: if case .text(let text) = value { version = MPVWords.cleaned(text) }
        case loadRequest:
            guard stage == .asked else { return }
            if case .entry(let entry) = value { entries = entry...entry }
            stage = .queued
        case seek?.request: seek?.stage = .accepted
        case pauseRequest: pauseRequest = nil
        case durationRequest: if case .number(let seconds) = value { setDuration(seconds) }
        case seekableRequest: setSeekable(value == .flag(true))
        default: break
        }
    }

    private mutating func refused(_ request: Int, _ words: String) {
        switch request {
        case versionRequest: version = "mpv"
        case loadRequest:
            guard stage == .asked else { return }
            fail(words)
        case seek?.request:
            guard let goal = seek?.goal else { return }
            seek = nil
            switch stage {
            // The end had come before the seek did.
            case .ended, .parked: goOn(at: goal)
            case .opened: target = begin
            case .running: target = nil
            default: break
            }
        case pauseRequest: pauseRequest = nil
        case seekableRequest: setSeekable(false)
        default: break
        }
    }

    // MARK: Events

    private mutating func started(_ entry: Int) {
        guard stage == .queued, entries?.contains(entry) ?? true else { return }
        entries = entries ?? entry...entry
        stage = .opening
        hasRestarted = false
        toldPosition = nil
        isSeekable = nil
    }

    private mutating func opened() {
        guard stage == .opening else { return }
        stage = .opened
        // A property that happens to be the same as the last load's is not told again.
        durationRequest = send("get_property", .string(MPVProperty.duration.rawValue))
        seekableRequest = send("get_property", .string(MPVProperty.isSeekable.rawValue))
        if let target, target != begin { sendSeek(target) }
    }

    private mutating func restarted() {
        guard stage == .opened || stage == .running else { return }
        hasRestarted = true
        if seek?.stage == .begun { arrive() }
        runIfReady()
    }

    /// A start or a seek means nothing where there is no seeking, so that has to be known.
    private mutating func runIfReady() {
        guard stage == .opened, hasRestarted, isSeekable != nil else { return }
        stage = .running
        if seek == nil { arrive() }
    }

    private mutating func arrive() {
        // mpv may have told the position before it was reached, or not yet; it will tell it again when it moves.
        position = isSeekable == false ? toldPosition : target.map { clamped($0) } ?? position
        target = nil
        seek = nil
    }

    private mutating func setSeekable(_ isSeekable: Bool) {
        guard stage == .opened || stage == .running else { return }
        self.isSeekable = isSeekable
        if !isSeekable {
            seek = nil
            if stage == .running { arrive() }
        }
        runIfReady()
    }

    private mutating func setDuration(_ seconds: Double) {
        guard stage == .opened || stage == .running, seconds.isFinite, seconds > 0 else { return }
        duration = seconds
    }

    private mutating func changed(_ property: MPVProperty, _ value: MPVValue?) {
        switch (property, value) {
        case (.isPaused, .flag(let new)):
            isPaused = new
            // Nobody here asked for it: the system's media keys can do that too.
            if pauseRequest == nil, stage == .running { wantsPause = new }
        case (.isIdle, .flag(let new)): isIdle = new
        case (.isStarved, _): isStarved = value == .flag(true)
        case (.isSeeking, _): isSeeking = value == .flag(true)
        case (.isSeekable, .flag(let new)): if isSeekable != nil { setSeekable(new) }
        case (.duration, .number(let seconds)): setDuration(seconds)
        case (.position, .number(let seconds)):
            guard stage == .opened || stage == .running, seconds.isFinite else { return }
            // Also takes the sign of -0.0 away.
            let told = seconds > 0 ? seconds : 0
            toldPosition = told
            if stage == .running, target == nil { position = told }
        default: break
        }
    }

    // MARK: The end

    private mutating func ended(_ end: MPVEnd) {
        guard stage != .asked, holdsSomething, let entries, entries.contains(end.entry) else { return }
        let isLast = end.entry == entries.upperBound
        switch end.reason {
        case .redirect:
            self.entries = end.replacements ?? entries
            stage = .queued
        case .quit:
            break
        case .error:
            if let duration, let target, target >= duration - 0.5 {
                // Beyond the end there is nothing to play, which mpv calls an error.
                finish(keepsPlace: wantsPause)
            } else if isLast {
                fail(end.error)
            } else {
                stage = .queued
            }
        case .endOfFile, .unknown:
            // A length that is announced too great ends the same way, but where the end is.
            if hasBrokenOff, duration.map({ (position ?? begin) < $0 - 2 }) ?? true {
                stop(because: .brokenOff)
            } else {
                finish(keepsPlace: wantsPause)
            }
            if !isLast { send("stop") }
        case .stopped:
            // Not by a command of ours, after which the entry would not be the present one.
            wantsPause = true
            finish(keepsPlace: true)
        }
    }

    private mutating func finish(keepsPlace: Bool) {
        let isUnderWay = seek?.stage != .sent
        var place = (isUnderWay ? target.map { clamped($0) } : nil) ?? position ?? begin
        if !keepsPlace, let duration, abs(duration - place) < 1 {
            // mpv tells positions a few times a second, and never the last.
            place = max(place, duration)
        }
        position = place
        target = nil
        if isUnderWay { seek = nil }
        stage = keepsPlace ? .parked : .ended
    }

    private mutating func fail(_ words: String?) {
        stop(because: .playing(words: words, wasOpened: stage == .opened || stage == .running))
    }

    private mutating func stop(because failure: MPVFailure) {
        stage = .failed
        target = nil
        seek = nil
        self.failure = failure
    }

    private mutating func log(_ prefix: String, _ text: String) {
        let words = MPVWords.cleaned(text)
        guard !words.isEmpty else { return }
        lastWords = words
        if words.hasPrefix("Failed to recognize") { wasUnrecognized = true }
        if prefix == "ffmpeg" {
            // These two follow each other until mpv gives up, or has the rest.
            if words.contains("ends prematurely") { hasBrokenOff = true }
            if words.contains("Will reconnect") { hasBrokenOff = false }
        }
        if ["ffmpeg", "file"].contains(prefix), stage != .asked { reason = reason ?? words }
    }
}
