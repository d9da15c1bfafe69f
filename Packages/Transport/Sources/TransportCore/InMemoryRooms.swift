/// The state of an ``InMemoryHub``: who is in which room, and what each of them is to be told.
///
/// Nothing here waits or reads a clock, so a hub can do all of it under one lock, and everybody sees the same order.
struct InMemoryRooms {
    /// The name tag with which a transport calls.
    struct Sender {
        let room: String
        let identity: String
        let connection: UInt64
    }

    struct Member {
        let connection: UInt64
        let grant: InMemoryHub.Grant
        let buffer: TransportEventBuffer
        var participant: Participant
        var isMicrophoneClosed = false
        var level = 0.0
        var levelTime = Duration.zero
        /// The connections that have not been told of this member yet.
        var unannounced: [UInt64] = []
        var announcementTimer: ClockTimer?
        var loss: Loss?
    }

    /// What happens to a member whose signal is lost.
    struct Loss {
        var missed: [TransportEvent] = []
        var hasMissedTooMuch = false
        /// Whom the member knew when the signal went.
        var known: [String]
        /// The streams that it was receiving.
        var receiving: [TextStreamHeader]
        var timer: ClockTimer?
    }

    struct Stream {
        let header: TextStreamHeader
        let sender: UInt64
        var receivers: [UInt64]
    }

    struct Room {
        /// In the order they joined.
        var members: [Member] = []
        var streams: [Stream] = []
        var speakersTimer: ClockTimer?
        /// When the speakers list was sent last, while anybody is in it.
        var speakersTime: Duration?

        func index(of connection: UInt64) -> Int? {
            members.firstIndex { $0.connection == connection }
        }
    }

    var configuration: InMemoryHub.Configuration
    var isRunning = true
    var rooms: [String: Room] = [:]
    var tokens: [String: InMemoryHub.Grant] = [:]
    private var lastNumber: UInt64 = 0
    private var lastUser = 0
    private var random: SeededRandom

    init(configuration: InMemoryHub.Configuration, seed: UInt64) {
        self.configuration = configuration
        random = SeededRandom(seed: seed)
    }

    mutating func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Tokens

    mutating func makeToken(for grant: InMemoryHub.Grant) -> String {
        let token = "memory-token-\(makeNumber())"
        tokens[token] = grant
        return token
    }

    mutating func token(for request: TokenRequest) -> RoomToken {
        var identity = request.identity ?? ""
        if identity.isEmpty {
            lastUser += 1
            identity = "user-\(lastUser)"
        }
        var room = request.room ?? ""
        if room.isEmpty {
            let digits = String(random.next() >> 32, radix: 16)
            room = "voice-\(identity)-" + String(repeating: "0", count: 8 - digits.count) + digits
        }
        let participant = Participant(identity: identity, name: request.name ?? "")
        let token = makeToken(for: InMemoryHub.Grant(room: room, participant: participant))
        return RoomToken(token: token, room: room, identity: identity, displayName: participant.name)
    }

    // MARK: Delivery

    /// Gives an event to one member; whoever does not read is cut.
    private mutating func deliver(_ event: TransportEvent, to connection: UInt64, in room: String) {
        guard let index = rooms[room]?.index(of: connection) else { return }
        if rooms[room]?.members[index].loss != nil {
            rooms[room]?.members[index].miss(event, atMost: configuration.maximumMissedEvents)
            return
        }
        guard let member = rooms[room]?.members[index] else { return }
        // The buffer of a member that is still here has ended only if it overflowed.
        if member.buffer.append(event) != .accepted {
            remove(connection: connection, from: room, reason: .readerTooSlow)
        }
    }

    /// Gives an event to many members, looking each up only once.
    private mutating func deliver(_ event: TransportEvent, to connections: [UInt64], in room: String) {
        guard let members = rooms[room]?.members else { return }
        var next = members.startIndex
        for connection in connections {
            // Receivers mostly stand in the order of the members.
            if next == members.endIndex || members[next].connection != connection {
                guard let found = members.firstIndex(where: { $0.connection == connection }) else { continue }
                next = found
            }
            // Who was put out meanwhile, because of another's end, has a buffer that has ended.
            if members[next].loss != nil {
                deliver(event, to: connection, in: room)
            } else if members[next].buffer.append(event) != .accepted {
                remove(connection: connection, from: room, reason: .readerTooSlow)
            }
            next += 1
        }
    }

