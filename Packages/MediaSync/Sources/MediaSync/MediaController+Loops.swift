import Foundation
import TransportCore

extension MediaController {
    /// What a room was last told of, so that it is told again when that changes.
    struct PublishedKey: Hashable, Sendable {
        let trackID: String?
        let title: String?
        let isPlaying: Bool
        let seekCount: Int
    }

    // MARK: The player

    /// Tells the player what it is to do, one thing after the other.
    func tellPlayer() async {
        while !Task.isCancelled {
            guard !orders.isEmpty else {
                if isClosing { return }
                _ = await orderBell.wait()
                continue
            }
            switch orders.removeFirst() {
            case .volume(let volume):
                await give { () async throws(MediaPlayerError) in try await player.setVolume(volume) }
            case .command(let command): await give(command)
            }
        }
    }

    private func give(_ call: () async throws(MediaPlayerError) -> Void) async {
        do throws(MediaPlayerError) {
            try await call()
        } catch {
            guard error.code != .cancelled else { return }
            failItem(error)
        }
    }

    private func give(_ command: PlayerCommand) async {
        var command = command
        switch command {
        case .load(let load, let waits, let hint):
            guard let source = load.source else { break }
            guard let url = await resolved(source, load.trackID, load.mimeType, load.number) else { return }
            let resolved = PlayerLoad(
                number: load.number,
                trackID: load.trackID,
                source: url,
                mimeType: load.mimeType,
                position: load.position,
                isPaused: load.isPaused
            )
            command = .load(resolved, waitsForStart: waits, hint: hint)
        case .wire(let source, let position):
            guard let item = local.item else { return }
            guard let url = await resolved(source, item.trackID, track?.mimeType, item.load) else { return }
            command = .wire(url, position: position)
        default: break
        }
        emit(.command(command))
        let call = command
        await give { () async throws(MediaPlayerError) in try await player.perform(call) }
    }

    /// Asks for the address that the player can open; nil when there is none, or it is not wanted any more.
    private func resolved(_ source: URL, _ trackID: String, _ mimeType: String?, _ load: Int) async -> URL? {
        var described = track.flatMap { $0.id == trackID ? $0 : nil } ?? MediaTrack(id: trackID, title: "")
        described.audioURL = source
        described.mimeType = mimeType
        do {
            let resolved = try await resolve(source, described)
            return local.item?.load == load ? resolved : nil
        } catch {
            guard local.item?.load == load, !Task.isCancelled else { return nil }
            failItem(MediaPlayerError(code: .unreachable, message: "Could not open the track: \(error)"))
            return nil
        }
    }

    // MARK: The server's wishes

    /// Asks for the state again and again, never twice at once.
    func pollServer() async {
        while isRunning {
            guard scope.isSession || isPanelOpen || needsState || owedPause != nil else {
                _ = await pollBell.wait()
                continue
            }
            // What rang for this question is answered by it.
            pollBell.silence()
            let start = now
            await settleOwedPause()
            guard isRunning else { return }
            await pollUntilElsewhere()
            await pollBell.wait(until: start + pollPause, on: stopwatch)
        }
    }

    private var pollPause: Duration {
        let factor = 1 << min(pollFailures, 16)
        return min(
            configuration.pollInterval * factor,
            max(configuration.longestPollInterval, configuration.pollInterval)
        )
    }

    /// Asks once; the question is given up when the room changes.
    private func pollUntilElsewhere() async {
        let canceller = Bell()
        pollCanceller = canceller
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.poll() }
            group.addTask { _ = await canceller.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    private func poll() async {
        let (asked, generation) = (scope, local.generation)
        do throws(MediaAPIError) {
            let state = try await api.state(room: asked.room)
            guard asked.number == scope.number else { return }
            pollFailures = 0
            connectionError = nil
            needsState = false
            take(state, generation: generation)
        } catch {
            guard asked.number == scope.number, error.code != .cancelled, !isClosing else { return }
            pollFailures += 1
            if connectionError != error.message { emit(.error(error.message)) }
            connectionError = error.message
        }
        changed()
    }

    // MARK: Reports

    /// Sends reports, never two at once; one that cannot be sent is tried three times more.
    func sendReports() async {
        var retryAt: Duration?
        while !Task.isCancelled {
            let due = ledger.nextReport(every: configuration.reportInterval)
            if let due, due <= now, let item = local.item { addReport(on: item) }
            if let time = retryAt, time <= now { retryAt = nil }
            if retryAt == nil || isClosing, var entry = reports.next(isLive: isLive) {
                guard await !send(entry) else { continue }
                entry.failures += 1
                guard entry.failures <= 3, !isClosing else { continue }
                reports.putBack(entry)
                retryAt = now + configuration.pollInterval * (1 << (entry.failures - 1))
                continue
            }
            if isClosing { return }
            let next = ledger.nextReport(every: configuration.reportInterval)
            await reportBell.wait(until: [next, retryAt].compactMap(\.self).min(), on: stopwatch)
        }
    }

    /// Sends a report; false when it is worth another try.
    private func send(_ entry: ReportQueue.Entry) async -> Bool {
        var wasSent = false
        do throws(MediaAPIError) {
            try await api.report(entry.report) {
                // The room may have ended while its token was fetched.
                wasSent = isLive(entry.session)
                if wasSent { emit(.report(entry.report)) }
                return !wasSent
            }
            return true
        } catch {
            guard error.code != .cancelled else { return true }
            fail(error.message)
            return (error.status.map { $0 < 500 } ?? false) || !isLive(entry.session)
        }
    }

    // MARK: The room

    /// Tells the room what is playing, when it changes.
    func publishState() async {
        guard let publish else { return }
        while isRunning {
            guard let (message, key) = unpublished() else {
                _ = await publishBell.wait()
                continue
            }
            let room = scope
            published = (room.number, key)
            emit(.published(message))
            do {
                try await publish(message, room.room)
            } catch {
                if isLive(room.number), isRunning { emit(.error("Could not tell the room what is playing: \(error)")) }
            }
        }
    }

    /// What the present room has not been told; nothing where no room is followed.
    private func unpublished() -> (MediaStateMessage, PublishedKey)? {
        guard scope.isSession else { return nil }
        let item = local.item
        let title = item.flatMap { track?.id == $0.trackID ? track?.title : nil }
        let isPlaying = item?.phase == .playing
        let key = PublishedKey(trackID: item?.trackID, title: title, isPlaying: isPlaying, seekCount: seekCount)
        if let published, published.session == scope.number {
            guard published.key != key else { return nil }
        } else if item == nil {
            return nil
        }
        let message = MediaStateMessage(
            trackID: item?.trackID,
            title: title,
            isPlaying: isPlaying,
            position: item.map { MediaEvent.rounded($0.position.seconds(at: now)) }
        )
        return (message, key)
    }
}
