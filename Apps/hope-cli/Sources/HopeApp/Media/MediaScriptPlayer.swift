internal import MediaSync
internal import Synchronization
internal import TransportCore

/// Carries out a script on a player that follows.
final class MediaScriptPlayer: Sendable {
    private let api: MediaAPI
    private let use: MediaPlayback.Use
    private let ownRoom: String
    private let tell: @Sendable (String) -> Void
    private let talkRoom = Mutex<String?>(nil)

    /// - Parameters:
    ///   - api: The server.
    ///   - use: The player and what makes it follow.
    ///   - room: The room that is followed while no conversation is on.
    ///   - tell: Takes what went wrong.
    init(_ api: MediaAPI, on use: MediaPlayback.Use, room: String, tell: @escaping @Sendable (String) -> Void) {
        self.api = api
        self.use = use
        ownRoom = room
        self.tell = tell
    }

    private var room: String { talkRoom.withLock { $0 } ?? ownRoom }

    /// Waits for the step's time, and does what it says.
    ///
    /// - Throws: `CancellationError`.
    func play(_ step: MediaScript.Step) async throws {
        if let time = step.time { try await use.stopwatch.sleep(until: time) }
        if step.isServer {
            do throws(MediaAPIError) {
                try await tellServer(step.deed)
            } catch {
                try Task.checkCancellation()
                tell(error.message)
            }
        } else {
            await act(step.deed)
        }
    }

    private func tellServer(_ deed: MediaScript.Deed) async throws(MediaAPIError) {
        switch deed {
        case .play(nil): _ = try await api.control(.play, room: room)
        case .play(let words?):
            let state = try await api.play(words, in: room)
            if state.track == nil, !state.choices.isEmpty {
                tell("Several fit “\(words)”: " + state.choices.map(\.title).joined(separator: ", "))
            }
        case .pause: _ = try await api.control(.pause, room: room)
        case .stop: _ = try await api.control(.stop, room: room)
        case .seek(let position): _ = try await api.control(.seek(to: position), room: room)
        case .volume(let volume): _ = try await api.control(.volume(volume), room: room)
        case .talk, .hangUp, .interruption: break
        }
    }

    private func act(_ deed: MediaScript.Deed) async {
        let controller = use.controller
        switch deed {
        case .play(nil): await controller.play()
        case .play(let words?): await controller.play(.query(words))
        case .pause: await controller.pause()
        case .stop: await controller.stop()
        case .seek(let position): await controller.seek(to: position)
        case .volume(let volume): await controller.setVolume(volume)
        case .talk(let room):
            talkRoom.withLock { $0 = room }
            await controller.beginTalk(in: room)
        case .hangUp:
            talkRoom.withLock { $0 = nil }
            await controller.endTalk()
            if ownRoom != MediaAPI.defaultRoom { await controller.follow(room: ownRoom) }
        case .interruption(true): await controller.interruptionBegan()
        case .interruption(false): await controller.interruptionEnded(shouldResume: true)
        }
    }
}

extension MediaAPI {
    /// Plays a track of this id, or else what fits the words.
    func play(_ words: String, in room: String) async throws(MediaAPIError) -> MediaState {
        do throws(MediaAPIError) {
            return try await play(.track(id: words), room: room)
        } catch {
            guard error.status == 404 else { throw error }
            return try await play(.query(words), room: room)
        }
    }
}