    private func others(than connection: UInt64?, in room: String) -> [UInt64] {
        rooms[room]?.members.map(\.connection).filter { $0 != connection } ?? []
    }

    // MARK: Joining and leaving

    mutating func join(
        _ grant: InMemoryHub.Grant,
        connection: UInt64,
        buffer: TransportEventBuffer,
        joinedAt: Double
    ) -> JoinedRoom {
        let name = grant.room
        remove(grant.participant.identity, from: name, reason: .duplicateIdentity)
        var participant = grant.participant
        participant.joinedAt = joinedAt
        participant.attributes = participant.attributes.filter { !$0.value.isEmpty }
        var member = Member(connection: connection, grant: grant, buffer: buffer, participant: participant)
        let present = rooms[name]?.members ?? []
        member.unannounced = present.map(\.connection)
        rooms[name, default: Room()].members.append(member)
        buffer.append(.connection(.connected))
        for other in present { buffer.append(.participantJoined(other.participant)) }
        let levels = rooms[name]?.levels ?? [:]
        if !levels.isEmpty { buffer.append(.speakers(levels)) }
        return JoinedRoom(name: name, local: participant)
    }

    mutating func setAnnouncementTimer(_ timer: ClockTimer, of connection: UInt64, in room: String) {
        guard let index = rooms[room]?.index(of: connection) else { return }
        rooms[room]?.members[index].announcementTimer = timer
    }

    /// Tells everybody of a member who has not been told.
    mutating func announce(connection: UInt64, in room: String) {
        guard let index = rooms[room]?.index(of: connection), let member = rooms[room]?.members[index] else { return }
        rooms[room]?.members[index].unannounced = []
        rooms[room]?.members[index].announcementTimer = nil
        deliver(.participantJoined(member.participant), to: member.unannounced, in: room)
    }

    mutating func remove(_ identity: String, from room: String, reason: DisconnectReason) {
        let member = rooms[room]?.members.first { $0.participant.identity == identity }
        if let member { remove(connection: member.connection, from: room, reason: reason) }
    }

    mutating func remove(connection: UInt64, from room: String, reason: DisconnectReason) {
        guard let index = rooms[room]?.index(of: connection), let member = rooms[room]?.members.remove(at: index)
        else { return }
        member.buffer.append(.connection(.disconnected(reason)))
        if rooms[room]?.members.isEmpty ?? true {
            rooms[room] = nil
            return
        }
        failStreams(of: connection, in: room, because: "The sender left.")
        for index in rooms[room]?.streams.indices ?? 0..<0 {
            rooms[room]?.streams[index].receivers.removeAll { $0 == connection }
        }
        for index in rooms[room]?.members.indices ?? 0..<0 {
            rooms[room]?.members[index].unannounced.removeAll { $0 == connection }
        }
        let told = others(than: connection, in: room).filter { !member.unannounced.contains($0) }
        deliver(.participantLeft(identity: member.participant.identity), to: told, in: room)
        if member.level > 0 { sendSpeakers(of: room) }
    }

    mutating func closeRoom(_ room: String, reason: DisconnectReason) {
        let members = rooms[room]?.members ?? []
        rooms[room] = nil
        for member in members { member.buffer.append(.connection(.disconnected(reason))) }
    }

    // MARK: Sending

    /// The sender's place in its room.
    private func index(of sender: Sender) throws(TransportError) -> Int {
        guard let room = rooms[sender.room], let index = room.index(of: sender.connection) else {
            throw TransportError(.closed)
        }
        guard room.members[index].loss == nil else { throw TransportError(.notConnected) }
        return index
    }

