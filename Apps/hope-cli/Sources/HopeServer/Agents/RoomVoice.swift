internal import PresenceKit
internal import TransportCore

/// Lets a room hear how loud an agent's voice is.
struct RoomVoice: Sendable {
    let room: any Transport

    /// Forwards a voice's levels, ten times a second, which is as often as a room repeats them.
    func forward(_ voice: any AudioLevelSource) async throws {
        do {
            var loudest = 0.0
            var next = Duration.milliseconds(100)
            for try await level in try await voice.start() {
                loudest = max(loudest, level.level)
                guard level.time >= next else { continue }
                try await room.publishLevel(loudest)
                loudest = 0
                next += .milliseconds(100)
            }
            try await room.publishLevel(0)
        } catch {
            await voice.stop()
            // Whoever broke the voice off hears it end, if the room still takes anything.
            try? await room.publishLevel(0)
            throw error
        }
    }

    /// Lets a made-up voice be heard for as long as something is said.
    ///
    /// - Parameters:
    ///   - seed: What the voice is made up from.
    ///   - clock: What it is measured on.
    ///   - say: Says it.
    /// - Throws: What `say` throws.
    func speak(seed: UInt64, clock: any Clock<Duration>, _ say: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await self.forward(SyntheticAudioLevelSource(seed: seed, owner: .agent, clock: clock))
            }
            defer { group.cancelAll() }
            try await say()
        }
    }
}
