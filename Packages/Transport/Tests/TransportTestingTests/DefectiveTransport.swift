import Synchronization
import TransportCore
import TransportTesting

/// One way to break one promise on purpose.
enum Defect: String, CaseIterable, Sendable {
    case doublesPackets, losesPackets, reordersPackets
    case truncatesPayload
    case cutsLargePayload
    case publishesToOneOnly
    case echoesToSender
    case ignoresReceivers
    case swallowsUnknownReceiver
    case swallowsMissingGrant
    case marksLossyAsReliable
    case mixesRooms
    case dropsUnknownSenders
    case losesLastChunk, forgetsTimestamp
    case holdsChunksBack
    case forgetsLastAttributes
    case hidesBrokenText
    case forgetsTextOfLeaver
    case writesAfterEnd
    case turnsTextIntoData
    case ignoresTextReceivers
    case forgetsSpeaker
    case skipsConnecting
    case forgetsKind
    case forgetsLeaving
    case forgetsRemovedAttributes
    case hidesDuplicateIdentity
    case sendsChangedLevelsOnly
    case sendsEachListOnce
    case forgetsSilence
    case ignoresMicrophone
    case distortsLevels
    case swallowsNotConnected
    case connectsTwice
    case acceptsBadToken
    case ignoresCancellation
    case neverEnds
    case connectsAfterDisconnect
    case hidesRemoval, hidesRoomClosing, hidesShutdown
    case keepsEverything
    case hidesReconnecting
    case losesWhatWasMissed
    case hidesLostSignal

    /// The law that has to notice.
    var law: TransportLaw {
        switch self {
        case .doublesPackets, .losesPackets, .reordersPackets: .reliablePacketsComeOnceAndInOrder
        case .truncatesPayload: .payloadsComeUnchanged
        case .cutsLargePayload: .largePayloadIsRefusedAndTheConnectionLives
        case .publishesToOneOnly: .everybodyElseReceives
        case .echoesToSender: .senderNeverReceivesItsOwn
        case .ignoresReceivers: .addressedPacketsReachOnlyTheNamed
        case .swallowsUnknownReceiver: .unknownReceiverIsAnError
        case .swallowsMissingGrant: .publishingNeedsTheGrant
        case .marksLossyAsReliable: .lossyPacketsAreMarked
        case .mixesRooms: .roomsAreSeparate
        case .dropsUnknownSenders: .packetsDoNotWaitForTheJoin
        case .losesLastChunk, .forgetsTimestamp: .textComesWhole
        case .holdsChunksBack: .textComesAsItIsWritten
        case .forgetsLastAttributes: .textEndsWithItsLastAttributes
        case .hidesBrokenText: .brokenTextSaysSo
        case .forgetsTextOfLeaver: .leavingBreaksTextOff
        case .writesAfterEnd: .endedTextTakesNoMore
        case .turnsTextIntoData: .messageKindsStayApart
        case .ignoresTextReceivers: .addressedTextReachesOnlyTheNamed
        case .forgetsSpeaker: .onlyAgentsSpeakForOthers
        case .skipsConnecting: .connectingThenConnected
        case .forgetsKind: .presentParticipantsAreTold
        case .forgetsLeaving: .joinsAndLeavesAreTold
        case .forgetsRemovedAttributes: .attributesAreTold
        case .hidesDuplicateIdentity: .duplicateIdentityReplaces
        case .sendsChangedLevelsOnly: .speakersListIsWhole
        case .sendsEachListOnce: .speakersAreRepeated
        case .forgetsSilence: .silenceFollowsTheLastLevel
        case .ignoresMicrophone: .closedMicrophoneIsSilent
        case .distortsLevels: .levelsStayInRange
        case .swallowsNotConnected: .nothingWorksBeforeConnecting
        case .connectsTwice: .connectsOnlyOnce
        case .acceptsBadToken: .badTokenIsUnauthorized
        case .ignoresCancellation: .cancelledConnectEnds
        case .neverEnds: .disconnectEndsEverything
        case .connectsAfterDisconnect: .disconnectBeforeConnectWins
        case .hidesRemoval: .removalSaysSo
        case .hidesRoomClosing: .closedRoomSaysSo
        case .hidesShutdown: .shutdownSaysSo
        case .keepsEverything: .slowReaderBlocksNobody
        case .hidesReconnecting: .lostSignalSaysReconnecting
        case .losesWhatWasMissed: .missedReliablePacketsFollow
        case .hidesLostSignal: .signalLostForGoodEnds
        }
    }
}

