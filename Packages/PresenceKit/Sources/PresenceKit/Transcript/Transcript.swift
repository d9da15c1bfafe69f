public import TransportCore

/// What was said in a conversation, in the order in which it was said.
///
/// Text streams of the transcription topic, typed messages and notices go in; every call returns what changed. One
/// segment is one row: a partial grows in place, its final replaces it, and a partial that comes after its final is
/// ignored. Two finals of one speaker with the same text within three seconds are one message. Rows stand in the
/// order of their times, those of equal time in the order of arrival, and a row does not move once it is final.
///
/// An event costs time that grows with the logarithm of the number of rows at most, and the rows are bounded by
/// ``TranscriptLimits``.
public struct Transcript: Sendable {
    /// Two finals with the same text are one message up to this many seconds apart.
    public static let repetitionWindow = 3.0

    /// The identity of the person's own participant: streams from it are what the person said.
    public private(set) var localIdentity: String
    /// How much is kept.
    public let limits: TranscriptLimits

    private var conversation = 1
    private var arrivals = 0
    private var stored: [Int: StoredRow] = [:]
    private var order = OrderedRowIndex()
    private var handles: [String: Int] = [:]
    private var finals: [FinalText: [FinalMark]] = [:]

    private var streams: [StreamKey: Stream] = [:]
    private var streamSequence = 0
    private var segments: BoundedMap<SegmentKey, Segment>
    /// The segment of each stream that names none.
    private var namelessStreams: BoundedMap<SegmentKey, SegmentKey>
    private var openUtterances: [TranscriptRole: SegmentKey] = [:]
    private var brokenUtterances: [TranscriptRole: SegmentKey] = [:]
    /// Typed messages that were a repetition: the row that stands for them.
    private var typedRows: BoundedMap<String, Int>

    /// Makes an empty transcript.
    ///
    /// - Parameters:
    ///   - localIdentity: The identity of the person's own participant.
    ///   - limits: How much is kept.
    public init(localIdentity: String, limits: TranscriptLimits = TranscriptLimits()) {
        self.localIdentity = localIdentity
        self.limits = limits
        // Streams without a segment name come several to a row, and rows may have gone while their segment has not.
        segments = BoundedMap(capacity: 2 * limits.rows)
        namelessStreams = BoundedMap(capacity: 4 * limits.rows)
        typedRows = BoundedMap(capacity: 2 * limits.rows)
    }

    // MARK: Reading

    /// The number of rows.
    public var count: Int { order.count }

    /// All rows, oldest first.
    public var rows: [TranscriptRow] { order.ascending.compactMap { stored[$0.arrival]?.row } }

    /// The row with this id, or nil.
    public func row(id: String) -> TranscriptRow? { handles[id].flatMap { stored[$0]?.row } }

    /// The newest rows that meet a condition, oldest of them first; the cost does not grow with the rows above them.
    ///
    /// - Parameters:
    ///   - limit: The most rows to give.
    ///   - isIncluded: The condition; every row meets it unless told otherwise.
    /// - Returns: Rows of this conversation and of those before it.
    public func newest(
        _ limit: Int,
        where isIncluded: (TranscriptRow) -> Bool = { _ in true }
    ) -> [TranscriptRow] {
        var newest: [TranscriptRow] = []
        for position in order.descending {
            guard newest.count < limit else { break }
            if let row = stored[position.arrival]?.row, isIncluded(row) { newest.append(row) }
        }
        return newest.reversed()
    }

    // MARK: Conversations

    /// Begins a new conversation below the rows that are there.
    ///
    /// Streams and segments of the conversation before are forgotten; its partials stay, as interrupted.
    ///
    /// - Parameter localIdentity: The identity of the person's own participant in the new conversation.
    /// - Returns: What changed.
    public mutating func beginConversation(localIdentity: String) -> [TranscriptChange] {
        let changes = interruptOpenStreams()
        self.localIdentity = localIdentity
        conversation += 1
        segments.removeAll()
        namelessStreams.removeAll()
        openUtterances = [:]
        brokenUtterances = [:]
        finals = [:]
        return changes
    }

