import HopeTokens
import PresenceKit
import Testing

struct ConversationScreenTests {
    private static func snapshot(
        _ session: VoiceSessionState = .ready,
        phase: ConversationState.Phase = .listening,
        textMode: Bool = false,
        _ change: (inout ConversationSnapshot) -> Void = { _ in }
    ) -> ConversationSnapshot {
        var snapshot = ConversationSnapshot()
        snapshot.session = session
        snapshot.phase = phase
        snapshot.settings.isTextMode = textMode
        change(&snapshot)
        return snapshot
    }

    private static func row(
        _ id: String,
        _ role: TranscriptRole,
        _ text: String = "text",
        final: Bool = true,
        time: Double = 0
    ) -> TranscriptRow {
        TranscriptRow(id: id, role: role, text: text, isFinal: final, time: time)
    }

    // MARK: Header

    @Test func theHeaderHasGlyphTitleAndToolbar() {
        let header = ConversationScreen(Self.snapshot { $0.activeTasks = 3 }).header
        #expect(header.glyph == .hope && header.glyphSide == 28 && header.title == "Hope Voice")
        #expect(header.toolbar.map(\.glyph) == [.tasks, .media, .settings])
        #expect(header.toolbar.map(\.spokenLabel) == ["Tasks, 3 active", "Media", "Settings"])
        #expect(header.toolbar.map(\.badge) == ["3", nil, nil])
        #expect(header.toolbar[0].badgeColor.aliasOf == "color.iris" || header.toolbar[0].badgeColor == .iris)
    }

    @Test(arguments: [(0, nil), (-1, nil), (99, "99"), (100, "99+")] as [(Int, String?)])
    func theBadgeCountsActiveTasks(_ tasks: Int, _ badge: String?) {
        #expect(ConversationScreen(Self.snapshot { $0.activeTasks = tasks }).header.toolbar[0].badge == badge)
    }

    @Test func aFailedTaskIsSaidAndShown() {
        let item = ConversationScreen(Self.snapshot { $0.hasFailedTask = true }).header.toolbar[0]
        #expect(item.spokenLabel == "Tasks, one failed" && item.failureDot?.value == ColorToken.danger.value)
        #expect(item.badge == nil)
    }

    // MARK: Idle

    @Test func idleShowsTheIntroInPlaceOfTheTranscript() {
        let screen = ConversationScreen(Self.snapshot(.idle))
        #expect(screen.intro?.glyph == .hope)
        #expect(screen.intro?.text.text == "Hope is ready when you are")
        #expect(screen.intro?.start.title == "Start conversation")
        #expect(screen.intro?.showEarlier == nil)
        #expect(screen.rows.isEmpty && screen.emptyState == nil && screen.clear == nil)
        #expect(screen.readingOrder == [.status, .intro, .composer])
    }

    @Test func storedFinalsAreReachableFromTheIntroAndStandAboveANewConversation() {
        let stored = Self.snapshot(.idle) { $0.rows = [Self.row("old", .agent)] }
        let idle = ConversationScreen(stored)
        #expect(idle.intro?.showEarlier?.action == .showEarlier)
        #expect(idle.rows.isEmpty)
        #expect(idle.clear?.action == .clear)
        var earlier = stored
        earlier.showsEarlierRows = true
        #expect(ConversationScreen(earlier).intro == nil)
        #expect(ConversationScreen(earlier).rows.map(\.id) == ["old"])
        var talking = stored
        talking.session = .ready
        talking.rows.append(Self.row("new", .user))
        #expect(ConversationScreen(talking).rows.map(\.id) == ["old", "new"])
    }

    @Test func aConversationWithoutRowsHasAnEmptyState() {
        let screen = ConversationScreen(Self.snapshot())
        #expect(screen.emptyState?.glyph == .hope)
        #expect(screen.intro == nil)
    }

    // MARK: Stage

    @Test(
        arguments: [
            (.idle, .idle, false, "Ready"),
            (.connecting, .connecting, false, "Connecting…"),
            (.waitingAgent, .connecting, false, "Waiting for Hope…"),
            (.ready, .listening, false, "Listening"),
            (.ready, .thinking, false, "Thinking"),
            (.ready, .speaking, false, "Speaking"),
            (.ready, .speaking, true, "Reconnecting…"),
            (.failed(reason: "No answer."), .failed, false, "Failed: No answer."),
        ] as [(VoiceSessionState, ConversationState.Phase, Bool, String)]
    )
    func theStatusSaysTheState(
        _ session: VoiceSessionState,
        _ phase: ConversationState.Phase,
        _ isReconnecting: Bool,
        _ text: String
    ) {
        let stage = ConversationScreen(Self.snapshot(session, phase: phase) { $0.isReconnecting = isReconnecting })
            .stage
        #expect(stage.status.label == "Conversation status")
        #expect(stage.status.value == text)
        #expect(stage.status.text.role == .headline && stage.status.text.color == .inkSoft)
        #expect(stage.spacing == 12)
    }

