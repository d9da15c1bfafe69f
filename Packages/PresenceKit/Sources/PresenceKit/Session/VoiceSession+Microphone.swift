import TransportCore

// The microphone: when it is on, how it is opened, and what the room is told of it.
extension VoiceSession {
    // MARK: What has a say

    /// Mutes or unmutes the person; it is remembered through text mode, interruptions and reconnecting.
    public func setMuted(_ isMuted: Bool) {
        recorder?.record(.action(name: "mute", value: .bool(isMuted)))
        changeMicrophone { policy in
            policy.isMuted = isMuted
            if !isMuted, policy.interruption == .overWithoutResuming { policy.interruption = .none }
        }
        changed()
    }

    /// Says that the system took the audio away, for a telephone call say: the person is muted until it is over.
    public func interruptionBegan() {
        recorder?.record(.action(name: "interruption", value: .bool(true)))
        changeMicrophone { $0.interruption = .active }
        changed()
    }

    /// Says that the interruption of the audio is over.
    ///
    /// - Parameter shouldResume: Whether the system advises to go on. If so everything is as before; if not, the person
    ///   stays muted until ``setMuted(_:)`` says otherwise.
    public func interruptionEnded(shouldResume: Bool) {
        guard microphone.interruption != .none else { return }
        recorder?.record(
            .action(name: "interruption", value: shouldResume ? .bool(false) : .text(Self.endWithoutResuming))
        )
        changeMicrophone { $0.interruption = shouldResume ? .none : .overWithoutResuming }
        changed()
    }

    /// How a recording says that an interruption is over and the person stays muted.
    static let endWithoutResuming = "ended_without_resuming"

    func setMicrophoneReady(_ isReady: Bool) {
        changeMicrophone { $0.isReady = isReady }
    }

    /// Changes what has a say, and lets the microphone follow.
    func changeMicrophone(_ change: (inout MicrophonePolicy) -> Void) {
        let wasOn = microphone.isOn
        change(&microphone)
        conversation.isMuted = microphone.isSilenced
        conversation.isTextMode = microphone.isTextMode
        guard microphone.isOn != wasOn else { return }
        if wasOn {
            setMicrophoneOn(false)
            setMicrophoneError(nil)
        } else {
            link?.microphoneWish += 1
        }
        link?.microphoneBell.ring()
    }

    // MARK: Opening and closing