    /// Puts stored finals above every row of this and of later conversations.
    ///
    /// - Parameter rows: Rows from the history, oldest first; those that are not final or are blank are left out.
    public mutating func restore(_ rows: [TranscriptRow]) {
        for var row in rows where row.isFinal && !TranscriptText.isBlank(row.text) {
            row = TranscriptRow(
                id: freeID(row.id),
                role: row.role,
                text: row.text,
                isFinal: true,
                time: row.time.isFinite ? row.time : 0,
                isInterrupted: row.isInterrupted,
                isTruncated: row.isTruncated,
                delivery: row.delivery
            )
            _ = insert(row, conversation: 0)
        }
        _ = trim()
    }

    /// Removes every row; what is being said goes on in new ones.
    ///
    /// - Returns: The removals, oldest row first.
    public mutating func clear() -> [TranscriptChange] {
        let changes: [TranscriptChange] = rows.map { .removed(id: $0.id) }
        stored = [:]
        order.removeAll()
        handles = [:]
        finals = [:]
        typedRows.removeAll()
        segments.updateAll { segment in
            segment.handle = nil
            // A replay of what was cleared must not bring it back.
            if segment.isClosed { segment.isSettled = true }
        }
        return changes
    }

    // MARK: Local rows

    /// Adds a message that the person typed, final at once.
    ///
    /// - Parameters:
    ///   - id: A name for the message, new in this transcript.
    ///   - text: What was typed; a blank text makes no row.
    ///   - time: Seconds since 1970.
    /// - Returns: What changed; nothing when the same text is there already within the repetition window.
    public mutating func addTyped(id: String, text: String, time: Double) -> [TranscriptChange] {
        guard !TranscriptText.isBlank(text) else { return [] }
        let time = sanitized(time)
        if let twin = twin(role: .user, text: text, time: time, besides: nil) {
            typedRows.set(twin, for: id)
            return []
        }
        let row = TranscriptRow(
            id: freeID(id),
            role: .user,
            text: text,
            isFinal: true,
            time: time,
            delivery: .sending
        )
        let handle = insert(row, conversation: conversation)
        typedRows.set(handle, for: id)
        addFinalMark(handle, time: time)
        return reported(.row(row, isNew: true, isNewFinal: true))
    }

    /// Says what became of a typed message, of this or of an earlier run.
    ///
    /// - Parameters:
    ///   - delivery: What became of it.
    ///   - id: The name that the message was added with, or its row's id.
    /// - Returns: What changed.
    public mutating func setDelivery(_ delivery: TranscriptRow.Delivery, ofTyped id: String) -> [TranscriptChange] {
        guard let handle = typedRows[id] ?? handles[id], let row = stored[handle]?.row, row.delivery != delivery else {
            return []
        }
        // A repetition of what the room has already is delivered, whatever became of its own stream.
        if row.delivery == .received { return [] }
        stored[handle]?.row.delivery = delivery
        return change(of: handle, isNew: false, isNewFinal: false)
    }

    /// Adds a row from the app itself, final at once.
    ///
    /// - Parameters:
    ///   - id: A name for the notice, new in this transcript.
    ///   - text: What to say; a blank text makes no row.
    ///   - time: Seconds since 1970.
    /// - Returns: What changed.
    public mutating func addNotice(id: String, text: String, time: Double) -> [TranscriptChange] {
        guard !TranscriptText.isBlank(text) else { return [] }
        let time = sanitized(time)
        guard twin(role: .system, text: text, time: time, besides: nil) == nil else { return [] }
        let row = TranscriptRow(id: freeID(id), role: .system, text: text, isFinal: true, time: time)
        let handle = insert(row, conversation: conversation)
        addFinalMark(handle, time: time)
        return reported(.row(row, isNew: true, isNewFinal: true))
    }

    // MARK: Streams