    @Test(arguments: [
        (VoiceSessionState.ready, ConversationState.Phase.thinking, true, true),
        (.ready, .thinking, false, false), (.ready, .listening, true, false), (.connecting, .thinking, true, false),
    ])
    func theChipShowsWhileThinkingLasts(
        _ session: VoiceSessionState,
        _ phase: ConversationState.Phase,
        _ flag: Bool,
        _ shows: Bool
    ) {
        let chip = ConversationScreen(Self.snapshot(session, phase: phase) { $0.showsThinkingChip = flag })
            .stage.thinkingChip
        #expect((chip != nil) == shows)
        if let chip {
            #expect(chip.text.text == "Thinking…" && chip.text.role == .caption)
            #expect(chip.dotDiameter == 5 && chip.dotColor.value == ColorToken.warm.value && chip.motion == .thinkPulse)
        }
    }

    @Test(arguments: [
        (0.0, 0.0), (0.2, 0.5), (0.4, 1), (0.9, 1), (-1, 0), (Double.nan, 0), (.infinity, 0),
    ])
    func theMeterFillsWithTheLevel(_ level: Double, _ fill: Double) {
        let meter = ConversationScreen(Self.snapshot { $0.microphoneLevel = level }).stage.microphoneMeter
        #expect(meter?.fill == fill && meter?.height == 4 && meter?.color == .irisStrong)
    }

    @Test func theMeterIsThereInVoiceModeOnlyAndEmptyWhileMuted() {
        #expect(ConversationScreen(Self.snapshot(textMode: true)).stage.microphoneMeter == nil)
        let muted = Self.snapshot {
            $0.isMuted = true
            $0.microphoneLevel = 1
        }
        #expect(ConversationScreen(muted).stage.microphoneMeter?.fill == 0)
    }

    @Test func theHintIsThereInTextModeWhenReady() {
        #expect(ConversationScreen(Self.snapshot(textMode: true)).stage.bargeInHint != nil)
        #expect(ConversationScreen(Self.snapshot()).stage.bargeInHint == nil)
        #expect(ConversationScreen(Self.snapshot(.connecting, textMode: true)).stage.bargeInHint == nil)
    }

    @Test func theCaptionNamesVoiceAndModelWhenReady() {
        let both = Self.snapshot {
            $0.settings.voiceID = "en-US-JennyNeural"
            $0.settings.modelID = "asked"
            $0.confirmedModel = "confirmed"
        }
        let caption = ConversationScreen(both).stage.caption
        #expect(caption?.text == "Jenny · confirmed" && caption?.role == .caption && caption?.color == .inkMuted)
        #expect(ConversationScreen(Self.snapshot()).stage.caption?.text == "Ava HD Omni")
        #expect(ConversationScreen(Self.snapshot(.idle)).stage.caption == nil)
    }

    @Test func theWallFollowsWhoHasTheWord() {
        let levels = { (snapshot: inout ConversationSnapshot) in
            snapshot.agentLevel = 0.5
            snapshot.microphoneLevel = 0.25
        }
        let expected: [(ConversationState.Phase, Double)] = [(.speaking, 0.5), (.listening, 0.25), (.thinking, 0)]
        for (phase, level) in expected {
            let stage = ConversationScreen(Self.snapshot(phase: phase, levels)).stage
            #expect(stage.wallPhase == phase && stage.wallLevel == level)
        }
        #expect(ConversationScreen(Self.snapshot(.failed(reason: "x"), levels)).stage.wallPhase == .failed)
        #expect(ConversationScreen(Self.snapshot(.waitingAgent, levels)).stage.wallPhase == .connecting)
    }

    // MARK: Banners

