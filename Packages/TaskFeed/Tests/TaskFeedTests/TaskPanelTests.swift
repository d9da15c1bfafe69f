import HopeTokens
import TaskFeed
import Testing

struct TaskPanelTests {
    private func card(_ events: TaskEvent..., now: Double = 0) throws -> TaskCard {
        var store = TaskStore()
        for event in events { store.fold(event) }
        return try #require(TaskPanel(store, now: now).cards.first)
    }

    @Test(arguments: [(0, nil), (1, "1"), (99, "99"), (100, "99+"), (Int.max, "99+"), (-1, nil)])
    func badgeText(_ count: Int, _ text: String?) {
        #expect(TaskPanel.badge(count) == text)
    }

    @Test func emptyStateInvites() {
        let panel = TaskPanel(TaskStore(), now: 0)
        #expect(panel.badge == nil)
        #expect(panel.emptyState?.title == "Nothing running")
        #expect(panel.emptyState?.message == "Ask Hope to research or compare something.")
        #expect(panel.lines == ["Nothing running", "Ask Hope to research or compare something."])
        #expect(panel.spokenLabel == "Tasks, none active")
        #expect(panel.failureColor == nil)
    }

    @Test(arguments: [
        (TaskEvent.Kind.created, "Pending", UInt32(0x8395AD)), (.step, "Running", 0x8BA7FF),
        (.waiting, "Waiting for you", 0xFFB38E), (.completed, "Completed", 0x76D9B2), (.failed, "Failed", 0xFF806F),
        (.canceled, "Canceled", 0x8395AD),
    ])
    func statusIsADotAndAWord(_ kind: TaskEvent.Kind, _ label: String, _ rgb: UInt32) throws {
        let card = try card(TaskEvent(taskID: "a", kind: kind))
        #expect(card.statusLabel == label)
        #expect(card.dot.color.value == ColorValue(rgb: rgb))
        #expect(card.dot.pulses == (kind == .step))
        #expect(card.spokenLabel.contains(label))
    }

    @Test(arguments: [
        (TaskStep.Role.thinking, "Thinking", UInt32(0x8BA7FF)), (.toolCall, "Tool call", 0x6F8FF7),
        (.toolResult, "Tool result", 0x8395AD), (.text, "Text", 0xF4F7FB), (.other("critic"), "critic", 0xC5D1E2),
    ])
    func rolesHaveWordsAndColours(_ role: TaskStep.Role, _ label: String, _ rgb: UInt32) throws {
        let row = try #require(try card(.step("a", role, "so")).steps.first)
        #expect(row.label == label)
        #expect(row.color.value == ColorValue(rgb: rgb))
        #expect(row.spokenLabel == "\(label): so")
    }

    @Test func resultIsMintAndErrorIsDanger() throws {
        let completed = try card(.completed("a", result: "r")).outcomes
        #expect(completed.map(\.color) == [.mint])
        #expect(completed.map(\.text) == ["r"])
        let failed = try card(.failed("a", error: "e")).outcomes
        #expect(failed.map(\.color) == [.danger])
        #expect(failed.map(\.label) == ["Error"])
    }

    @Test func onlyARunningDotPulses() throws {
        let running = try card(.step("a", .text, "")).dot
        #expect(running.opacity(at: 0) == 1)
        #expect(abs(running.opacity(at: 0.7) - 0.3) < 1e-9)
        #expect(running.opacity(at: 0.7, reducedMotion: true) == 1)
        #expect(try card(.created("a", description: nil)).dot.opacity(at: 0.7) == 1)
    }