    /// Takes one step of a text stream; topics other than transcription change nothing.
    ///
    /// Parts of a stream whose opening was not seen, or which was forgotten since, change nothing either.
    ///
    /// - Parameters:
    ///   - part: What happened to the stream.
    ///   - receivedAt: When, in seconds since 1970; the row's time where the stream's header has none.
    /// - Returns: What changed.
    public mutating func apply(_ part: TextStreamPart, receivedAt: Double) -> [TranscriptChange] {
        let key = StreamKey(sender: part.header.sender, id: part.header.id)
        return switch part.content {
        case .opened: open(part.header, key, receivedAt: receivedAt)
        case .chunk(let text): append(text, to: key)
        case .ended(let attributes): end(key, attributes: attributes)
        case .failed: fail(key)
        }
    }

    /// Marks what is being said as interrupted and forgets its streams, as when the connection is lost.
    ///
    /// Text that the room sends again after reconnecting completes the same rows.
    ///
    /// - Returns: What changed.
    public mutating func interruptOpenStreams() -> [TranscriptChange] {
        streams.sorted { $0.value.sequence < $1.value.sequence }.flatMap { fail($0.key) }
    }

    private mutating func open(
        _ header: TextStreamHeader,
        _ key: StreamKey,
        receivedAt: Double
    ) -> [TranscriptChange] {
        guard header.topic == ConversationTopic.transcription else { return [] }
        let role: TranscriptRole = header.sender == localIdentity ? .user : .agent
        var changes: [TranscriptChange] = []
        streams[key] = nil
        if streams.count >= limits.openStreams,
            let oldest = streams.min(by: { $0.value.sequence < $1.value.sequence })?.key
        {
            changes = fail(oldest)
        }
        streamSequence += 1
        var stream = Stream(
            sequence: streamSequence,
            role: role,
            time: header.timestamp.flatMap { $0.isFinite ? $0 : nil } ?? sanitized(receivedAt),
            declaredFinal: Self.declaredFinal(header.attributes)
        )
        if let name = header.attributes[TranscriptAttribute.segment], !name.isEmpty {
            stream.segment = SegmentKey(role: role, name: name, isStream: false)
        }
        streams[key] = stream
        return changes
    }

    private mutating func append(_ text: String, to key: StreamKey) -> [TranscriptChange] {
        guard var stream = streams.removeValue(forKey: key) else { return [] }
        stream.append(text, limit: limits.textBytes)
        let changes = update(&stream, key, text: stream.visibleText, completion: .open)
        streams[key] = stream
        return changes
    }

    private mutating func end(_ key: StreamKey, attributes: [String: String]) -> [TranscriptChange] {
        guard var stream = streams.removeValue(forKey: key) else { return [] }
        if let declared = Self.declaredFinal(attributes) { stream.declaredFinal = declared }
        let completion: Completion =
            switch (stream.role, stream.declaredFinal) {
            case (_, true?): .final(isDeclared: true)
            case (_, nil): .final(isDeclared: true)
            case (.agent, false?): .final(isDeclared: false)
            case (_, false?): .partial
            }
        return update(&stream, key, text: stream.finishedText(), completion: completion)
    }

    private mutating func fail(_ key: StreamKey) -> [TranscriptChange] {
        guard var stream = streams.removeValue(forKey: key) else { return [] }
        return update(&stream, key, text: stream.visibleText, completion: .broken)
    }

    private static func declaredFinal(_ attributes: [String: String]) -> Bool? {
        switch attributes[TranscriptAttribute.isFinal]?.lowercased() {
        case "true": true
        case "false": false
        default: nil
        }
    }

    // MARK: Segments

    private enum Completion {
        /// More text may follow in this stream.
        case open
        /// The stream is complete, the segment is not.
        case partial
        /// The stream broke off.
        case broken
        /// The segment is complete; not declared when an agent's stream ended although it was called partial.
        case final(isDeclared: Bool)
    }

