import HopeTokens
import PresenceKit
import Testing
import TransportCore

/// What holds for the screens whatever the snapshot.
struct ConversationScreenPropertyTests {
    private static func anything(_ random: inout SeededRandom) -> ConversationSnapshot {
        func one<Value>(_ values: [Value]) -> Value { values[random.nextInt(below: values.count)] }
        func flag() -> Bool { random.nextBool(probability: 0.5) }
        let levels = [0, 0.3, 1, 7, -1, Double.nan, .infinity, -.infinity]
        var snapshot = ConversationSnapshot()
        snapshot.session = one([.idle, .connecting, .waitingAgent, .ready, .failed(reason: one(["", "No answer."]))])
        snapshot.isReconnecting = flag()
        snapshot.phase = one(ConversationState.Phase.allCases)
        snapshot.showsThinkingChip = flag()
        snapshot.isMuted = flag()
        snapshot.microphoneError = one([nil, "Denied."])
        snapshot.microphoneLevel = one(levels)
        snapshot.agentLevel = one(levels)
        snapshot.rows = (0..<random.nextInt(below: 5)).map { index in
            TranscriptRow(
                id: "r\(index)",
                role: one(TranscriptRole.allCases),
                text: one(["Hi", "a\nb", ""]),
                isFinal: flag(),
                time: one([0, 1e300, -1e300, Double.nan, 1_756_540_000]),
                isInterrupted: flag(),
                isTruncated: flag(),
                delivery: one([.received, .sending, .sent, .failed(reason: "x")])
            )
        }
        for row in snapshot.rows where flag() { snapshot.rowAges[row.id] = one([0, 0.1, 5, .nan, -1]) }
        snapshot.isScrolledUp = flag()
        snapshot.showsEarlierRows = flag()
        snapshot.draft = one(["", " ", "Hello"])
        snapshot.settings = Settings(
            serverURL: one([nil, "x"]),
            voiceID: one(["", "en-US-JennyNeural"]),
            modelID: one([nil, "m"]),
            isTextMode: flag()
        )
        snapshot.serverURLError = one([nil, "Bad."])
        snapshot.models = one([nil, [], ["m", "n"]])
        snapshot.confirmedModel = one([nil, "n"])
        snapshot.connectionTest = one([
            [], [ConnectionTestStep(name: "tls", isOK: one([nil, true, false]), milliseconds: 1e300)],
        ])
        snapshot.hasFailedTask = flag()
        snapshot.activeTasks = one([0, 1, -5, .max])
        snapshot.utcOffset = one([0, 50_400, -43_200])
        snapshot.reducedMotion = flag()
        snapshot.textSize = one([.standard, .accessibility])
        return snapshot
    }

    private static let checkedPairs: [ColorValue: Set<ColorValue>] = ContrastPair.voice.reduce(into: [:]) {
        $0[$1.text.value, default: []].insert($1.surface.value)
    }

    /// Every text of the screen with what is behind it.
    private static func pairs(_ screen: ConversationScreen) -> [(ColorToken, ColorToken)] {
        var pairs: [(ColorToken, ColorToken)] = [(screen.stage.status.text.color, .canvas)]
        for text in [screen.stage.thinkingChip?.text, screen.stage.bargeInHint, screen.stage.caption] {
            if let text { pairs.append((text.color, .canvas)) }
        }
        for banner in screen.banners {
            let background = banner.background ?? .canvas
            pairs += [(banner.text.color, background), (banner.glyphColor, background)]
            if let button = banner.button { pairs.append((button.textColor, button.fill ?? background)) }
        }
        for row in screen.rows {
            pairs += [(row.text.color, row.bubble?.fill ?? .canvas), (row.time.color, .canvas)]
            if let note = row.note { pairs.append((note.color, .canvas)) }
        }
        let composer = screen.composer
        for button in [composer.start, composer.send, composer.end, screen.clear, screen.intro?.showEarlier] {
            if let button { pairs.append((button.textColor, button.fill ?? .canvas)) }
        }
        for text in [composer.progress, composer.hint, screen.intro?.text, screen.emptyState?.text] {
            if let text { pairs.append((text.color, .canvas)) }
        }
        if let field = composer.field {
            pairs += [(field.textColor, field.fill), (field.placeholderColor, field.fill)]
        }
        for item in screen.header.toolbar {
            if item.badge != nil { pairs.append((item.badgeTextColor, item.badgeColor)) }
        }
        return pairs
    }