    private func grant(of sender: Sender) throws(TransportError) -> InMemoryHub.Grant {
        let index = try index(of: sender)
        guard let member = rooms[sender.room]?.members[index] else { throw TransportError(.closed) }
        return member.grant
    }

    private func receivers(_ identities: [String], from sender: Sender) throws(TransportError) -> [UInt64] {
        if identities.isEmpty { return others(than: sender.connection, in: sender.room) }
        var receivers: [UInt64] = []
        for identity in identities {
            guard let member = rooms[sender.room]?.members.first(where: { $0.participant.identity == identity }) else {
                throw TransportError(.unknownReceiver(identity: identity))
            }
            if member.connection != sender.connection, !receivers.contains(member.connection) {
                receivers.append(member.connection)
            }
        }
        return receivers
    }

    mutating func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String],
        from sender: Sender
    ) throws(TransportError) {
        guard try grant(of: sender).canPublishData else {
            throw TransportError(.notPermitted, "The token does not allow to publish data; ask for one that does.")
        }
        try DataPacket.checkSize(of: payload)
        let packet = DataPacket(topic: topic, sender: sender.identity, payload: payload, reliability: reliability)
        deliver(.data(packet), to: try receivers(identities, from: sender), in: sender.room)
    }

    mutating func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?,
        timestamp: Double,
        from sender: Sender
    ) throws(TransportError) -> String {
        let grant = try grant(of: sender)
        guard grant.canPublishData else {
            throw TransportError(.notPermitted, "The token does not allow to send text; ask for one that does.")
        }
        guard speaker == nil || speaker == sender.identity || grant.participant.kind == .agent else {
            throw TransportError(.notPermitted, "Only an agent may send what somebody else has said.")
        }
        let receivers = try receivers(identities, from: sender)
        let id = id ?? "text-\(makeNumber())"
        let isOpen = rooms[sender.room]?.streams.contains { $0.header.id == id && $0.sender == sender.connection }
        guard isOpen != true else {
            throw TransportError(
                .protocolViolation,
                "The text stream “\(id)” is open already; close it, or use another id."
            )
        }
        let header = TextStreamHeader(
            id: id,
            topic: topic,
            sender: speaker ?? sender.identity,
            timestamp: timestamp,
            attributes: attributes
        )
        rooms[sender.room]?.streams.append(Stream(header: header, sender: sender.connection, receivers: receivers))
        deliver(.text(TextStreamPart(header: header, content: .opened)), to: receivers, in: sender.room)
        return id
    }

    mutating func continueText(
        _ id: String,
        with contents: [TextStreamPart.Content],
        from sender: Sender
    ) throws(TransportError) {
        _ = try index(of: sender)
        for content in contents {
            let isEnd = content.isEnd
            let found = rooms[sender.room]?.streams.firstIndex {
                $0.header.id == id && $0.sender == sender.connection
            }
            guard let found, let stream = rooms[sender.room]?.streams[found] else {
                // Ending twice is harmless.
                if isEnd { return }
                throw TransportError(.closed, "The text stream “\(id)” has ended; open a new one.")
            }
            if isEnd { rooms[sender.room]?.streams.remove(at: found) }
            let part = TextStreamPart(header: stream.header, content: content)
            deliver(.text(part), to: stream.receivers, in: sender.room)
        }
    }

    private mutating func failStreams(of connection: UInt64, in room: String, because reason: String) {
        let streams = rooms[room]?.streams.filter { $0.sender == connection } ?? []
        rooms[room]?.streams.removeAll { $0.sender == connection }
        for stream in streams {
            let part = TextStreamPart(header: stream.header, content: .failed(reason))
            deliver(.text(part), to: stream.receivers, in: room)
        }
    }

    mutating func setAttributes(_ attributes: [String: String], of sender: Sender) throws(TransportError) {
        let index = try index(of: sender)
        guard try grant(of: sender).canUpdateAttributes else {
            throw TransportError(.notPermitted, "The token does not allow to change attributes; ask for one that does.")
        }
        // LiveKit sends changed attributes at once, which lets the join that waited out too.
        announce(connection: sender.connection, in: sender.room)
        let old = rooms[sender.room]?.members[index].participant.attributes ?? [:]
        let changed = attributes.filter { old[$0.key, default: ""] != $0.value }
        if changed.isEmpty { return }
        rooms[sender.room]?.members[index].participant.attributes.merge(changed) { $1 }
        for (key, value) in changed where value.isEmpty {
            rooms[sender.room]?.members[index].participant.attributes[key] = nil
        }
        let event = TransportEvent.attributesChanged(identity: sender.identity, changed: changed)
        deliver(event, to: others(than: sender.connection, in: sender.room), in: sender.room)
    }

    // MARK: Levels

    mutating func setMicrophone(enabled: Bool, of sender: Sender, at now: Duration) throws(TransportError) {
        let index = try index(of: sender)
        guard try grant(of: sender).canPublish else {
            throw TransportError(.notPermitted, "The token does not allow a microphone; ask for one that does.")
        }
        rooms[sender.room]?.members[index].isMicrophoneClosed = !enabled
        if !enabled { try publishLevel(0, from: sender, at: now) }
    }

    mutating func publishLevel(_ level: Double, from sender: Sender, at now: Duration) throws(TransportError) {
        let index = try index(of: sender)
        guard let member = rooms[sender.room]?.members[index] else { return }
        guard member.grant.canPublish else {
            throw TransportError(.notPermitted, "The token does not allow to publish levels; ask for one that does.")
        }
        let level = member.isMicrophoneClosed ? 0 : level.clampedLevel
        if level == 0, member.level == 0 { return }
        rooms[sender.room]?.members[index].level = level
        rooms[sender.room]?.members[index].levelTime = now
        sendSpeakers(of: sender.room, at: now)
    }

    private mutating func sendSpeakers(of room: String, at now: Duration? = nil) {
        let levels = rooms[room]?.levels ?? [:]
        if levels.isEmpty {
            rooms[room]?.speakersTime = nil
        } else if let now {
            rooms[room]?.speakersTime = now
        }
        deliver(.speakers(levels), to: others(than: nil, in: room), in: room)
    }

    /// Lets levels that are too old fall silent, and repeats the list when it is time to.
    mutating func refreshSpeakers(of room: String, at now: Duration) {
        guard let state = rooms[room], let sent = state.speakersTime else { return }
        var isDue = now - sent >= configuration.speakersInterval
        for (index, member) in state.members.enumerated()
        where member.level > 0 && now - member.levelTime >= configuration.silenceAfter {
            rooms[room]?.members[index].level = 0
            isDue = true
        }
        if isDue { sendSpeakers(of: room, at: now) }
    }

    /// How long until the room's speakers want another look; `nil` when a timer runs or nobody can be heard.
    func delayToArm(speakersTimerOf room: String, at now: Duration) -> Duration? {
        guard let state = rooms[room], state.speakersTimer == nil, let sent = state.speakersTime else { return nil }
        var due = sent + configuration.speakersInterval
        for member in state.members where member.level > 0 {
            due = min(due, member.levelTime + configuration.silenceAfter)
        }
        return max(.zero, due - now)
    }

    // MARK: Lost signals

    /// Marks a member's signal as lost and returns its connection, or `nil` when there is nothing to lose.
    mutating func loseSignal(of identity: String, in room: String) -> UInt64? {
        guard let state = rooms[room],
            let index = state.members.firstIndex(where: { $0.participant.identity == identity && $0.loss == nil })
        else { return nil }
        let member = state.members[index]
        let known = state.members.filter { other in
            other.connection != member.connection && !other.unannounced.contains(member.connection)
        }
        let receiving = state.streams.filter { $0.receivers.contains(member.connection) }
        member.buffer.append(.connection(.reconnecting))
        rooms[room]?.members[index].loss = Loss(
            known: known.map(\.participant.identity),
            receiving: receiving.map(\.header)
        )
        return member.connection
    }

    mutating func setLostTimer(_ timer: ClockTimer, of connection: UInt64, in room: String) {
        guard let index = rooms[room]?.index(of: connection) else { return }
        rooms[room]?.members[index].loss?.timer = timer
    }

    /// Ends a connection whose signal has not come back.
    mutating func giveUp(connection: UInt64, in room: String) {
        guard let index = rooms[room]?.index(of: connection), rooms[room]?.members[index].loss != nil else { return }
        remove(connection: connection, from: room, reason: .signalLost)
    }

    mutating func restoreSignal(of identity: String, in room: String, resuming: Bool, at now: Duration) {
        guard let state = rooms[room],
            let index = state.members.firstIndex(where: { $0.participant.identity == identity }),
            let loss = state.members[index].loss
        else { return }
        let connection = state.members[index].connection
        rooms[room]?.members[index].loss = nil
        if resuming, !loss.hasMissedTooMuch {
            deliver(.connection(.reconnected), to: connection, in: room)
            for event in loss.missed { deliver(event, to: connection, in: room) }
        } else {
            rejoin(connection, after: loss, in: room)
        }
        // The last list may have been missed, and silence is said as well.
        deliver(.speakers(rooms[room]?.levels ?? [:]), to: connection, in: room)
    }

    private mutating func rejoin(_ connection: UInt64, after loss: Loss, in room: String) {
        guard let index = rooms[room]?.index(of: connection), let participant = rooms[room]?.members[index].participant
        else { return }
        failStreams(of: connection, in: room, because: "The sender's connection was lost.")
        for index in rooms[room]?.streams.indices ?? 0..<0 {
            rooms[room]?.streams[index].receivers.removeAll { $0 == connection }
        }
        rooms[room]?.members[index].level = 0
        let others = others(than: connection, in: room)
        deliver(.participantLeft(identity: participant.identity), to: others, in: room)
        deliver(.participantJoined(participant), to: others, in: room)

        for header in loss.receiving {
            let part = TextStreamPart(header: header, content: .failed("The connection was lost."))
            deliver(.text(part), to: connection, in: room)
        }
        for identity in loss.known {
            deliver(.participantLeft(identity: identity), to: connection, in: room)
        }
        for member in rooms[room]?.members ?? [] where member.connection != connection {
            deliver(.participantJoined(member.participant), to: connection, in: room)
        }
        for index in rooms[room]?.members.indices ?? 0..<0 {
            rooms[room]?.members[index].unannounced.removeAll { $0 == connection }
        }
        deliver(.connection(.reconnected), to: connection, in: room)
    }
}