    private mutating func update(
        _ stream: inout Stream,
        _ key: StreamKey,
        text: String,
        completion: Completion
    ) -> [TranscriptChange] {
        let isBlank = TranscriptText.isBlank(text)
        guard let name = stream.segment ?? segmentForNameless(stream, key, text: text, isBlank: isBlank) else {
            return []
        }
        stream.segment = name
        var segment = segments[name] ?? Segment()
        let changes: [TranscriptChange]
        if case .final(let isDeclared) = completion {
            changes = complete(&segment, name, stream, text: text, isBlank: isBlank, isDeclared: isDeclared)
        } else {
            changes = grow(&segment, name, stream, text: text, isBlank: isBlank, completion: completion)
        }
        segments.set(segment, for: name)
        return changes
    }

    /// The speaker's open utterance for a stream that names no segment, or a new one once there is something to show.
    private mutating func segmentForNameless(
        _ stream: Stream,
        _ key: StreamKey,
        text: String,
        isBlank: Bool
    ) -> SegmentKey? {
        let own = SegmentKey(role: stream.role, name: key.id, isStream: true)
        if let known = namelessStreams[own] { return known }
        let name: SegmentKey
        if let open = openUtterances[stream.role] {
            name = open
        } else if isBlank {
            return nil
        } else if let broken = brokenUtterances[stream.role],
            let handle = segments[broken]?.handle, let shown = stored[handle]?.row.text,
            text.hasPrefix(shown) || shown.hasPrefix(text)
        {
            // The room sends again what broke off; another text would be another utterance.
            name = broken
        } else {
            name = own
        }
        namelessStreams.set(name, for: own)
        return name
    }

    private mutating func grow(
        _ segment: inout Segment,
        _ name: SegmentKey,
        _ stream: Stream,
        text: String,
        isBlank: Bool,
        completion: Completion
    ) -> [TranscriptChange] {
        guard !segment.isClosed, stream.sequence >= segment.owner else { return [] }
        // A later stream takes the segment over, unless it was begun before the one that is shown.
        if stream.sequence != segment.owner {
            if stream.time < segment.ownerTime { return [] }
            if isBlank, case .open = completion { return [] }
            if isBlank, case .broken = completion { return [] }
        }
        segment.owner = stream.sequence
        segment.ownerTime = stream.time

        var isBroken = false
        switch completion {
        case .broken: isBroken = true
        case .partial where isBlank:
            defer { segment.handle = nil }
            if name.isStream { openUtterances[name.role] = name }
            return segment.handle.map { remove($0) } ?? []
        default: break
        }
        if name.isStream {
            openUtterances[name.role] = isBroken ? nil : name
            if isBroken {
                brokenUtterances[name.role] = name
            } else if brokenUtterances[name.role] == name {
                brokenUtterances[name.role] = nil
            }
        }

        guard let handle = segment.handle, let shown = stored[handle]?.row else {
            guard !isBlank else { return [] }
            var row = TranscriptRow(
                id: freeID(name.name),
                role: name.role,
                text: text,
                isFinal: false,
                time: stream.time
            )
            row.isInterrupted = isBroken
            row.isTruncated = stream.isTruncated
            segment.handle = insert(row, conversation: conversation)
            return reported(.row(row, isNew: true, isNewFinal: false))
        }
        var row = shown
        // Text that is sent again from its start does not shrink what is shown until it says something else.
        let isCatchingUp: Bool
        switch completion {
        case .open, .broken: isCatchingUp = shown.text.hasPrefix(text)
        default: isCatchingUp = false
        }
        if !isCatchingUp {
            row.text = text
            row.isTruncated = stream.isTruncated
        }
        row.isInterrupted = isBroken
        row.time = min(row.time, stream.time)
        return replace(handle, with: row)
    }

