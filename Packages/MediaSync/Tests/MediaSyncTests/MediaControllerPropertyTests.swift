import Foundation
import MediaSync
import Synchronization
import Testing
import TransportCore

/// Random courses of server, user, conversations, interruptions and faults, with what must hold in each.
struct MediaControllerPropertyTests {
    /// Whether the user's pause stands: since when nothing may start.
    private final class PauseWatch: Sendable {
        private let pausedAt = Mutex<Int?>(nil)

        func pause(_ bench: ControllerBench) { pausedAt.withLock { $0 = bench.player.calls.count } }
        func release() { pausedAt.withLock { $0 = nil } }

        func startsSince(_ bench: ControllerBench) -> [String] {
            guard let from = pausedAt.withLock({ $0 }) else { return [] }
            return bench.player.names.dropFirst(from).filter {
                $0 == "play" || ($0.hasPrefix("load") && !$0.hasSuffix("paused"))
            }
        }
    }

    private static let talkRooms = ["talk-1", "talk-2"]

    @Test("Whatever happens, it ends as the server wants, and no rule is broken on the way", arguments: UInt64(1)...60)
    func course(seed: UInt64) async throws {
        let bench = try ControllerBench(track: VirtualTrack(duration: 40, seekDelay: .milliseconds(80)))
        bench.scripts["c"] = VirtualTrack(
            duration: 40,
            refusesEarlySeek: true,
            positionDelay: .milliseconds(100),
            starvations: [VirtualTrack.Starvation(at: 3, for: .seconds(4))]
        )
        bench.scripts["d"] = VirtualTrack(duration: 40, fault: .empty)
        try await bench.run { bench in try await self.play(seed, bench) }

        let most = bench.server.state.withLock { $0.mostInFlight }
        #expect(most["state"] ?? 0 <= 1, "two polls at once")
        #expect(most["report"] ?? 0 <= 1, "two reports at once")
        let wanted = bench.server.state.withLock { $0.wanted }
        for (_, report) in bench.server.reports {
            #expect(
                wanted.contains("\(report.room)/\(report.trackID)"),
                "a report on \(report.trackID) in \(report.room)"
            )
            #expect(report.position >= 0 && report.position <= 40)
            #expect(!(report.isPlaying && report.hasEnded))
        }
        let hints = bench.events.compactMap { event -> Double? in
            switch event.kind {
            case .command(.seek(_, let hint)), .command(.load(_, _, let hint)): hint
            default: nil
            }
        }
        #expect(Set(hints).count == hints.count, "a hint was followed twice: \(hints)")
    }

    private func play(_ seed: UInt64, _ bench: ControllerBench) async throws {
        var random = SeededRandom(seed: seed)
        let ids = ["a", "b", "c", "d"]
        let tracks = ids.map { bench.track($0, duration: 40) }
        bench.server.state.withLock { $0.random = random.split() }
        let watch = PauseWatch()
        var room: String?
        var hint = 0.0
        let controller = bench.controller
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await controller.openPanel() }
            for step in 0..<60 {
                try await bench.pass(Double(random.nextInt(below: 2500)) / 1000)
                #expect(watch.startsSince(bench) == [], "step \(step): it started although the user had paused")
                let place = room ?? MediaAPI.defaultRoom
                let failures = bench.server.state.withLock { $0.faultCount }
                switch random.nextInt(below: 16) {
                case 0, 1:
                    watch.release()
                    bench.server.want(tracks[random.nextInt(below: 4)], in: place)
                case 2:
                    watch.release()
                    bench.server.change(place) { $0.desired = .playing }
                case 3: bench.server.change(place) { $0.desired = .paused }
                case 4:
                    hint += 1
                    let position = Double(random.nextInt(below: 40))
                    let new = SeekHint(timestamp: hint, position: position)
                    // Users' own seeks make hints with stamps above a thousand, after which these are old.
                    bench.server.change(place) { $0.seekHint = new }
                case 5: bench.server.want(nil, .stopped, in: place)
                case 6, 7:
                    watch.pause(bench)
                    await controller.pause()
                    // A pause that the server was not told is not a wish that it knows.
                    if bench.server.state.withLock({ $0.faultCount }) != failures { watch.release() }
                case 8:
                    watch.release()
                    await controller.togglePlayPause()
                case 9: await controller.skip(by: random.nextBool(probability: 0.5) ? 10 : -10)
                case 10:
                    watch.release()
                    let id = ids[random.nextInt(below: 4)]
                    group.addTask { await controller.play(.track(id: id)) }
                case 11, 12:
                    watch.release()
                    if room == nil {
                        let name = Self.talkRooms[random.nextInt(below: 2)]
                        room = name
                        await controller.beginTalk(in: name)
                    } else {
                        room = nil
                        await controller.endTalk()
                    }
                case 13: await controller.interruptionBegan()
                case 14:
                    watch.release()
                    let resumes = random.nextBool(probability: 0.5)
                    await controller.interruptionEnded(shouldResume: resumes)
                default: group.addTask { await controller.stop() }
                }
                if random.nextBool(probability: 0.05) { watch.release() }
            }
        }
        try await settle(bench, room: room)
    }

    /// Takes away every fault and hold, lets the server want something definite, and looks at what comes of it.
    private func settle(_ bench: ControllerBench, room: String?) async throws {
        bench.server.state.withLock { $0.random = nil }
        await bench.controller.interruptionEnded(shouldResume: true)
        if room != nil { await bench.controller.endTalk() }
        try await bench.pass(60)
        let state = try #require(bench.server.state.withLock { $0.rooms[MediaAPI.defaultRoom] })
        try compare(bench, with: state)
        bench.server.change { $0.seekHint = nil }
        bench.server.want(bench.track("e", duration: 40))
        try await bench.pass(5)
        #expect(bench.player.snapshot?.phase == .playing)
        bench.server.change { $0.desired = .paused }
        try await bench.pass(3)
        #expect(bench.player.snapshot?.phase == .paused)
    }

    private func compare(_ bench: ControllerBench, with state: MediaState) throws {
        let phase = bench.player.snapshot?.phase
        guard let track = state.track, state.desired != .stopped else {
            #expect(phase == nil || phase?.name == "failed", "it should have stopped")
            return
        }
        if track.id == "d" {
            #expect(phase?.name == "failed")
        } else if phase != .ended {
            #expect(phase == (state.desired == .playing && !state.startPaused ? .playing : .paused), "\(state)")
        }
    }
}
