internal import PresenceKit
internal import TaskFeed
internal import TransportCore

/// Whether what was typed has been answered, and what it set off has come to its end.
struct AnswerFollower {
    private(set) var isAnswered = true
    private var tasks = TaskStore()
    private var announcesTask = false

    /// Whether an answer or a task is still to come.
    var isBusy: Bool { !isAnswered || announcesTask || tasks.activeCount > 0 }

    mutating func sent() {
        isAnswered = false
    }

    mutating func follow(_ change: SessionChange) {
        switch change.kind {
        case .row(let row) where row.role == .agent && row.isFinal:
            isAnswered = true
            announcesTask = row.text.contains("in the background")
        case .packet(let packet):
            // An event that cannot be read is told elsewhere, and changes nothing here.
            _ = try? tasks.fold(packet, at: change.time.inSeconds)
            announcesTask = false
        default: break
        }
    }
}