    private mutating func complete(
        _ segment: inout Segment,
        _ name: SegmentKey,
        _ stream: Stream,
        text: String,
        isBlank: Bool,
        isDeclared: Bool
    ) -> [TranscriptChange] {
        if segment.isClosed {
            // Only a newer final, called so, corrects one that is there.
            let corrects = isDeclared && !isBlank && !segment.isSettled && stream.time >= segment.ownerTime
            guard corrects else { return [] }
        }
        if name.isStream {
            if openUtterances[name.role] == name { openUtterances[name.role] = nil }
            if brokenUtterances[name.role] == name { brokenUtterances[name.role] = nil }
        }
        segment.isClosed = true
        segment.owner = max(segment.owner, stream.sequence)
        segment.ownerTime = stream.time
        if isBlank {
            defer { segment.handle = nil }
            return segment.handle.map { remove($0) } ?? []
        }

        if let twin = twin(role: name.role, text: text, time: stream.time, besides: segment.handle) {
            var changes = segment.handle.map { remove($0) } ?? []
            segment.handle = nil
            segment.isSettled = true
            // Its echo shows that a typed message arrived.
            switch stored[twin]?.row.delivery {
            case .sending, .failed:
                stored[twin]?.row.delivery = .sent
                changes += change(of: twin, isNew: false, isNewFinal: false)
            default: break
            }
            return changes
        }

        guard let handle = segment.handle, let shown = stored[handle]?.row else {
            let row = TranscriptRow(
                id: freeID(name.name),
                role: name.role,
                text: text,
                isFinal: true,
                time: stream.time,
                isTruncated: stream.isTruncated
            )
            let handle = insert(row, conversation: conversation)
            segment.handle = handle
            addFinalMark(handle, time: stream.time)
            return reported(.row(row, isNew: true, isNewFinal: true))
        }
        removeFinalMark(handle)
        var row = shown
        row.text = text
        row.isTruncated = stream.isTruncated
        row.isInterrupted = false
        if !shown.isFinal { row.time = min(row.time, stream.time) }
        row.isFinal = true
        let changes = replace(handle, with: row)
        addFinalMark(handle, time: stream.time)
        return changes
    }

    // MARK: Rows

    private func sanitized(_ time: Double) -> Double { time.isFinite ? time : 0 }

    private func freeID(_ wanted: String) -> String {
        guard handles[wanted] != nil else { return wanted }
        var number = 2
        while handles["\(wanted)~\(number)"] != nil { number += 1 }
        return "\(wanted)~\(number)"
    }

    private mutating func insert(_ row: TranscriptRow, conversation: Int) -> Int {
        arrivals += 1
        let position = RowPosition(conversation: conversation, time: row.time, arrival: arrivals)
        stored[arrivals] = StoredRow(row: row, position: position)
        handles[row.id] = arrivals
        order.insert(position)
        return arrivals
    }

    private mutating func replace(_ handle: Int, with row: TranscriptRow) -> [TranscriptChange] {
        guard var old = stored[handle], old.row != row else { return [] }
        let wasFinal = old.row.isFinal
        if old.position.time != row.time {
            order.remove(old.position)
            old.position.time = row.time
            order.insert(old.position)
        }
        old.row = row
        stored[handle] = old
        return change(of: handle, isNew: false, isNewFinal: row.isFinal && !wasFinal)
    }

    private mutating func remove(_ handle: Int) -> [TranscriptChange] {
        removeFinalMark(handle)
        guard let old = stored.removeValue(forKey: handle) else { return [] }
        order.remove(old.position)
        handles[old.row.id] = nil
        return [.removed(id: old.row.id)]
    }

    private func change(of handle: Int, isNew: Bool, isNewFinal: Bool) -> [TranscriptChange] {
        stored[handle].map { [.row($0.row, isNew: isNew, isNewFinal: isNewFinal)] } ?? []
    }

    /// A new row's change, with the rows that had to go for it; nothing when it is itself the oldest beyond the limit.
    private mutating func reported(_ change: TranscriptChange) -> [TranscriptChange] {
        let trimmed = trim()
        if let row = change.row, trimmed.contains(.removed(id: row.id)) {
            return trimmed.filter { $0 != .removed(id: row.id) }
        }
        return [change] + trimmed
    }