    @Test(arguments: 1...20)
    func keepTheirPromises(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        for step in 0..<50 {
            let snapshot = Self.anything(&random)
            let comment: Comment = "seed \(seed), step \(step)"
            let screen = ConversationScreen(snapshot)
            #expect(screen == ConversationScreen(snapshot), comment)
            let composer = screen.composer
            let isText = snapshot.settings.isTextMode
            let isReady = snapshot.session == .ready

            // One way to begin or to end, never both, never neither.
            #expect((composer.start != nil) != (composer.end != nil), comment)
            #expect((composer.end != nil) == snapshot.session.isActive, comment)
            #expect((composer.progress != nil) == (snapshot.session.isActive && !isReady), comment)
            #expect((composer.field != nil) == (isReady && isText), comment)
            #expect((composer.send != nil) == (composer.field != nil), comment)
            #expect((composer.modeControl != nil) == isReady, comment)
            #expect(composer.start?.isEnabled != (snapshot.serverURLError != nil), comment)

            // The intro or the transcript, never both.
            #expect(screen.intro == nil || (screen.rows.isEmpty && snapshot.session == .idle), comment)
            #expect((screen.intro == nil && screen.rows.isEmpty) == (screen.emptyState != nil), comment)
            #expect((screen.clear != nil) == !snapshot.rows.isEmpty, comment)

            // Everything that can be read has words, and is read once, the status first and the composer last.
            #expect(Set(screen.readingOrder).count == screen.readingOrder.count, comment)
            #expect(screen.readingOrder.first == .status && screen.readingOrder.last == .composer, comment)
            #expect(!screen.stage.status.value.isEmpty, comment)
            #expect(screen.banners.allSatisfy { !$0.text.text.isEmpty }, comment)
            #expect(screen.rows.allSatisfy { $0.spokenLabel.hasPrefix($0.role.spokenName + ": ") }, comment)
            #expect(screen.header.toolbar.allSatisfy { !$0.spokenLabel.isEmpty }, comment)

            // Levels and opacities stay in their ranges.
            #expect((0...1).contains(screen.stage.wallLevel), comment)
            #expect(screen.stage.microphoneMeter.map { (0...1).contains($0.fill) } ?? true, comment)
            #expect(screen.rows.allSatisfy { (0...1).contains($0.opacity) }, comment)
            #expect(screen.rows.allSatisfy { $0.entrance.map { (0...1).contains($0.opacity) } ?? true }, comment)
            #expect(!snapshot.reducedMotion || screen.rows.allSatisfy { ($0.entrance?.rise ?? 0) == 0 }, comment)
            #expect(screen.rows.allSatisfy { $0.time.text.count == 5 }, comment)

            // Muted metadata is never written on the user's bubble.
            #expect(screen.rows.allSatisfy { $0.bubble?.fill != .userBubble || $0.text.color != .inkMuted }, comment)
            // In text mode there is no microphone to show.
            #expect(!isText || screen.stage.microphoneMeter == nil, comment)

            for (text, surface) in Self.pairs(screen) {
                let isChecked = Self.checkedPairs[text.value]?.contains(surface.value) == true
                #expect(isChecked, "\(text.path) on \(surface.path) is no pair whose contrast is checked")
            }

            let settings = SettingsScreen(snapshot)
            #expect(settings.voice.choices.count == 13, comment)
            #expect(settings.voice.choices.count(where: \.isSelected) == 1, comment)
            #expect(settings.textMode.isOn == isText, comment)
            #expect(isReady || settings.model.choices.isEmpty, comment)
            #expect(settings.testSteps.allSatisfy { !$0.text.text.isEmpty }, comment)
        }
    }
}