    @Test func spokenLabelTellsEverythingInWords() throws {
        let card = try card(
            .created("a", description: "Compare editors", at: 100),
            .step("a", .text, "1"),
            .step("a", .text, "2"),
            now: 100 + 720
        )
        #expect(
            card.spokenLabel
                == "Compare editors. Running. 2 steps. Started 12 minutes ago. No news since 12 minutes ago."
        )
        #expect(card.time == "12 min ago")
        #expect(card.notes == ["no news since 12 min ago"])
    }

    @Test func lateStepsAreMarkedInWords() throws {
        let row = try #require(try card(.completed("a", result: nil), .step("a", .text, "more")).steps.first)
        #expect(row.isLate)
        #expect(row.spokenLabel == "Text, late: more")
    }

    @Test func aTaskWithoutDescriptionIsCalledByItsID() throws {
        #expect(try card(.step("738e422c", .text, "")).title == "Task 738e422c")
    }

    @Test(arguments: [
        (-5.0, "just now", "just now"), (59.9, "just now", "just now"), (60, "1 min ago", "1 minute ago"),
        (3_599, "59 min ago", "59 minutes ago"), (3_600, "1 h ago", "1 hour ago"), (7_200, "2 h ago", "2 hours ago"),
        (86_399, "23 h ago", "23 hours ago"), (86_400, "1 d ago", "1 day ago"), (200_000, "2 d ago", "2 days ago"),
        (.nan, "just now", "just now"), (.infinity, "11574074074 d ago", "11574074074 days ago"),
    ])
    func relativeTimes(_ age: Double, _ short: String, _ spoken: String) {
        #expect(RelativeTime.short(since: 0, now: age) == short)
        #expect(RelativeTime.spoken(since: 0, now: age) == spoken)
    }

    @Test("T5: no control or escape character reaches the screen")
    func everyTextIsSafe() throws {
        let hostile = "a\u{1B}]0;x\u{7}\u{9B}2J\u{7F}\0\u{202E}\r\nb"
        var store = TaskStore()
        store.fold(.created(hostile, description: hostile))
        store.fold(.created("\u{1B}c", description: nil))
        store.fold(.step(hostile, .other(hostile), hostile))
        store.fold(.failed(hostile, error: hostile))
        let panel = TaskPanel(store, now: 0)
        let texts = panel.cards.flatMap { card in
            [card.title, card.spokenLabel] + card.steps.flatMap { [$0.label, $0.content, $0.spokenLabel] }
                + card.outcomes.map(\.text)
        }
        for text in texts + panel.lines {
            #expect(
                !text.unicodeScalars.contains { $0 != "\n" && ($0.value < 0x20 || (0x7F...0x9F).contains($0.value)) }
            )
            #expect(!text.unicodeScalars.contains("\u{202E}"))
        }
        #expect(panel.lines.allSatisfy { !$0.contains("\n") })
        #expect(texts.contains("a␛]0;x␇\u{FFFD}2J␡␀\u{FFFD}\nb"))
    }

    @Test func linesShowTheWholePanel() {
        #expect(
            TaskPanel(SampleTasks.store(now: 1_000), now: 1_000).lines == [
                "Tasks, none active, 1 failed", "",
                "Find opening hours of the survey office", "  Failed, 1 min ago",
                "  Tool call: web_search: survey office opening hours", "  Error: Search backend timed out after 30s",
                "",
                "Compare offline map editors for tablets", "  Completed, 3 min ago",
                "  Thinking: Which editors keep working without a network?",
                "  Tool call: web_search: offline map editors for tablets",
                "  Result: Three editors fit; two of them read GeoPackage.",
            ]
        )
    }
}

struct TerminalTextTests {
    @Test(arguments: [
        ("plain, with tab\tand\nline é 日本 😀", "plain, with tab\tand\nline é 日本 😀"), ("\u{1B}[31mred", "␛[31mred"),
        ("a\r\nb\rc", "a\nb\nc"), ("\u{85}\u{9C}", "\u{FFFD}\u{FFFD}"), ("\u{2028}x\u{2066}", "\u{FFFD}x\u{FFFD}"),
        ("\u{61C}\u{8}", "\u{FFFD}␈"), ("", ""), ("\r", "\n"), ("\u{200E}", "\u{FFFD}"),
    ])
    func makesControlsVisible(_ text: String, _ safe: String) {
        #expect(TerminalText.sanitized(text) == safe)
        #expect(TerminalText.sanitized(safe) == safe)
    }

    @Test(arguments: [("a\r\n\n\tb\n", "a b"), ("one", "one"), ("\n", "")])
    func putsTextOnOneLine(_ text: String, _ line: String) {
        #expect(TerminalText.singleLine(text) == line)
    }

    @Test func everyControlCharacterIsReplaced() {
        for value in Array(0...0x1F) + Array(0x7F...0x9F) where value != 0x0A && value != 0x09 && value != 0x0D {
            let scalar = Unicode.Scalar(UInt8(value))
            #expect(!TerminalText.sanitized("a\(Character(scalar))b").unicodeScalars.contains(scalar))
        }
    }
}