/// Rooms whose transports have one defect.
struct DefectiveRoomFactory: TransportRoomFactory {
    let defect: Defect
    let base: InMemoryRoomFactory

    init(_ defect: Defect) {
        self.defect = defect
        base = InMemoryRoomFactory { transport, clock in
            let faults: TransportFaults? =
                switch defect {
                case .doublesPackets: TransportFaults(duplication: 0.1, breaksPromises: true)
                case .losesPackets: TransportFaults(loss: 0.1, breaksPromises: true)
                case .reordersPackets: TransportFaults(reordering: 0.1, breaksPromises: true)
                default: nil
                }
            if let faults { return FaultyTransport(transport, faults: faults, seed: 5, clock: clock) }
            return DefectiveTransport(transport, defect)
        }
    }

    var clock: any Clock<Duration> { base.clock }
    var abilities: Set<TransportAbility> { base.abilities }
    var invalidToken: String { base.invalidToken }

    func makeGuest(_ grant: InMemoryHub.Grant) async throws -> TransportGuest {
        var grant = grant
        if defect == .mixesRooms {
            if grant.room != "law" { grant.participant.identity += "2" }
            grant.room = "law"
        }
        return try await base.makeGuest(grant)
    }

    func bringAbout(_ situation: TransportSituation) async throws {
        try await base.bringAbout(situation)
    }

    func run(_ check: @escaping @Sendable () async throws -> Void) async throws {
        try await base.run(check)
    }
}

private final class DefectiveTransport: Transport {
    private struct State {
        var known: Set<String> = []
        var held: [TransportEvent] = []
        var levels: [String: Double] = [:]
        var isConnected = false
        var left = 0
    }

    private let base: any Transport
    private let defect: Defect
    private let buffer: TransportEventBuffer
    private let state = Mutex(State())

    init(_ base: any Transport, _ defect: Defect) {
        self.base = base
        self.defect = defect
        buffer =
            defect == .keepsEverything
            ? TransportEventBuffer(maximumEvents: .max, maximumBytes: .max) : TransportEventBuffer()
        base.events.forward { [weak self] event in
            guard let self else { return .ended }
            var outcome = TransportEventBuffer.Outcome.accepted
            for event in self.distort(event) { outcome = self.buffer.append(event) }
            return outcome
        }
    }

    var events: TransportEvents { buffer.events }

    private func distort(_ event: TransportEvent) -> [TransportEvent] {
        state.withLock { state in
            switch (defect, event) {
            case (.truncatesPayload, .data(var packet)):
                packet.payload = packet.payload.dropLast()
                return [.data(packet)]
            case (.marksLossyAsReliable, .data(var packet)):
                packet.reliability = .reliable
                return [.data(packet)]
            case (.dropsUnknownSenders, .participantJoined(let participant)): state.known.insert(participant.identity)
            case (.dropsUnknownSenders, .data(let packet)): return state.known.contains(packet.sender) ? [event] : []
            case (.losesLastChunk, .text(let part)): return losingLastChunk(part, &state)
            case (.forgetsTimestamp, .text(var part)):
                part.header.timestamp = nil
                return [.text(part)]
            case (.holdsChunksBack, .text(let part)):
                state.held.append(event)
                guard case .ended = part.content else { return [] }
                return state.held
            case (.forgetsLastAttributes, .text(var part)):
                if case .ended = part.content { part.content = .ended(attributes: [:]) }
                return [.text(part)]
            case (.hidesBrokenText, .text(var part)):
                if case .failed = part.content { part.content = .ended(attributes: [:]) }
                return [.text(part)]
            case (.forgetsTextOfLeaver, .text(let part)):
                if case .failed = part.content { return [] }
            case (.turnsTextIntoData, .text(let part)):
                guard case .chunk(let text) = part.content else { return [event] }
                let packet = DataPacket(topic: part.header.topic, sender: part.header.sender, payload: Array(text.utf8))
                return [event, .data(packet)]
            case (.skipsConnecting, .connection(.connecting)), (.hidesReconnecting, .connection(.reconnecting)),
                (.neverEnds, .connection(.disconnected)), (.forgetsLeaving, .participantLeft):
                return []
            case (.forgetsKind, .participantJoined(var participant)):
                participant.kind = .standard
                return [.participantJoined(participant)]
            case (.forgetsRemovedAttributes, .attributesChanged(let identity, let changed)):
                return [.attributesChanged(identity: identity, changed: changed.filter { !$0.value.isEmpty })]
            case (.hidesDuplicateIdentity, .connection(.disconnected(.duplicateIdentity))),
                (.hidesRemoval, .connection(.disconnected(.removed))),
                (.hidesRoomClosing, .connection(.disconnected(.roomClosed))),
                (.hidesShutdown, .connection(.disconnected(.serverShutdown))),
                (.hidesLostSignal, .connection(.disconnected(.signalLost))):
                return [.connection(.disconnected(.client))]
            case (.sendsChangedLevelsOnly, .speakers(let levels)):
                let changed = levels.filter { state.levels[$0.key] != $0.value }
                state.levels = levels
                return [.speakers(changed)]
            case (.sendsEachListOnce, .speakers(let levels)):
                if state.levels == levels { return [] }
                state.levels = levels
            case (.forgetsSilence, .speakers(let levels)): return levels.isEmpty ? [] : [event]
            case (.distortsLevels, .speakers(let levels)): return [.speakers(levels.mapValues { min($0, 0.75) })]
            case (.losesWhatWasMissed, .connection(.reconnected)): state.left = 3
            case (.losesWhatWasMissed, .data) where state.left > 0:
                state.left -= 1
                return []
            default: break
            }
            return [event]
        }
    }