    @Test func bannersSayWhatIsWrongInWordsAndWithAPictogram() {
        let reconnecting = ConversationScreen(Self.snapshot { $0.isReconnecting = true }).banners
        #expect(reconnecting.map(\.kind) == [.reconnecting])
        #expect(reconnecting[0].text.color == .warm && reconnecting[0].text.text == "Reconnecting…")

        let microphone = ConversationScreen(Self.snapshot { $0.microphoneError = "Access was denied." }).banners
        #expect(microphone.map(\.kind) == [.microphone])
        #expect(microphone[0].text.text == "Microphone: Access was denied.")
        #expect(microphone[0].text.color == .warm && microphone[0].button?.action == .setMode(.text))

        let failure = ConversationScreen(Self.snapshot(.failed(reason: "No answer."))).banners
        #expect(failure.map(\.kind) == [.failure])
        #expect(failure[0].background?.value == ColorToken.danger.value.withOpacity(0.1))
        #expect(failure[0].text.text == "Connection failed: No answer." && failure[0].button?.action == .retry)
        #expect(Set([reconnecting[0].glyph, microphone[0].glyph, failure[0].glyph]).count == 3)
    }

    // MARK: Rows

    @Test func rowsOfEachRole() {
        let rows = ConversationScreen(
            Self.snapshot {
                $0.rows = [Self.row("u", .user, "Hi"), Self.row("a", .agent, "Yo"), Self.row("s", .system, "!")]
            }
        ).rows
        #expect(rows.map(\.side) == [.trailing, .leading, .center])
        #expect(rows.map(\.bubble?.fill) == [.userBubble, .agentBubble, nil])
        #expect(rows.map(\.bubble?.corners) == [.user, .agent, nil])
        #expect(rows[0].bubble?.corners.bottomTrailing == 3 && rows[0].bubble?.corners.bottomLeading == 12)
        #expect(rows[1].bubble?.corners.bottomLeading == 3 && rows[1].bubble?.corners.bottomTrailing == 12)
        #expect(rows.map(\.text.color) == [.userBubbleText, .inkSoft, .inkMuted])
        #expect(rows.map(\.text.role) == [.body, .body, .caption])
        #expect(rows.map { $0.avatar?.diameter } == [nil, 24, nil])
        #expect(rows.map(\.spokenLabel) == ["You: Hi", "Hope: Yo", "Notice: !"])
        #expect(rows.allSatisfy { $0.time.role == .caption2 && $0.time.color == .inkMuted })
    }

    @Test func aPartialIsFaintAndAFinalIsNot() {
        let rows = ConversationScreen(
            Self.snapshot { $0.rows = [Self.row("a", .agent, final: false), Self.row("b", .agent)] }
        ).rows
        #expect(rows.map(\.opacity) == [0.58, 1])
    }

    @Test(arguments: [(ConversationSnapshot.TextSize.standard, 0.82), (.accessibility, 0.92)])
    func bubblesAreWiderWithLargeText(_ size: ConversationSnapshot.TextSize, _ width: Double) {
        let snapshot = Self.snapshot {
            $0.textSize = size
            $0.rows = [Self.row("a", .agent)]
        }
        #expect(ConversationScreen(snapshot).rows[0].maximumWidth == width)
    }

    @Test(arguments: [(0, "07:46"), (7_200, "09:46"), (-8 * 3_600, "23:46"), (20_700, "13:31")])
    func timesAreTheReaders(_ offset: Int, _ clock: String) {
        let snapshot = Self.snapshot {
            $0.rows = [Self.row("a", .agent, time: 1_756_540_000)]
            $0.utcOffset = offset
        }
        #expect(ConversationScreen(snapshot).rows[0].time.text == clock)
    }

    @Test func aMessageThatWasNotSentSaysSoAndOffersRetry() {
        var row = Self.row("t", .user, "Hello")
        row.delivery = .failed(reason: "The room is gone")
        let screen = ConversationScreen(Self.snapshot { $0.rows = [row] })
        #expect(screen.rows[0].note?.text == "Not sent: The room is gone")
        #expect(screen.rows[0].button?.action == .resend(rowID: "t"))
        #expect(screen.rows[0].spokenLabel == "You: Hello. Not sent: The room is gone")
    }

