public import HopeTokens

/// The screen of background tasks: what is shown, with which words and colours.
///
/// Every text is safe for a terminal, times are relative and in English.
public struct TaskPanel: Hashable, Sendable {
    /// What stands in place of cards when there are none.
    public struct EmptyState: Hashable, Sendable {
        /// The headline.
        public let title: String
        /// What the reader can do.
        public let message: String
    }

    /// The screen's headline.
    public let title = "Tasks"
    /// The cards, the newest task first.
    public let cards: [TaskCard]
    /// The number of active tasks as it stands on the badge: nil at none, "99+" above 99.
    public let badge: String?
    /// The badge's fill; text on it is ``ColorToken/onIris``.
    public let badgeColor = ColorToken.activeBadge
    /// The colour of the mark that says a task failed; nil when none did.
    public let failureColor: ColorToken?
    /// What to show when there are no cards.
    public let emptyState: EmptyState?
    /// The toolbar button in words.
    public let spokenLabel: String

    /// Lays out a store.
    ///
    /// - Parameters:
    ///   - store: The tasks.
    ///   - now: Seconds since 1970.
    public init(_ store: TaskStore, now: Double) {
        cards = store.sortedTasks.map { TaskCard($0, now: now) }
        let active = store.activeCount
        badge = Self.badge(active)
        let failed = cards.count { $0.status == .failed }
        failureColor = failed > 0 ? .failedBadge : nil
        emptyState =
            cards.isEmpty
            ? EmptyState(title: "Nothing running", message: "Ask Hope to research or compare something.") : nil
        spokenLabel = "Tasks, \(active == 0 ? "none" : "\(active)") active" + (failed > 0 ? ", \(failed) failed" : "")
    }

    /// The text of a badge that counts `count`: nil at 0, "99+" above 99.
    public static func badge(_ count: Int) -> String? {
        switch count {
        case ...0: nil
        case ...99: String(count)
        default: "99+"
        }
    }

    /// The panel as plain lines for a terminal, without colour; no line holds a control character.
    public var lines: [String] {
        guard emptyState == nil else {
            return [emptyState?.title, emptyState?.message].compactMap(\.self)
        }
        var lines = [spokenLabel]
        for card in cards {
            lines.append("")
            lines.append(card.title)
            lines.append(
                "  " + ([card.statusLabel] + [card.time].compactMap(\.self) + card.notes).joined(separator: ", ")
            )
            for step in card.steps {
                Self.append(step.content, after: step.label + (step.isLate ? " (late)" : ""), to: &lines)
            }
            for outcome in card.outcomes { Self.append(outcome.text, after: outcome.label, to: &lines) }
        }
        return lines
    }

    private static func append(_ text: String, after label: String, to lines: inout [String]) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let safe = TerminalText.singleLine(String(line))
            lines.append(index == 0 ? "  \(label): \(safe)" : "    \(safe)")
        }
    }
}
