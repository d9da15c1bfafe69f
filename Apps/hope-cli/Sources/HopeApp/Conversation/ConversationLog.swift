internal import Foundation
internal import MediaSync
internal import PresenceKit
internal import TaskFeed
internal import TransportCore

/// A conversation as lines, as it happens: JSON for programs, words for people.
///
/// It folds the task events that pass through, since only here do conversation and tasks meet.
struct ConversationLog {
    /// How lines are written.
    enum Form: Sendable {
        case json
        case words
    }

    private let form: Form
    private let startedAt: Double
    private(set) var tasks = TaskStore()
    private var badge = 0
    /// What was printed of each row last, by id.
    private var printedRows: [String: Printed] = [:]

    private struct Printed: Equatable {
        var text: String
        var isFinal: Bool
    }

    /// Begins a log at a time of day, in seconds since 1970.
    init(_ form: Form, startedAt: Double) {
        self.form = form
        self.startedAt = startedAt
    }

    /// The lines that a change makes; none for what nobody needs to read.
    mutating func lines(for change: SessionChange) -> [String] {
        if case .packet(let packet) = change.kind { return lines(for: packet, at: change.time) }
        if case .row(let row) = change.kind {
            let printed = Printed(text: row.text, isFinal: row.isFinal)
            // A row that only changed otherwise, as when it was sent, is no news.
            guard printedRows.updateValue(printed, forKey: row.id) != printed else { return [] }
        }
        switch form {
        case .json: return Self.members(of: change.kind).map { line(at: change.time, $0.name, $0.value) }
        case .words: return Self.words(for: change.kind).map { storyLine(at: change.time, $0) }
        }
    }

    private mutating func lines(for packet: DataPacket, at time: Duration) -> [String] {
        let changes: [TaskChange]
        do {
            changes = try tasks.fold(packet, at: startedAt + time.inSeconds)
        } catch {
            return form == .json
                ? [line(at: time, "notice", .string("\(error)"))]
                : [storyLine(at: time, "A task event was not read: \(error)")]
        }
        var lines: [String] = []
        for id in changes.map(\.id) {
            guard let task = tasks[id], lines.isEmpty else { continue }
            switch form {
            case .json: lines.append(line(at: time, "task", task.jsonValue))
            case .words: lines.append(storyLine(at: time, Self.words(for: task)))
            }
        }
        if form == .json, tasks.activeCount != badge {
            lines.append(line(at: time, "badge", .integer(tasks.activeCount)))
        }
        badge = tasks.activeCount
        return lines
    }

    private func line(at time: Duration, _ name: String, _ value: JSONValue) -> String {
        JSONValue.object(["t": .number(Double(time.inMilliseconds) / 1000), name: value]).text
    }

    // MARK: JSON

    private static func members(of kind: SessionChange.Kind) -> [(name: String, value: JSONValue)] {
        switch kind {
        case .session(let state): [("session", .string(name(of: state)))] + reason(of: state)
        case .reconnecting(let isReconnecting): [("reconnecting", .bool(isReconnecting))]
        case .phase(let phase): [("phase", .string(phase.rawValue))]
        case .thinkingChip(let isShown): [("thinking_chip", .bool(isShown))]
        case .bargeIn(let isBargeIn): [("barge_in", .bool(isBargeIn))]
        case .row(let row): [("row", json(of: row))]
        case .removed(let id): [("removed", .string(id))]
        case .announce(let text): [("announce", .string(text))]
        case .microphoneError(let error): [("microphone_error", .string(error?.message))]
        case .notice(let text): [("notice", .string(text))]
        case .levels(let microphone, let agent):
            [("level", ["microphone": .number(microphone), "agent": .number(agent)])]
        case .sent(ConversationTopic.mediaState, let payload): media(payload).map { [("media", $0)] } ?? []
        case .packet, .models, .selectedModel, .microphone, .settings, .sent: []
        }
    }

    /// What the room was told of its media, without the message's type.
    private static func media(_ payload: [UInt8]) -> JSONValue? {
        guard let members = (try? JSONValue(parsing: payload))?.members else { return nil }
        return .object(members.filter { $0.name != "type" })
    }

    private static func reason(of state: VoiceSessionState) -> [(name: String, value: JSONValue)] {
        if case .failed(let reason) = state { [("reason", .string(reason))] } else { [] }
    }

    private static func name(of state: VoiceSessionState) -> String {
        switch state {
        case .idle: "idle"
        case .connecting: "connecting"
        case .waitingAgent: "waiting_agent"
        case .ready: "ready"
        case .failed: "failed"
        }
    }

    private static func json(of row: TranscriptRow) -> JSONValue {
        [
            "id": .string(row.id), "role": .string(row.role.rawValue), "text": .string(row.text),
            "final": .bool(row.isFinal),
        ]
    }

    // MARK: Words

    private static func words(for kind: SessionChange.Kind) -> [String] {
        switch kind {
        case .session(.connecting): ["Connecting…"]
        case .session(.waitingAgent): ["Waiting for Hope…"]
        case .session(.ready): ["Hope is there"]
        case .session(.idle): ["Hung up"]
        case .session(.failed(let reason)): ["Failed: \(reason)"]
        case .reconnecting(let isReconnecting): [isReconnecting ? "Reconnecting…" : "Connected again"]
        case .phase(let phase): words(for: phase).map { [$0] } ?? []
        case .thinkingChip(true): ["Still thinking…"]
        case .bargeIn(true): ["Both are heard: the person barges in"]
        case .row(let row) where row.isFinal: ["\(row.role.spokenName): \(TerminalText.singleLine(row.text))"]
        case .microphoneError(let error?): ["Microphone: \(error.message)"]
        case .notice(let text): [TerminalText.singleLine(text)]
        case .sent(ConversationTopic.mediaState, let payload): media(payload).map { [words(forMedia: $0)] } ?? []
        default: []
        }
    }

    private static func words(for phase: ConversationState.Phase) -> String? {
        switch phase {
        case .listening: "Listening"
        case .thinking: "Thinking"
        case .speaking: "Speaking"
        // The session's own lines say these.
        case .idle, .connecting, .failed: nil
        }
    }

    private static func words(forMedia state: JSONValue) -> String {
        guard let id = state["track_id"]?.stringValue else { return "Media: nothing loaded" }
        let title = TerminalText.singleLine(state["title"]?.stringValue ?? id)
        let isPlaying = state["playing"]?.boolValue == true
        return
            "Media: \(title), \(isPlaying ? "playing" : "silent") at \(MediaTime.text(state["position"]?.doubleValue))"
    }

    private static func words(for task: TaskItem) -> String {
        let what = TerminalText.singleLine(task.description ?? task.id)
        let news =
            switch task.status {
            case .completed: task.result
            case .failed: task.error
            default: task.steps.last?.content
            }
        return "Task \(what): \(task.status.rawValue)" + (news.map { " · \(TerminalText.singleLine($0))" } ?? "")
    }
}