    private func losingLastChunk(_ part: TextStreamPart, _ state: inout State) -> [TransportEvent] {
        switch part.content {
        case .chunk:
            let before = state.held
            state.held = [.text(part)]
            return before
        default: return [.text(part)]
        }
    }

    @discardableResult
    func connect(
        to url: String,
        token: String,
        options: TransportOptions
    ) async throws(TransportError) -> JoinedRoom {
        let fake = JoinedRoom(name: "law", local: Participant(identity: "ada"))
        if defect == .ignoresCancellation {
            let task = Task(executorPreference: ManualClock.runExecutor) { [base] in
                try await base.connect(to: url, token: token, options: options)
            }
            guard let joined = try? await task.value else { throw TransportError(.cancelled) }
            return joined
        }
        do {
            return try await base.connect(to: url, token: token, options: options)
        } catch {
            switch (defect, error.code) {
            case (.connectsTwice, .closed), (.acceptsBadToken, .unauthorized), (.connectsAfterDisconnect, .closed):
                return fake
            default: throw error
            }
        }
    }

    func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String]
    ) async throws(TransportError) {
        var payload = payload
        var receivers = identities
        switch defect {
        case .cutsLargePayload: payload = Array(payload.prefix(DataPacket.maximumReliableBytes))
        case .publishesToOneOnly where identities.isEmpty: receivers = ["bob"]
        case .ignoresReceivers where topic == "law": receivers = []
        case .echoesToSender where topic == "law":
            buffer.append(.data(DataPacket(topic: topic, sender: "ada", payload: payload)))
        default: break
        }
        do {
            try await base.publish(payload, topic: topic, reliability: reliability, to: receivers)
        } catch {
            switch (defect, error.code) {
            case (.swallowsUnknownReceiver, .unknownReceiver), (.swallowsMissingGrant, .notPermitted),
                (.swallowsNotConnected, .notConnected):
                return
            default: throw error
            }
        }
    }

    func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?
    ) async throws(TransportError) -> any TextStreamWriter {
        let receivers = defect == .ignoresTextReceivers ? [] : identities
        let writer = try await base.openText(
            topic: topic,
            attributes: attributes,
            to: receivers,
            id: id,
            speaker: defect == .forgetsSpeaker ? nil : speaker
        )
        return defect == .writesAfterEnd ? EndlessWriter(base: writer) : writer
    }

    func setAttributes(_ attributes: [String: String]) async throws(TransportError) {
        try await base.setAttributes(attributes)
    }

    func setMicrophone(enabled: Bool) async throws(TransportError) {
        if defect == .ignoresMicrophone { return }
        try await base.setMicrophone(enabled: enabled)
    }

    func publishLevel(_ level: Double) async throws(TransportError) {
        try await base.publishLevel(level)
    }

    func disconnect(_ reason: DisconnectReason) async {
        await base.disconnect(reason)
    }
}

private struct EndlessWriter: TextStreamWriter {
    let base: any TextStreamWriter

    var id: String { base.id }

    func write(_ text: String) async throws(TransportError) {
        try? await base.write(text)
    }

    func close(attributes: [String: String]) async throws(TransportError) {
        try await base.close(attributes: attributes)
    }

    func fail(_ reason: String) async {
        await base.fail(reason)
    }
}