    private mutating func trim() -> [TranscriptChange] {
        var changes: [TranscriptChange] = []
        while order.count > limits.rows, let oldest = order.first { changes += remove(oldest.arrival) }
        return changes
    }

    // MARK: Repetitions

    private mutating func addFinalMark(_ handle: Int, time: Double) {
        guard let row = stored[handle]?.row else { return }
        let text = FinalText(role: row.role, text: TranscriptText.normalized(row.text))
        stored[handle]?.final = (text, time)
        let index = Self.firstMark(in: finals[text] ?? [], at: time)
        finals[text, default: []].insert(FinalMark(time: time, handle: handle), at: index)
    }

    private mutating func removeFinalMark(_ handle: Int) {
        guard let (text, time) = stored[handle]?.final else { return }
        stored[handle]?.final = nil
        var index = Self.firstMark(in: finals[text] ?? [], at: time)
        while let marks = finals[text], index < marks.count, marks[index].time == time {
            if marks[index].handle == handle {
                finals[text]?.remove(at: index)
                if finals[text]?.isEmpty == true { finals[text] = nil }
                return
            }
            index += 1
        }
    }

    /// Another final with the same text within the repetition window.
    private func twin(role: TranscriptRole, text: String, time: Double, besides own: Int?) -> Int? {
        let text = FinalText(role: role, text: TranscriptText.normalized(text))
        guard let marks = finals[text] else { return nil }
        var index = Self.firstMark(in: marks, at: time - Self.repetitionWindow)
        while index < marks.count, marks[index].time - time <= Self.repetitionWindow {
            if marks[index].handle != own, time - marks[index].time <= Self.repetitionWindow {
                return marks[index].handle
            }
            index += 1
        }
        return nil
    }

    private static func firstMark(in marks: [FinalMark], at time: Double) -> Int {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].time < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Storage

    private struct StoredRow: Sendable {
        var row: TranscriptRow
        var position: RowPosition
        var final: (text: FinalText, time: Double)?
    }

    private struct FinalText: Hashable, Sendable {
        var role: TranscriptRole
        var text: String
    }

    private struct FinalMark: Sendable {
        var time: Double
        var handle: Int
    }

    private struct StreamKey: Hashable, Sendable {
        var sender: String
        var id: String
    }

    private struct SegmentKey: Hashable, Sendable {
        var role: TranscriptRole
        var name: String
        /// Named after a stream, since the speaker's streams name no segment.
        var isStream: Bool
    }

    private struct Segment: Sendable {
        var handle: Int?
        var isClosed = false
        /// Closed for good: its row is another segment's, or was cleared.
        var isSettled = false
        /// The newest stream that gave the segment its text.
        var owner = 0
        var ownerTime = -Double.infinity
    }

    private struct Stream: Sendable {
        let sequence: Int
        let role: TranscriptRole
        let time: Double
        var declaredFinal: Bool?
        var segment: SegmentKey?
        var isTruncated = false
        private var bytes = 0
        private var filter: DeliveryMarkerFilter?
        private var plain = ""

        init(sequence: Int, role: TranscriptRole, time: Double, declaredFinal: Bool?) {
            self.sequence = sequence
            self.role = role
            self.time = time
            self.declaredFinal = declaredFinal
            filter = role == .agent ? DeliveryMarkerFilter() : nil
        }

        var visibleText: String { filter?.visibleText ?? plain }

        mutating func append(_ text: String, limit: Int) {
            guard !isTruncated else { return }
            var kept = text
            bytes += text.utf8.count
            if bytes > limit {
                isTruncated = true
                var end = text.utf8.index(text.startIndex, offsetBy: text.utf8.count - (bytes - limit))
                while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
                kept = String(text[..<end])
            }
            if filter == nil { plain += kept } else { filter?.append(kept) }
        }

        mutating func finishedText() -> String { filter?.finish() ?? plain }
    }
}
