import MediaSync
public import Testing

/// The promises of ``MediaSync/MediaPlayer``, one case each.
///
/// A player's test runs all that apply:
///
/// ```swift
/// @Test(arguments: MediaPlayerLaw.allCases)
/// func obeys(_ law: MediaPlayerLaw) async {
///     await law.check(MyPlayerFactory())
/// }
/// ```
public enum MediaPlayerLaw: String, CaseIterable, Sendable {
    // Loads.
    case snapshotsCarryTheirLoad
    case newLoadSilencesTheOld
    case loadPlays
    case loadBeginsWhereItIsTold
    case pausedLoadWaits
    case loadWithoutBytesIsLoading
    case wireGivesTheSameLoadItsBytes
    case stopEndsTheLoad
    case loadAfterAFailurePlays

    // Calls.
    case callsDoNotWaitForTheirEffect
    case nothingHappensWithoutALoad
    case playBeforeTheBytesIsKept
    case pauseBeforeTheBytesIsKept
    case seekRightAfterLoadLands
    case pauseStands
    case seekWhilePlayingPlaysOn
    case seekWhilePausedStaysPaused
    case seekIsClamped
    case volumeIsClampedAndOutlivesLoads

    // What is said.
    case positionsAreTrue
    case unknownPositionIsNotZero
    case lengthIsTold
    case playingSaysWhereItIs
    case starvedPlayerBuffers
    case slowReaderSeesEveryPhase
    case slowReaderIsNotFlooded

    // The end, and failures.
    case endIsToldOnce
    case playAfterTheEndDoesNothing
    case seekAfterTheEndPlaysOn
    case undecodableBytesFail
    case emptyBytesFail
    case unreachableBytesFail
    case goneForGoodSaysSo

    /// What has to be there for the law to apply.
    public var needs: Set<MediaPlayerAbility> {
        switch self {
        case .starvedPlayerBuffers: [.starves]
        case .volumeIsClampedAndOutlivesLoads: [.readsVolume]
        case .goneForGoodSaysSo: [.ends]
        default: []
        }
    }

    /// Whether there is what the law needs.
    public func applies(to factory: some MediaPlayerFactory) -> Bool {
        needs.isSubset(of: factory.abilities)
    }

    /// Checks the law on a fresh player and returns how it was broken, or nil when it was kept or does not apply.
    public func violation(in factory: some MediaPlayerFactory) async -> String? {
        guard applies(to: factory) else { return nil }
        do {
            try await factory.run {
                let player = try await factory.makePlayer()
                do {
                    try await self.hold(player, of: factory)
                    await factory.discard(player)
                } catch {
                    await factory.discard(player)
                    throw error
                }
            }
            return nil
        } catch let violation as MediaPlayerViolation {
            return violation.message
        } catch {
            return "It ended in an error: \(error)"
        }
    }

    /// Checks the law on a fresh player and records an issue when it is broken.
    public func check(
        _ factory: some MediaPlayerFactory,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        if let violation = await violation(in: factory) {
            Issue.record("\(rawValue): \(violation)", sourceLocation: sourceLocation)
        }
    }

    private func hold(_ player: any MediaPlayer, of factory: some MediaPlayerFactory) async throws {
        let bench = MediaPlayerBench(factory: factory, player: player)
        let snapshots = await player.snapshots()
        switch self {
        case .slowReaderSeesEveryPhase: return try await bench.slowReaderSeesEveryPhase(snapshots)
        case .slowReaderIsNotFlooded: return try await bench.slowReaderIsNotFlooded(snapshots)
        default: break
        }
        try await bench.whileReading(snapshots) { try await hold(on: bench) }
    }

    private func hold(on bench: MediaPlayerBench) async throws {
        switch self {
        case .snapshotsCarryTheirLoad: try await bench.snapshotsCarryTheirLoad()
        case .newLoadSilencesTheOld: try await bench.newLoadSilencesTheOld()
        case .loadPlays: try await bench.loadPlays()
        case .loadBeginsWhereItIsTold: try await bench.loadBeginsWhereItIsTold()
        case .pausedLoadWaits: try await bench.pausedLoadWaits()
        case .loadWithoutBytesIsLoading: try await bench.loadWithoutBytesIsLoading()
        case .wireGivesTheSameLoadItsBytes: try await bench.wireGivesTheSameLoadItsBytes()
        case .stopEndsTheLoad: try await bench.stopEndsTheLoad()
        case .loadAfterAFailurePlays: try await bench.loadAfterAFailurePlays()
        case .callsDoNotWaitForTheirEffect: try await bench.callsDoNotWaitForTheirEffect()
        case .nothingHappensWithoutALoad: try await bench.nothingHappensWithoutALoad()
        case .playBeforeTheBytesIsKept: try await bench.playBeforeTheBytesIsKept()
        case .pauseBeforeTheBytesIsKept: try await bench.pauseBeforeTheBytesIsKept()
        case .seekRightAfterLoadLands: try await bench.seekRightAfterLoadLands()
        case .pauseStands: try await bench.pauseStands()
        case .seekWhilePlayingPlaysOn: try await bench.seekWhilePlayingPlaysOn()
        case .seekWhilePausedStaysPaused: try await bench.seekWhilePausedStaysPaused()
        case .seekIsClamped: try await bench.seekIsClamped()
        case .volumeIsClampedAndOutlivesLoads: try await bench.volumeIsClampedAndOutlivesLoads()
        case .positionsAreTrue: try await bench.positionsAreTrue()
        case .unknownPositionIsNotZero: try await bench.unknownPositionIsNotZero()
        case .lengthIsTold: try await bench.lengthIsTold()
        case .playingSaysWhereItIs: try await bench.playingSaysWhereItIs()
        case .starvedPlayerBuffers: try await bench.starvedPlayerBuffers()
        case .slowReaderSeesEveryPhase, .slowReaderIsNotFlooded: break
        case .endIsToldOnce: try await bench.endIsToldOnce()
        case .playAfterTheEndDoesNothing: try await bench.playAfterTheEndDoesNothing()
        case .seekAfterTheEndPlaysOn: try await bench.seekAfterTheEndPlaysOn()
        case .undecodableBytesFail: try await bench.bytesFail(.undecodable, with: [.undecodable])
        case .emptyBytesFail: try await bench.bytesFail(.empty, with: [.undecodable, .unreachable])
        case .unreachableBytesFail: try await bench.bytesFail(.unreachable, with: [.unreachable])
        case .goneForGoodSaysSo: try await bench.goneForGoodSaysSo()
        }
    }
}
