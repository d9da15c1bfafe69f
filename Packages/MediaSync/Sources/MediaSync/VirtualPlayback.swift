import TransportCore

/// One load in a virtual player: what happens to it as time passes, without a clock.
struct VirtualPlayback {
    /// How often a position is told while it moves.
    private static let tick: Duration = .milliseconds(250)
    /// How long a seek takes at least that has to wait for the load.
    private static let lateSeekDelay: Duration = .milliseconds(50)
    /// Closer than this, a position has been reached, since times are sums of fractions.
    private static let closeness = 1e-6

    let load: PlayerLoad
    /// What was said since it was last taken.
    var said: [PlayerSnapshot] = []

    private var script: VirtualTrack?
    private var isLoaded = false
    private var isPaused: Bool
    private var hasEnded = false
    private var failure: MediaPlayerError?
    private var now: Duration
    /// Seconds from the beginning at `now`; before the bytes are there, where to begin.
    private var position: Double
    private var loadedAt: Duration?
    /// Until when it seeks or starves.
    private var busyUntil: Duration?
    private var positionKnownAt: Duration?
    private var nextTick: Duration = .zero
    private var starvedAt: Double?

    init(_ load: PlayerLoad, script: VirtualTrack?, now: Duration) {
        self.load = load
        self.now = now
        isPaused = load.isPaused
        position = load.position
        if let script { begin(script) }
        say()
    }

    var phase: PlayerSnapshot.Phase {
        if let failure { return .failed(failure) }
        if !isLoaded { return .loading }
        if hasEnded { return .ended }
        if isPaused { return .paused }
        return busyUntil == nil ? .playing : .buffering
    }

    /// When something happens by itself next, or nil when nothing does.
    var nextEvent: Duration? {
        guard failure == nil else { return nil }
        var times = [isLoaded ? nil : loadedAt, busyUntil, positionKnownAt]
        if phase == .playing {
            times.append(nextTick)
            times.append(nextPlace.map { now + .seconds(max(0, $0 - position)) })
        }
        return times.compactMap(\.self).min()
    }

    /// Lets time pass.
    mutating func advance(to time: Duration) {
        while let due = nextEvent, due <= time {
            move(to: due)
            happen()
        }
        move(to: time)
    }

    mutating func wire(_ script: VirtualTrack, position: Double) {
        guard failure == nil else { return }
        self.position = position.isFinite ? position : self.position
        begin(script)
        say()
    }

    mutating func setPaused(_ new: Bool) {
        guard failure == nil, new != isPaused else { return }
        isPaused = new
        guard isLoaded, !hasEnded else { return }
        if !new { start(busyFor: .zero) }
        settle()
    }

    mutating func seek(to target: Double) {
        guard failure == nil, target.isFinite else { return }
        guard isLoaded else {
            position = max(0, target)
            return
        }
        guard let duration = script?.duration else { return }
        position = min(max(0, target), duration)
        hasEnded = false
        starvedAt = nil
        busyUntil = nil
        start(busyFor: script?.seekDelay ?? .zero)
        settle()
    }

    private mutating func begin(_ script: VirtualTrack) {
        self.script = script
        isLoaded = false
        hasEnded = false
        busyUntil = nil
        positionKnownAt = nil
        starvedAt = nil
        loadedAt = now + script.loadDelay
    }

    private mutating func start(busyFor delay: Duration) {
        let until = now + delay
        if delay > .zero { busyUntil = max(busyUntil ?? until, until) }
        let known = script?.positionDelay ?? .zero
        positionKnownAt = known > .zero ? now + known : nil
        nextTick = now + Self.tick
    }

    private mutating func move(to time: Duration) {
        guard time > now else { return }
        if phase == .playing { position += (time - now).inSeconds }
        now = time
    }

    private mutating func happen() {
        if !isLoaded, let loadedAt, loadedAt <= now { return finishLoading() }
        if let busyUntil, busyUntil <= now {
            self.busyUntil = nil
            if script?.fault == .empty { return fail(.undecodable, "has no sound in it; it is empty or broken.") }
            nextTick = now + Self.tick
            settle()
        }
        if let positionKnownAt, positionKnownAt <= now {
            self.positionKnownAt = nil
            say()
        }
        guard phase == .playing else { return }
        if let place = nextPlace, position >= place - Self.closeness { return arrive(at: place) }
        if nextTick <= now {
            nextTick = now + Self.tick
            say()
        }
    }

    private mutating func finishLoading() {
        loadedAt = nil
        switch script?.fault {
        case .unreachable: return fail(.unreachable, "cannot be fetched; check the address and the connection.")
        case .undecodable: return fail(.undecodable, "is not of a kind that can be played; other bytes are needed.")
        case .empty:
            isLoaded = true
            start(busyFor: max(Self.lateSeekDelay, script?.seekDelay ?? .zero))
        case .breaksOff, nil:
            isLoaded = true
            if let duration = script?.duration {
                position = min(max(0, position), duration)
            } else {
                position = 0
            }
            let seeks = script?.refusesEarlySeek == true && position > 0
            start(busyFor: seeks ? max(Self.lateSeekDelay, script?.seekDelay ?? .zero) : .zero)
            if seeks, let busyUntil { positionKnownAt = max(positionKnownAt ?? busyUntil, busyUntil) }
        }
        settle()
    }

    /// Says how things stand, unless what comes next is here already: nothing would be heard before it.
    private mutating func settle() {
        if phase == .playing, let place = nextPlace, position >= place - Self.closeness {
            arrive(at: place)
        } else {
            say()
        }
    }

    /// The next position at which something happens while playing.
    private var nextPlace: Double? {
        var places = [script?.duration]
        if case .breaksOff(let place) = script?.fault { places.append(place) }
        for starvation in script?.starvations ?? [] {
            let isAhead = starvation.position >= position - Self.closeness && starvation.position != starvedAt
            if isAhead { places.append(starvation.position) }
        }
        return places.compactMap(\.self).min()
    }

    private mutating func arrive(at place: Double) {
        position = place
        if case .breaksOff(let end) = script?.fault, place >= end {
            return fail(.unreachable, "breaks off in the middle; try it again.")
        }
        if let starvation = script?.starvations.first(where: { $0.position == place && place != starvedAt }) {
            starvedAt = place
            busyUntil = now + max(starvation.length, .nanoseconds(1))
        } else {
            hasEnded = true
            positionKnownAt = nil
        }
        say()
    }

    private mutating func fail(_ code: MediaPlayerError.Code, _ reason: String) {
        failure = MediaPlayerError(code: code, message: "“\(MediaAPIError.shown(load.trackID))” \(reason)")
        busyUntil = nil
        say()
    }

    private mutating func say() {
        let isKnown = isLoaded && positionKnownAt == nil && failure == nil
        said.append(
            PlayerSnapshot(
                load: load.number,
                phase: phase,
                position: isKnown
                    ? PlaybackPosition(seconds: position, time: now, isAdvancing: phase == .playing) : nil,
                duration: isLoaded ? script?.reportedDuration : nil
            )
        )
    }
}