    /// Opens the microphone whenever it should be on and closes it when not, until it is cancelled.
    func superviseMicrophone(_ id: Int) async {
        guard let bell = link?.microphoneBell else { return }
        while !Task.isCancelled {
            guard let wish = link?.microphoneWish, isWanted(id, wish) else {
                guard await bell.wait() else { return }
                continue
            }
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await self.openMicrophone(id, wish)
                    return false
                }
                group.addTask {
                    while await self.isWanted(id, wish), await bell.wait() {}
                    return true
                }
                // A microphone that failed or came to its end is not opened again before it was unwanted once.
                for await isUnwanted in group where isUnwanted { group.cancelAll() }
            }
        }
    }

    private func isWanted(_ id: Int, _ wish: Int) -> Bool {
        isCurrent(id) && microphone.isOn && link?.microphoneWish == wish
    }

    private func openMicrophone(_ id: Int, _ wish: Int) async {
        var tries = 0
        while isWanted(id, wish), !Task.isCancelled {
            tries += 1
            let openedAt = now
            do throws(MicrophoneError) {
                try await hear(id, wish)
                return
            } catch {
                guard isWanted(id, wish), !Task.isCancelled else { return }
                setMicrophoneOn(false)
                // One that has worked for a while is a new case.
                if now - openedAt > Self.steadyTime { tries = 1 }
                let isLast = !error.mayPassByItself || tries >= configuration.microphoneAttempts
                if isLast { setMicrophoneError(error) }
                changed()
                if isLast { return }
            }
            try? await clock.sleep(for: configuration.microphonePause)
        }
    }

    /// How long a microphone must have worked for a failure to count as the first of a new series.
    private static let steadyTime: Duration = .seconds(10)

    private enum HearingEvent: Sendable {
        case ended(AudioLevelSourceError?)
        case firstSampleIsDue
        case refused
        case cancelled
    }

    /// Opens the source and takes its levels until it ends, fails, or is not wanted any more; then it is closed.
    private func hear(_ id: Int, _ wish: Int) async throws(MicrophoneError) {
        var levels: AudioLevelStream?
        do throws(AudioLevelSourceError) {
            levels = try await audio?.start()
        } catch {
            throw .source(error)
        }
        var problem: MicrophoneError?
        if isWanted(id, wish), !Task.isCancelled {
            link?.hasHeardMicrophone = false
            link?.roomRefusal = nil
            setMicrophoneOn(true)
            changed()
            problem = await hear(levels, id, wish)
        }
        await audio?.stop()
        if let problem { throw problem }
    }

    /// Takes levels; without any, the room hears the person and says how loud.
    private func hear(_ levels: AudioLevelStream?, _ id: Int, _ wish: Int) async -> MicrophoneError? {
        let clock = clock
        let timeout = configuration.firstSampleTimeout
        return await withTaskGroup(of: HearingEvent.self) { group in
            if let levels {
                group.addTask { await self.take(levels, id, wish) }
                group.addTask { (try? await clock.sleep(for: timeout)) == nil ? .cancelled : .firstSampleIsDue }
            }
            group.addTask { await self.waitForRefusal() }
            for await event in group {
                switch event {
                case .ended(let error):
                    group.cancelAll()
                    if let error { return .source(error) }
                    if link?.hasHeardMicrophone == true || Task.isCancelled { return nil }
                    return .source(
                        AudioLevelSourceError(
                            .captureEnded,
                            thing: "The microphone",
                            reason: "ended before it gave any sound"
                        )
                    )
                case .firstSampleIsDue:
                    guard link?.hasHeardMicrophone == true else {
                        group.cancelAll()
                        return .silent(after: timeout)
                    }
                case .refused:
                    group.cancelAll()
                    return link?.roomRefusal.map { .room($0) }
                case .cancelled:
                    break
                }
            }
            return nil
        }
    }

    private func waitForRefusal() async -> HearingEvent {
        guard let bell = link?.refusalBell else { return .cancelled }
        while await bell.wait() {
            // A ring may be left over from a try before this one.
            if link?.roomRefusal != nil { return .refused }
        }
        return .cancelled
    }

    private func take(_ levels: AudioLevelStream, _ id: Int, _ wish: Int) async -> HearingEvent {
        do throws(AudioLevelSourceError) {
            for try await level in levels {
                guard isWanted(id, wish) else { break }
                link?.hasHeardMicrophone = true
                recorder?.record(.level(who: level.source.rawValue, level: level.level))
                hear(level.source, level.level)
                if level.source == .microphone { link?.levelToPublish = level.level }
                changed()
            }
            return .ended(nil)
        } catch {
            return .ended(error)
        }
    }

    // MARK: What the room is told

    /// Tells the room whether the microphone is open, and how loud it is, until it is cancelled.
    func tellMicrophone(to transport: any Transport, _ id: Int) async {
        guard let bell = link?.roomMicrophoneBell else { return }
        var told = false
        while await bell.wait() {
            guard isCurrent(id), !isReconnecting else { continue }
            let isOn = isMicrophoneOn
            if told != isOn || link?.mustRepeatMicrophone == true {
                link?.mustRepeatMicrophone = false
                do throws(TransportError) {
                    try await transport.setMicrophone(enabled: isOn)
                    told = isOn
                } catch {
                    guard isCurrent(id) else { return }
                    // While the connection is away the room cannot be told; it is when it is back.
                    link?.mustRepeatMicrophone = true
                    if isOn, isMicrophoneOn, error.code != .notConnected {
                        link?.roomRefusal = error
                        link?.refusalBell.ring()
                    }
                    continue
                }
                // It may have changed while the room was being told.
                if isMicrophoneOn != isOn { bell.ring() }
            }
            guard isCurrent(id), told, isMicrophoneOn, let level = link?.levelToPublish else { continue }
            link?.levelToPublish = nil
            // A level that is lost is followed by the next one.
            try? await transport.publishLevel(level)
        }
    }

    // MARK: State

    func setMicrophoneOn(_ isOn: Bool) {
        guard isMicrophoneOn != isOn else { return }
        isMicrophoneOn = isOn
        link?.levelToPublish = nil
        link?.roomMicrophoneBell.ring()
        emit(.microphone(isOn: isOn))
        if isOn { setMicrophoneError(nil) }
    }

    func setMicrophoneError(_ error: MicrophoneError?) {
        guard microphoneError != error else { return }
        microphoneError = error
        emit(.microphoneError(error))
    }
}