extension InMemoryRooms.Room {
    /// Who can be heard, by identity.
    var levels: [String: Double] {
        var levels: [String: Double] = [:]
        for member in members where member.level > 0 { levels[member.participant.identity] = member.level }
        return levels
    }
}

extension InMemoryRooms.Member {
    /// Keeps what a resumed connection is owed; lossy packets and levels are not.
    mutating func miss(_ event: TransportEvent, atMost limit: Int) {
        switch event {
        case .speakers: return
        case .data(let packet) where packet.reliability == .lossy: return
        default: break
        }
        guard let count = loss?.missed.count else { return }
        if count < limit {
            loss?.missed.append(event)
        } else {
            loss?.missed = []
            loss?.hasMissedTooMuch = true
        }
    }
}

extension TextStreamPart.Content {
    /// Whether nothing comes after this.
    var isEnd: Bool {
        switch self {
        case .ended, .failed: true
        case .opened, .chunk: false
        }
    }
}

extension DataPacket {
    /// Checks that a payload can be sent.
    ///
    /// - Throws: `payloadTooLarge`.
    package static func checkSize(of payload: [UInt8]) throws(TransportError) {
        guard payload.count > maximumReliableBytes else { return }
        throw TransportError(
            .payloadTooLarge(limit: maximumReliableBytes),
            "The payload has \(payload.count) bytes and a data packet holds at most \(maximumReliableBytes); "
                + "send it in parts or as a text stream."
        )
    }
}

extension Double {
    /// This number as a level in `0 ... 1`; NaN and infinities count as 0.
    package var clampedLevel: Double {
        isFinite ? min(1, max(0, self)) : 0
    }
}