    @Test func aRowEntersOnceAtItsFirstAppearance() {
        var entrances = RowEntrances()
        let partial = Self.row("a", .agent, "Hel", final: false)
        let final = Self.row("a", .agent, "Hello")
        entrances.take([.row(partial, isNew: true, isNewFinal: false)], at: .seconds(10))
        entrances.take([.row(final, isNew: false, isNewFinal: true)], at: .seconds(11))
        #expect(entrances.ages(at: .seconds(12)) == ["a": 2])

        func entrance(_ age: Double?, reduced: Bool = false) -> MotionSample? {
            ConversationScreen(
                Self.snapshot {
                    $0.rows = [final]
                    $0.rowAges["a"] = age
                    $0.reducedMotion = reduced
                }
            ).rows[0].entrance
        }
        #expect(entrance(0)?.opacity == 0 && entrance(0)?.rise == 5)
        #expect(entrance(0, reduced: true)?.opacity == 0 && entrance(0, reduced: true)?.rise == 0)
        #expect(entrance(0.18) == nil)
        #expect(entrance(nil) == nil)
        entrances.forget(olderThan: .seconds(1), at: .seconds(12))
        #expect(entrances.ages(at: .seconds(12)).isEmpty)
    }

    @Test(arguments: [true, false])
    func theListFollowsUnlessTheReaderScrolledUp(_ isScrolledUp: Bool) {
        let screen = ConversationScreen(Self.snapshot { $0.isScrolledUp = isScrolledUp })
        #expect(screen.followsNewestRow == !isScrolledUp)
    }

    // MARK: Composer

    @Test(arguments: [VoiceSessionState.idle, .failed(reason: "x")])
    func beforeAConversationTheComposerStarts(_ session: VoiceSessionState) {
        let composer = ConversationScreen(Self.snapshot(session)).composer
        #expect(composer.start?.title == "Start conversation" && composer.start?.style == .prominent)
        #expect(composer.start?.isEnabled == true && composer.start?.fill == .iris)
        #expect(composer.start?.textColor.value == ColorToken.canvas.value)
        #expect(composer.modeControl == nil && composer.field == nil && composer.end == nil && composer.send == nil)
    }

    @Test func startIsOffWhileTheAddressIsInvalid() {
        let screen = ConversationScreen(Self.snapshot(.idle) { $0.serverURLError = "Not an address." })
        #expect(screen.composer.start?.isEnabled == false && screen.intro?.start.isEnabled == false)
    }

    @Test(arguments: [(VoiceSessionState.connecting, "Connecting…"), (.waitingAgent, "Waiting for Hope…")])
    func whileConnectingTheComposerIsOffAndEndCancels(_ session: VoiceSessionState, _ text: String) {
        let composer = ConversationScreen(Self.snapshot(session)).composer
        #expect(composer.progress?.text == text && !composer.isEnabled)
        #expect(composer.end?.isEnabled == true && composer.end?.action == .end)
        #expect(composer.start == nil && composer.field == nil && composer.modeControl == nil)
    }

    @Test func inVoiceTheFieldIsHidden() {
        let composer = ConversationScreen(Self.snapshot()).composer
        #expect(composer.modeControl?.selected == .voice && composer.modeControl?.titles == ["Voice", "Text"])
        #expect(composer.field == nil && composer.send == nil)
        #expect(composer.hint?.text == "Barge in anytime — speak or switch to text")
        #expect(composer.end?.style == .dangerOutline && composer.end?.outline == .danger)
    }

    @Test(arguments: [("", false), (" \n", false), ("Hi", true)])
    func inTextSendIsOffWhileTheFieldIsBlank(_ draft: String, _ isEnabled: Bool) {
        let composer = ConversationScreen(Self.snapshot(textMode: true) { $0.draft = draft }).composer
        #expect(composer.field?.text == draft && composer.field?.fill == .surfaceRaised)
        #expect(composer.send?.isEnabled == isEnabled && composer.send?.fill == .iris)
        #expect(composer.modeControl?.selected == .text && composer.hint == nil && composer.end != nil)
    }

    @Test func controlsHaveSpokenLabels() {
        let composer = ConversationScreen(Self.snapshot(textMode: true)).composer
        let idle = ConversationScreen(Self.snapshot(.idle)).composer
        #expect(idle.start?.spokenLabel == "Start conversation")
        #expect(composer.send?.spokenLabel == "Send message" && composer.end?.spokenLabel == "End conversation")
        #expect(composer.modeControl?.spokenLabel == "Conversation mode" && composer.field?.spokenLabel == "Message")
    }

    // MARK: Reading order

    @Test func isReadFromTheStatusThroughTheRowsToTheComposer() {
        let screen = ConversationScreen(Self.snapshot { $0.rows = [Self.row("1", .user), Self.row("2", .agent)] })
        #expect(screen.readingOrder == [.status, .row(id: "1"), .row(id: "2"), .composer])
    }
}
