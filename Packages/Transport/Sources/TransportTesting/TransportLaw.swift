public import Testing
import TransportCore

/// The promises of ``TransportCore/Transport``, one case each.
///
/// A backend's test runs all that apply:
///
/// ```swift
/// @Test(arguments: TransportLaw.allCases)
/// func obeys(_ law: TransportLaw) async {
///     await law.check(MyRoomFactory())
/// }
/// ```
public enum TransportLaw: String, CaseIterable, Sendable {
    // What is published.
    case reliablePacketsComeOnceAndInOrder
    case payloadsComeUnchanged
    case largePayloadIsRefusedAndTheConnectionLives
    case everybodyElseReceives
    case senderNeverReceivesItsOwn
    case addressedPacketsReachOnlyTheNamed
    case unknownReceiverIsAnError
    case publishingNeedsTheGrant
    case lossyPacketsAreMarked
    case roomsAreSeparate
    case packetsDoNotWaitForTheJoin

    // Text streams.
    case textComesWhole
    case textComesAsItIsWritten
    case textEndsWithItsLastAttributes
    case brokenTextSaysSo
    case leavingBreaksTextOff
    case endedTextTakesNoMore
    case messageKindsStayApart
    case addressedTextReachesOnlyTheNamed
    case onlyAgentsSpeakForOthers

    // Who is there.
    case connectingThenConnected
    case presentParticipantsAreTold
    case joinsAndLeavesAreTold
    case attributesAreTold
    case duplicateIdentityReplaces

    // Levels.
    case speakersListIsWhole
    case speakersAreRepeated
    case silenceFollowsTheLastLevel
    case closedMicrophoneIsSilent
    case levelsStayInRange

    // From connecting to the end.
    case nothingWorksBeforeConnecting
    case connectsOnlyOnce
    case badTokenIsUnauthorized
    case cancelledConnectEnds
    case disconnectEndsEverything
    case disconnectBeforeConnectWins
    case removalSaysSo
    case closedRoomSaysSo
    case shutdownSaysSo
    case slowReaderBlocksNobody
    case lostSignalSaysReconnecting
    case missedReliablePacketsFollow
    case signalLostForGoodEnds

    /// What a backend has to be able to do for the law to apply to it.
    public var needs: Set<TransportAbility> {
        switch self {
        case .unknownReceiverIsAnError: [.knowsReceivers]
        case .publishingNeedsTheGrant: [.checksGrants]
        case .packetsDoNotWaitForTheJoin: [.delaysJoins]
        case .speakersListIsWhole, .speakersAreRepeated, .silenceFollowsTheLastLevel, .closedMicrophoneIsSilent,
            .levelsStayInRange:
            [.carriesLevels]
        case .removalSaysSo: [.removesParticipants]
        case .closedRoomSaysSo: [.closesRooms]
        case .shutdownSaysSo: [.shutsDown]
        case .lostSignalSaysReconnecting, .missedReliablePacketsFollow, .signalLostForGoodEnds: [.losesSignal]
        default: []
        }
    }

    /// Whether a backend can do what the law needs.
    public func applies(to factory: some TransportRoomFactory) -> Bool {
        needs.isSubset(of: factory.abilities)
    }

    /// Checks the law on fresh rooms and returns how it was broken, or `nil` when it was kept or does not apply.
    public func violation(in factory: some TransportRoomFactory) async -> String? {
        guard applies(to: factory) else { return nil }
        do {
            try await factory.run { try await hold(on: LawBench(factory: factory)) }
            return nil
        } catch let violation as TransportViolation {
            return violation.message
        } catch {
            return "It ended in an error: \(error)"
        }
    }

    /// Checks the law on fresh rooms and records an issue when it is broken.
    public func check(
        _ factory: some TransportRoomFactory,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        if let violation = await violation(in: factory) {
            Issue.record("\(rawValue): \(violation)", sourceLocation: sourceLocation)
        }
    }

    private func hold(on bench: LawBench) async throws {
        switch self {
        case .reliablePacketsComeOnceAndInOrder: try await bench.reliablePacketsComeOnceAndInOrder()
        case .payloadsComeUnchanged: try await bench.payloadsComeUnchanged()
        case .largePayloadIsRefusedAndTheConnectionLives: try await bench.largePayloadIsRefused()
        case .everybodyElseReceives: try await bench.everybodyElseReceives()
        case .senderNeverReceivesItsOwn: try await bench.senderNeverReceivesItsOwn()
        case .addressedPacketsReachOnlyTheNamed: try await bench.addressedPacketsReachOnlyTheNamed()
        case .unknownReceiverIsAnError: try await bench.unknownReceiverIsAnError()
        case .publishingNeedsTheGrant: try await bench.publishingNeedsTheGrant()
        case .lossyPacketsAreMarked: try await bench.lossyPacketsAreMarked()
        case .roomsAreSeparate: try await bench.roomsAreSeparate()
        case .packetsDoNotWaitForTheJoin: try await bench.packetsDoNotWaitForTheJoin()
        case .textComesWhole: try await bench.textComesWhole()
        case .textComesAsItIsWritten: try await bench.textComesAsItIsWritten()
        case .textEndsWithItsLastAttributes: try await bench.textEndsWithItsLastAttributes()
        case .brokenTextSaysSo: try await bench.brokenTextSaysSo()
        case .leavingBreaksTextOff: try await bench.leavingBreaksTextOff()
        case .endedTextTakesNoMore: try await bench.endedTextTakesNoMore()
        case .messageKindsStayApart: try await bench.messageKindsStayApart()
        case .addressedTextReachesOnlyTheNamed: try await bench.addressedTextReachesOnlyTheNamed()
        case .onlyAgentsSpeakForOthers: try await bench.onlyAgentsSpeakForOthers()
        case .connectingThenConnected: try await bench.connectingThenConnected()
        case .presentParticipantsAreTold: try await bench.presentParticipantsAreTold()
        case .joinsAndLeavesAreTold: try await bench.joinsAndLeavesAreTold()
        case .attributesAreTold: try await bench.attributesAreTold()
        case .duplicateIdentityReplaces: try await bench.duplicateIdentityReplaces()
        case .speakersListIsWhole: try await bench.speakersListIsWhole()
        case .speakersAreRepeated: try await bench.speakersAreRepeated()
        case .silenceFollowsTheLastLevel: try await bench.silenceFollowsTheLastLevel()
        case .closedMicrophoneIsSilent: try await bench.closedMicrophoneIsSilent()
        case .levelsStayInRange: try await bench.levelsStayInRange()
        case .nothingWorksBeforeConnecting: try await bench.nothingWorksBeforeConnecting()
        case .connectsOnlyOnce: try await bench.connectsOnlyOnce()
        case .badTokenIsUnauthorized: try await bench.badTokenIsUnauthorized()
        case .cancelledConnectEnds: try await bench.cancelledConnectEnds()
        case .disconnectEndsEverything: try await bench.disconnectEndsEverything()
        case .disconnectBeforeConnectWins: try await bench.disconnectBeforeConnectWins()
        case .removalSaysSo: try await bench.removalSaysSo()
        case .closedRoomSaysSo: try await bench.closedRoomSaysSo()
        case .shutdownSaysSo: try await bench.shutdownSaysSo()
        case .slowReaderBlocksNobody: try await bench.slowReaderBlocksNobody()
        case .lostSignalSaysReconnecting: try await bench.lostSignalSaysReconnecting()
        case .missedReliablePacketsFollow: try await bench.missedReliablePacketsFollow()
        case .signalLostForGoodEnds: try await bench.signalLostForGoodEnds()
        }
    }
}
