import Foundation
import TransportCore

extension MediaController {
    // MARK: What the user does to the player

    /// Plays what is paused, and pauses what plays; returns when the server has answered.
    public func togglePlayPause() async {
        if local.item?.isStarted == true || resumesAfterInterruption { await pause() } else { await play() }
    }

    /// Plays on, from the beginning after the end; returns when the server has answered.
    public func play() async {
        forgiveOwedPause()
        local.setHold(.talk, false)
        if let item = local.item {
            if talk?.trackID == item.trackID { talk?.resumes = true }
            if isInterrupted { resumesAfterInterruption = true }
            if item.hasEnded { carryOut(.seek(to: 0, hint: nil)) }
            if item.isPaused, local.holds.isEmpty { carryOut(.play) }
        }
        changed()
        await act { api, room async throws(MediaAPIError) in try await api.control(.play, room: room) }
    }

    /// Pauses; returns when the server has answered.
    public func pause() async {
        talk?.resumes = false
        resumesAfterInterruption = false
        if local.item?.isStarted == true { carryOut(.pause) }
        changed()
        await act { api, room async throws(MediaAPIError) in try await api.control(.pause, room: room) }
    }

    /// Stops and unloads; returns when the server has answered.
    public func stop() async {
        talk?.resumes = false
        resumesAfterInterruption = false
        if local.item != nil { carryOut(.stop) }
        changed()
        await act { api, room async throws(MediaAPIError) in try await api.control(.stop, room: room) }
    }

    /// Goes to a position, playing or paused as before; does nothing without a file.
    ///
    /// Returns when the server has answered.
    ///
    /// - Parameter position: Seconds from the beginning, clamped to what there is.
    public func seek(to position: Double) async {
        guard let item = local.item, track?.kind != .stream, position.isFinite else { return }
        let end = [track?.duration, item.duration].compactMap(\.self).first { $0.isFinite && $0 > 0 }
        let target = max(0, min(position, end ?? position))
        carryOut(.seek(to: target, hint: nil))
        changed()
        await act { api, room async throws(MediaAPIError) in try await api.control(.seek(to: target), room: room) }
    }

    /// Goes forward or back from where it is, by ten seconds for the buttons of the panel.
    ///
    /// - Parameter seconds: How far; negative goes back.
    public func skip(by seconds: Double) async {
        guard let item = local.item else { return }
        await seek(to: item.position.seconds(at: now) + seconds)
    }

    /// Sets the loudness here and on the server; returns when the server has answered.
    ///
    /// - Parameter volume: 0...1; anything else is clamped.
    public func setVolume(_ volume: Double) async {
        guard !volume.isNaN else { return }
        setLoudness(volume)
        changed()
        let sent = self.volume
        await act { api, room async throws(MediaAPIError) in try await api.control(.volume(sent), room: room) }
    }

    /// Asks the server to play something; returns when it has answered.
    ///
    /// - Parameter wish: A track of the library, a search result, or words.
    public func play(_ wish: MediaWish) async {
        forgiveOwedPause()
        local.setHold(.talk, false)
        changed()
        await act { api, room async throws(MediaAPIError) in try await api.play(wish, room: room) }
    }

    /// Sends what the user did to the present room, after what was done before, and follows the answer.
    ///
    /// - Returns: Whether the server has taken it in.
    @discardableResult
    func act(
        _ send: (MediaAPI, _ room: String) async throws(MediaAPIError) -> MediaState
    ) async -> Bool {
        let action = local.beginAction()
        let (place, turn) = (scope, turn)
        await withCheckedContinuation { turn.take($0) }
        defer { turn.pass() }
        // The room may have ended while others had their turn.
        guard place.number == scope.number, !isClosing else { return false }
        do throws(MediaAPIError) {
            let start = now
            let state = try await send(api, place.room)
            guard place.number == scope.number else { return true }
            // A server asks every player to go where this one has gone by itself.
            if let hint = state.seekHint, let item = local.item, item.trackID == state.track?.id,
                abs(hint.position - item.position.seconds(at: now)) < 1 + (now - start).inSeconds
            {
                local.fulfil(hint)
            }
            actionError = nil
            if let generation = local.confirm(action) { take(state, generation: generation) }
            changed()
            return true
        } catch {
            _ = local.confirm(action)
            if place.number == scope.number, error.code != .cancelled { fail(error.message) }
            return false
        }
    }

    // MARK: The panel

    /// The panel is shown: the state is asked for and the library read; returns when that is done.
    public func openPanel() async {
        isPanelOpen = true
        pollBell.ring()
        await refreshLibrary()
    }

    /// The panel is not shown any more.
    public func closePanel() {
        isPanelOpen = false
    }

    /// Forgets what went wrong last.
    public func dismissError() {
        actionError = nil
        connectionError = nil
        changed()
    }

    /// Reads the library again.
    public func refreshLibrary() async {
        libraryNumber += 1
        let number = libraryNumber
        isRefreshing = true
        changed()
        let answer = await Result { () async throws(MediaAPIError) in try await api.library() }
        guard number == libraryNumber else { return }
        isRefreshing = false
        switch answer {
        case .success(let tracks):
            library = tracks
            changed()
        case .failure(let error): tell(error)
        }
    }

    /// Searches; only what the newest search finds is shown.
    ///
    /// - Parameter query: The words; blank ones clear the results.
    public func search(_ query: String) async {
        searchNumber += 1
        let number = searchNumber
        let words = query.trimmingCharacters(in: .whitespacesAndNewlines)
        isSearching = !words.isEmpty
        if words.isEmpty { results = nil }
        changed()
        guard !words.isEmpty else { return }
        let answer = await Result { () async throws(MediaAPIError) in try await api.search(words) }
        guard number == searchNumber else { return }
        isSearching = false
        switch answer {
        case .success(let found):
            results = found
            actionError = nil
            changed()
        case .failure(let error): tell(error)
        }
    }

    /// Removes a track from the library, which is read again afterwards.
    ///
    /// - Parameter trackID: The track.
    public func remove(trackID: String) async {
        await change { () async throws(MediaAPIError) in try await api.remove(trackID: trackID) }
        await refreshLibrary()
    }

    /// Adds a live stream to the library, which is read again afterwards.
    ///
    /// - Parameters:
    ///   - name: The title; one that is blank becomes the address's host.
    ///   - url: The address as somebody typed it.
    /// - Returns: Whether it was added, so that what was typed can be cleared.
    @discardableResult
    public func addStream(name: String, url: String) async -> Bool {
        let isAdded = await change { () async throws(MediaAPIError) in _ = try await api.addStream(name: name, url: url)
        }
        if isAdded { await refreshLibrary() }
        return isAdded
    }

    @discardableResult
    private func change(_ call: () async throws(MediaAPIError) -> Void) async -> Bool {
        do throws(MediaAPIError) {
            try await call()
            actionError = nil
            changed()
            return true
        } catch {
            tell(error)
            return false
        }
    }

    private func tell(_ error: MediaAPIError) {
        if error.code == .cancelled { changed() } else { fail(error.message) }
    }
}

extension Result {
    /// Runs a call and keeps what came of it.
    fileprivate init(_ call: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await call())
        } catch {
            self = .failure(error)
        }
    }
}
