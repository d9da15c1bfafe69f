extension MediaController {
    /// Whether something was playing when the conversation began that is on; false while none is.
    public var wasPlayingBeforeTalk: Bool { talk?.wasPlaying ?? false }

    /// Begins a conversation: what plays is paused and carried into its room, where it waits for someone to start it.
    ///
    /// Returns when the server has answered. A conversation that is on ends first.
    ///
    /// - Parameter room: The conversation's room, which is followed from now on.
    public func beginTalk(in room: String) async {
        if talk != nil { await endTalk() }
        let item = local.item
        let isStarted = item.map { $0.isStarted && !$0.waitsForStart } ?? false
        let wasPlaying = isStarted || resumesAfterInterruption
        resumesAfterInterruption = false
        talk = Talk(
            trackID: item?.trackID,
            isOfDefault: !playbackScope.isSession,
            position: item?.position.seconds(at: now) ?? 0,
            wasPlaying: wasPlaying,
            resumes: wasPlaying
        )
        if item?.isStarted == true { carryOut(.pause) }
        local.waitForStart()
        enter(room)
        changed()
        guard let item, !item.hasEnded else { return }
        let position = track?.kind == .stream ? nil : MediaEvent.rounded(item.position.seconds(at: now))
        // Until the server is seen to know that it waits.
        local.setHold(.talk, true)
        await act { api, room async throws(MediaAPIError) in
            try await api.play(.track(id: item.trackID), room: room, at: position, startsPaused: true)
        }
    }

    /// Ends the conversation: what played before it goes on, unless the user has paused it meanwhile.
    ///
    /// Returns when the server has answered; does nothing while no conversation is on.
    public func endTalk() async {
        guard let talk else { return }
        self.talk = nil
        enter(nil)
        needsState = true
        local.setHold(.talk, false)
        // What came out of a room that has ended is not known here: the server's wish decides alone.
        guard let trackID = talk.trackID, talk.isOfDefault else { return changed() }
        let isHere = local.item?.trackID == trackID
        if isHere { playbackScope = scope }
        guard talk.wasPlaying || talk.resumes else { return changed() }
        guard talk.resumes else {
            owedPause = .talk
            local.setHold(.talk, true)
            changed()
            return await settleOwedPause()
        }
        if !isHere {
            local.resume(trackID, at: talk.position)
        } else if isInterrupted {
            resumesAfterInterruption = true
        } else if local.item?.isPaused == true, local.item?.hasEnded == false {
            carryOut(.play)
        }
        changed()
        await act { api, room async throws(MediaAPIError) in try await api.control(.play, room: room) }
    }

    /// The system has taken the sound away: what plays is paused.
    public func interruptionBegan() {
        guard !isInterrupted else { return }
        isInterrupted = true
        local.setHold(.interruption, true)
        guard let item = local.item, item.isStarted else { return changed() }
        resumesAfterInterruption = !item.waitsForStart
        carryOut(.pause)
        changed()
    }

    /// The system gives the sound back.
    ///
    /// - Parameter shouldResume: Whether what the interruption paused goes on; if not, the server is told to pause, so
    ///   that only a later wish of its starts it again.
    public func interruptionEnded(shouldResume: Bool) async {
        guard isInterrupted else { return }
        isInterrupted = false
        let resumes = resumesAfterInterruption
        resumesAfterInterruption = false
        let desired = server?.state.desired
        guard shouldResume || !(resumes || desired == .playing) else {
            owedPause = .interruption
            changed()
            return await settleOwedPause()
        }
        local.setHold(.interruption, false)
        let isWanted = desired == nil || desired == .playing
        if resumes, isWanted, local.holds.isEmpty, let item = local.item, item.isPaused, !item.hasEnded {
            carryOut(.play)
        }
        reconcileNow()
        changed()
    }

    /// Tells the server to pause what this side has paused; until it knows, nothing is started here.
    func settleOwedPause() async {
        guard let hold = owedPause, !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        let isTold = await act { api, room async throws(MediaAPIError) in try await api.control(.pause, room: room) }
        guard isTold, owedPause == hold else { return }
        forgiveOwedPause()
        changed()
    }

    /// Lets go of a pause that is not owed any more.
    func forgiveOwedPause() {
        guard let hold = owedPause else { return }
        owedPause = nil
        if hold != .interruption || !isInterrupted { local.setHold(hold, false) }
    }
}
