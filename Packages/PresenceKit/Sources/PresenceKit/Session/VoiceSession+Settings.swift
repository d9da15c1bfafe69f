import TransportCore

// What the person has chosen, stored, and what follows from a change of it.
extension VoiceSession {
    /// Types instead of speaking, or the other way round; stored, and the microphone follows at once.
    public func setTextMode(_ isOn: Bool) {
        changeSettings { $0.isTextMode = isOn }
    }

    /// Chooses the agent's voice; stored, and told to the agent at once when it is there.
    ///
    /// - Parameter id: A voice of ``VoiceCatalog``; any other one stands for the default voice.
    public func selectVoice(_ id: String) {
        changeSettings { $0.voiceID = VoiceCatalog.voice(id: id)?.id ?? VoiceCatalog.defaultVoice.id }
    }

    /// Chooses the model; stored, and told to the agent at once when it is there.
    ///
    /// - Parameter id: A model of the agent's list, or `nil` for the agent's own choice.
    public func selectModel(_ id: String?) {
        changeSettings { $0.modelID = id }
    }

    /// Sets the server's address; it is stored as typed, and takes effect when the next conversation begins.
    ///
    /// - Parameter address: As the person typed it; one that cannot be used is kept and shown with its reason, and no
    ///   conversation can be begun with it. `nil` or blank for none.
    public func setServerURL(_ address: String?) {
        changeSettings { settings in
            settings.serverURL = address.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        }
    }

    /// Changes any of the settings at once, stores them, and does what follows from the change.
    ///
    /// - Parameter change: Changes the settings it is given.
    public func changeSettings(_ change: @Sendable (inout Settings) -> Void) {
        let old = settings
        var new = old
        change(&new)
        guard new != old else { return }
        settings = new
        store { () throws(PresenceStorageError) in try settingsStorage.save(new) }
        emit(.settings)
        record(from: old, to: new)

        if new.serverURL != old.serverURL { serverAddressChanged() }
        if new.isTextMode != old.isTextMode {
            changeMicrophone { $0.isTextMode = new.isTextMode }
            if state == .ready { tell(.setMode(new.mode)) }
        }
        if state == .ready {
            if new.voice.id != old.voice.id { tell(.setVoice(new.voice.id)) }
            if new.modelID != old.modelID { tellModel() }
        }
        changed()
    }

    /// Removes every row of the transcript, and what is stored of it.
    public func clearTranscript() {
        apply(transcript.clear())
        store { () throws(PresenceStorageError) in try transcriptStorage?.clear() }
        changed()
    }

    /// Writes something down; what went wrong is told to the person and changes nothing else.
    func store(_ write: () throws(PresenceStorageError) -> Void) {
        do throws(PresenceStorageError) {
            try write()
        } catch {
            notice(error.description)
        }
    }

    private func record(from old: Settings, to new: Settings) {
        guard let recorder, state.isActive else { return }
        if new.isTextMode != old.isTextMode {
            recorder.record(.action(name: "text_mode", value: .bool(new.isTextMode)))
        }
        if new.voice.id != old.voice.id { recorder.record(.action(name: "voice", value: .text(new.voice.id))) }
        if new.modelID != old.modelID { recorder.record(.action(name: "model", value: new.modelID.map { .text($0) })) }
    }

    private func serverAddressChanged() {
        (serverConfig, serverProblem) = Self.read(settings.serverURL)
        // What failed, failed on the other server.
        if case .failed = state { forgetFailure() }
    }

    /// Reads the server's address that is set: the configuration, or why it cannot be used; neither where none is set.
    static func read(_ address: String?) -> (ServerConfig?, ServerConfigError?) {
        guard let address else { return (nil, nil) }
        do throws(ServerConfigError) {
            return (try ServerConfig(address), nil)
        } catch {
            return (nil, error)
        }
    }

    private func notice(_ text: String) {
        guard !notices.contains(text) else { return }
        notices.append(text)
        emit(.notice(text))
    }
}
