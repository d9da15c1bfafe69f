import PresenceKit
import Testing
import TransportCore

struct TranscriptTests {
    // MARK: Segments

    @Test(arguments: [RoomSpeech.me, RoomSpeech.agent])
    func aPartialAndItsFinalAreOneRow(_ sender: String) {
        var room = RoomSpeech()
        room.say("hello", by: sender, segment: "s1", final: false, at: 1, stream: "a")
        room.say("Hello.", by: sender, segment: "s1", final: true, at: 1.4, stream: "b")
        #expect(room.transcript.rows.map(\.text) == ["Hello."])
        #expect(room.transcript.rows.map(\.id) == ["s1"])
        #expect(room.transcript.rows.map(\.isFinal) == [true])
        #expect(room.transcript.rows.map(\.time) == [1])
    }

    @Test func withoutSegmentIDTheOpenUtteranceIsTheSegment() {
        var room = RoomSpeech()
        room.say("hel", by: RoomSpeech.me, final: false, at: 1, stream: "a")
        room.say("hello wor", by: RoomSpeech.me, final: false, at: 1.2, stream: "b")
        room.say("Hello world.", by: RoomSpeech.me, final: true, at: 1.4, stream: "c")
        #expect(room.lines == ["a user: Hello world."])
        room.say("Again", by: RoomSpeech.me, at: 9, stream: "d")
        #expect(room.lines == ["a user: Hello world.", "d user: Again"])
    }

    @Test func theAgentsChunksAppend() {
        var room = RoomSpeech()
        let header = room.begin(segment: "s1", at: 1)
        var seen: [String] = []
        for chunk in ["Hel", "lo", " you."] {
            room.add(.chunk(chunk), to: header)
            seen += room.lines
        }
        room.add(.ended(attributes: [:]), to: header)
        #expect(seen == ["s1 agent: Hel …", "s1 agent: Hello …", "s1 agent: Hello you. …"])
        #expect(room.lines == ["s1 agent: Hello you."])
    }

    @Test func anAgentStreamThatEndsIsFinalWhateverItWasCalled() {
        var room = RoomSpeech()
        room.say("Hello.", segment: "s1", final: false, at: 1)
        #expect(room.lines == ["s1 agent: Hello."])
    }

    @Test(arguments: [(true, true), (false, false), (nil, true)] as [(Bool?, Bool)])
    func aUserStreamIsFinalAsItSays(_ declared: Bool?, _ isFinal: Bool) {
        var room = RoomSpeech()
        room.say("Hello.", by: RoomSpeech.me, segment: "s1", final: declared, at: 1)
        #expect(room.transcript.row(id: "s1")?.isFinal == isFinal)
    }

    @Test func finalMayComeWithTheEndOnly() {
        var room = RoomSpeech()
        let header = room.begin(by: RoomSpeech.me, segment: "s1", final: false, at: 1)
        room.add(.chunk("Hello."), to: header)
        room.add(.ended(attributes: ["lk.transcription_final": "true"]), to: header)
        #expect(room.lines == ["s1 user: Hello."])
    }

    @Test(arguments: [RoomSpeech.me, RoomSpeech.agent], [1.0, 2, 3])
    func aPartialAfterItsFinalIsIgnored(_ sender: String, _ time: Double) {
        var room = RoomSpeech()
        room.say("Hello world.", by: sender, segment: "s1", final: true, at: 2)
        let late = room.say("hello", by: sender, segment: "s1", final: false, at: time)
        #expect(late.isEmpty)
        #expect(room.transcript.rows.map(\.text) == ["Hello world."])
    }

    @Test(arguments: ["", "   ", " \n\t"])
    func aBlankFinalMakesNoRow(_ text: String) {
        var room = RoomSpeech()
        let changes = room.say(text, by: RoomSpeech.me, segment: "s1", final: true, at: 1)
        #expect(changes.isEmpty)
        #expect(room.lines.isEmpty)
        #expect(TranscriptHistory.rows(of: room.transcript).isEmpty)
    }

    @Test(arguments: [true, false])
    func aBlankUpdateRemovesThePartial(_ final: Bool) {
        var room = RoomSpeech()
        room.say("uh", by: RoomSpeech.me, segment: "s1", final: false, at: 1)
        let changes = room.say("  ", by: RoomSpeech.me, segment: "s1", final: final, at: 1.1)
        #expect(changes == [.removed(id: "s1")])
        #expect(room.lines.isEmpty)
    }

    @Test func aBlankFinalDoesNotRemoveAFinal() {
        var room = RoomSpeech()
        room.say("Hello.", by: RoomSpeech.me, segment: "s1", final: true, at: 1)
        #expect(room.say("", by: RoomSpeech.me, segment: "s1", final: true, at: 1.1).isEmpty)
        #expect(room.lines == ["s1 user: Hello."])
    }

    @Test func rowsStandInTheOrderOfTheirTimes() {
        var room = RoomSpeech()
        for segment in [3, 1, 2] {
            room.say("part \(segment)", by: RoomSpeech.me, segment: "s\(segment)", final: false, at: Double(segment))
        }
        #expect(room.transcript.rows.map(\.text) == ["part 1", "part 2", "part 3"])
        for segment in [3, 1, 2] {
            room.say("Part \(segment).", by: RoomSpeech.me, segment: "s\(segment)", final: true, at: Double(segment))
        }
        #expect(TranscriptHistory.rows(of: room.transcript).map(\.text) == ["Part 1.", "Part 2.", "Part 3."])
    }

    @Test func rowsOfOneTimeStandAsTheyCame() {
        var room = RoomSpeech()
        for name in ["b", "a", "c"] { room.say("row \(name)", segment: name, at: 5) }
        #expect(room.transcript.rows.map(\.id) == ["b", "a", "c"])
    }

    @Test func aRowDoesNotMoveOnceItIsFinal() {
        var room = RoomSpeech()
        room.say("One.", segment: "s1", final: true, at: 10)
        room.say("Two.", segment: "s2", final: true, at: 11)
        room.say("One, corrected.", segment: "s1", final: true, at: 20)
        #expect(room.lines == ["s1 agent: One, corrected.", "s2 agent: Two."])
    }

    @Test func anOlderUpdateDoesNotReplaceANewerOne() {
        var room = RoomSpeech()
        room.say("hello wor", by: RoomSpeech.me, segment: "s1", final: false, at: 1.4)
        #expect(room.say("hel", by: RoomSpeech.me, segment: "s1", final: false, at: 1.2).isEmpty)
        #expect(room.lines == ["s1 user: hello wor …"])
    }

    @Test func speakersWithTheSameSegmentNameHaveRowsOfTheirOwn() {
        var room = RoomSpeech()
        room.say("Hello.", by: RoomSpeech.me, segment: "1", final: true, at: 1)
        room.say("Hello.", segment: "1", at: 2)
        #expect(room.lines == ["1 user: Hello.", "1~2 agent: Hello."])
    }

    @Test func otherTopicsAreNotTranscript() {
        var room = RoomSpeech()
        let header = room.begin(at: 1, topic: "lk.chat")
        room.add(.chunk("typed"), to: header)
        room.add(.ended(attributes: [:]), to: header)
        #expect(room.changes.isEmpty)
    }

    @Test func withoutATimeStampTheTimeOfArrivalCounts() {
        var transcript = Transcript(localIdentity: "me")
        let header = TextStreamHeader(id: "a", topic: "lk.transcription", sender: "agent-1")
        for content in [TextStreamPart.Content.opened, .chunk("Hi"), .ended(attributes: [:])] {
            _ = transcript.apply(TextStreamPart(header: header, content: content), receivedAt: 42)
        }
        #expect(transcript.rows.map(\.time) == [42])
    }

    @Test func agentTextLosesItsMarkersAndUserTextKeepsThem() {
        var room = RoomSpeech()
        let header = room.begin(segment: "s1", at: 1)
        for chunk in ["[wa", "rm] Hel", "lo <bre"] { room.add(.chunk(chunk), to: header) }
        #expect(room.lines == ["s1 agent: Hello …"])
        room.add(.chunk("ak/> you."), to: header)
        room.add(.ended(attributes: [:]), to: header)
        room.say("[warm] Hi <break/>", by: RoomSpeech.me, segment: "u1", final: true, at: 2)
        #expect(room.lines == ["s1 agent: Hello you.", "u1 user: [warm] Hi <break/>"])
    }

    @Test func agentTextOfMarkersOnlyMakesNoRow() {
        var room = RoomSpeech()
        #expect(room.say("[warm] <break/>", segment: "s1", at: 1).isEmpty)
    }

    // MARK: Repetitions

    @Test(arguments: [
        ("Hello  world ", "hello world", true),
        ("Straße", "STRASSE", true),
        ("caf\u{E9}", "cafe\u{301}", true),
        ("\u{FB01}ne", "fine", true),
        ("Hello", "Hello.", false),
    ])
    func comparesTextsNormalised(_ first: String, _ second: String, _ same: Bool) {
        var room = RoomSpeech()
        room.say(first, by: RoomSpeech.me, segment: "s1", final: true, at: 1)
        room.say(second, by: RoomSpeech.me, segment: "s2", final: true, at: 2)
        #expect(room.transcript.rows.count == (same ? 1 : 2))
        #expect(room.transcript.rows.first?.text == first)
    }

    @Test(arguments: [(3.0, 1), (3.001, 2), (-3.0, 1), (-3.001, 2)])
    func sameTextIsOneMessageWithinThreeSeconds(_ apart: Double, _ rows: Int) {
        var room = RoomSpeech()
        room.say("Yes", segment: "s1", at: 10)
        room.say("yes", segment: "s2", at: 10 + apart)
        #expect(room.transcript.rows.count == rows)
    }

    @Test func differentSpeakersMaySayTheSame() {
        var room = RoomSpeech()
        room.say("Yes", segment: "s1", at: 10)
        room.say("Yes", by: RoomSpeech.me, segment: "s2", final: true, at: 10)
        #expect(room.transcript.rows.count == 2)
    }

    @Test func aTypedMessageAndItsEchoAreOneRow() {
        var room = RoomSpeech()
        let typed = room.transcript.addTyped(id: "typed-1", text: "What time is it?", time: 5)
        #expect(typed.count == 1)
        room.say("what time", by: RoomSpeech.me, segment: "s9", final: false, at: 5.2)
        let changes = room.say("What time is it?", by: RoomSpeech.me, segment: "s9", final: true, at: 5.4)
        #expect(changes.contains(.removed(id: "s9")))
        #expect(room.lines == ["typed-1 user: What time is it?"])
        #expect(room.transcript.row(id: "typed-1")?.delivery == .sent)
        #expect(room.say("What time is it?", by: RoomSpeech.me, segment: "s9", final: true, at: 60).isEmpty)
    }

    @Test func theEchoMayComeFirst() {
        var room = RoomSpeech()
        room.say("Hi", by: RoomSpeech.me, segment: "s9", final: true, at: 5)
        #expect(room.transcript.addTyped(id: "typed-1", text: "Hi", time: 5.5).isEmpty)
        #expect(room.transcript.setDelivery(.failed(reason: "No."), ofTyped: "typed-1").isEmpty)
        #expect(room.lines == ["s9 user: Hi"])
    }

    // MARK: Typed messages and notices

    @Test func aTypedMessageIsARowAtOnceAndSaysWhenItWasNotSent() {
        var transcript = Transcript(localIdentity: "me")
        _ = transcript.addTyped(id: "t1", text: "Hello", time: 5)
        #expect(transcript.row(id: "t1")?.isFinal == true)
        #expect(transcript.row(id: "t1")?.delivery == .sending)
        let failed = transcript.setDelivery(.failed(reason: "The room is gone."), ofTyped: "t1")
        #expect(failed.first?.row?.delivery == .failed(reason: "The room is gone."))
        #expect(failed.first?.row?.text == "Hello")
        _ = transcript.setDelivery(.sent, ofTyped: "t1")
        #expect(transcript.row(id: "t1")?.delivery == .sent)
        #expect(transcript.setDelivery(.sent, ofTyped: "t1").isEmpty)
    }

    @Test func aMessageOfAnEarlierRunCanBeSentAgain() {
        var transcript = Transcript(localIdentity: "me")
        transcript.restore([
            TranscriptRow(
                id: "t1",
                role: .user,
                text: "Hi",
                isFinal: true,
                time: 1,
                delivery: .failed(reason: "Gone.")
            )
        ])
        #expect(transcript.setDelivery(.sending, ofTyped: "t1").count == 1)
        #expect(transcript.row(id: "t1")?.delivery == .sending)
    }

    @Test func theNewestRowsAreGivenOldestFirst() {
        var room = RoomSpeech()
        for number in 1...1_200 {
            room.say("Row \(number).", by: RoomSpeech.me, segment: "s\(number)", at: Double(number))
        }
        #expect(room.transcript.newest(2).map(\.id) == ["s1199", "s1200"])
        #expect(room.transcript.newest(1) { $0.text == "Row 7." }.map(\.id) == ["s7"])
        #expect(room.transcript.newest(0).isEmpty)
    }

    @Test func blankTextIsNotAMessage() {
        var transcript = Transcript(localIdentity: "me")
        #expect(transcript.addTyped(id: "t1", text: " \n", time: 5).isEmpty)
        #expect(transcript.addNotice(id: "n1", text: "", time: 5).isEmpty)
    }

    @Test func aNoticeIsASystemRow() {
        var transcript = Transcript(localIdentity: "me")
        _ = transcript.addNotice(id: "n1", text: "The history could not be read.", time: 5)
        #expect(transcript.rows.map(\.role) == [.system])
    }

    // MARK: Broken streams

    @Test func aStreamThatBreaksOffStaysAnInterruptedPartial() {
        var room = RoomSpeech()
        let header = room.begin(segment: "s1", at: 1)
        room.add(.chunk("Once upon [a ti"), to: header)
        room.add(.failed("gone"), to: header)
        #expect(room.lines == ["s1 agent: Once upon (interrupted)"])
        #expect(room.add(.chunk("me"), to: header).isEmpty)
    }

    @Test func aReplayAfterReconnectingDoublesNothingAndLeavesNoPartialOpen() {
        var room = RoomSpeech()
        for number in 1...6 {
            room.say("Segment \(number).", segment: "s\(number)", at: Double(number * 10), stream: "x\(number)")
        }
        let seventh = room.begin(segment: "s7", at: 70, stream: "x7")
        room.add(.chunk("Segment sev"), to: seventh)
        let interrupted = room.transcript.interruptOpenStreams()
        #expect(interrupted.compactMap { $0.row?.isInterrupted } == [true])
        #expect(room.add(.chunk("en, from the old session"), to: seventh).isEmpty)

        let before = room.changes.count
        for number in 1...6 {
            room.say(
                "Segment \(number).",
                by: "agent-2",
                segment: "s\(number)",
                at: Double(number * 10),
                stream: "y\(number)"
            )
        }
        #expect(room.changes.count == before)
        let again = room.begin(by: "agent-2", segment: "s7", at: 70, stream: "y7")
        room.add(.chunk("Segm"), to: again)
        #expect(room.lines.last == "s7 agent: Segment sev …")
        room.add(.chunk("ent seven."), to: again)
        room.add(.ended(attributes: [:]), to: again)
        #expect(room.transcript.rows.map(\.id) == (1...7).map { "s\($0)" })
        #expect(room.lines.last == "s7 agent: Segment seven.")
    }

    @Test func aReplayWithoutSegmentIDsDoublesNothingEither() {
        var room = RoomSpeech()
        room.say("One.", at: 1, stream: "x1")
        let second = room.begin(at: 2, stream: "x2")
        room.add(.chunk("Two and"), to: second)
        _ = room.transcript.interruptOpenStreams()
        room.say("One.", at: 1, stream: "y1")
        room.say("Two and a half.", at: 2, stream: "y2")
        #expect(room.lines == ["x1 agent: One.", "x2 agent: Two and a half."])
    }

    @Test func anotherUtteranceAfterABrokenOneHasItsOwnRow() {
        var room = RoomSpeech()
        let first = room.begin(at: 1, stream: "x1")
        room.add(.chunk("As I was say"), to: first)
        room.add(.failed("interrupted"), to: first)
        room.say("Sure, what is it?", at: 4, stream: "x2")
        #expect(room.lines == ["x1 agent: As I was say (interrupted)", "x2 agent: Sure, what is it?"])
    }

    // MARK: Conversations, history, bounds

    @Test func aNewConversationStandsBelowTheOneBefore() {
        var room = RoomSpeech()
        room.say("Old.", segment: "s1", at: 100)
        let open = room.begin(segment: "s2", at: 101)
        room.add(.chunk("Unfinished"), to: open)
        let changes = room.transcript.beginConversation(localIdentity: RoomSpeech.me)
        #expect(changes.compactMap { $0.row?.isInterrupted } == [true])
        // The clock of another server may be behind.
        room.say("New.", segment: "s1", at: 50)
        #expect(room.lines == ["s1 agent: Old.", "s2 agent: Unfinished (interrupted)", "s1~2 agent: New."])
        #expect(room.add(.chunk(" late"), to: open).isEmpty)
    }

    @Test func storedFinalsStandAboveNewRows() {
        var room = RoomSpeech()
        room.say("New.", segment: "s1", at: 1)
        room.transcript.restore([
            TranscriptRow(id: "s1", role: .agent, text: "Stored.", isFinal: true, time: 100),
            TranscriptRow(id: "p", role: .agent, text: "Partial", isFinal: false, time: 101),
        ])
        #expect(room.lines == ["s1~2 agent: Stored.", "s1 agent: New."])
    }

    @Test func clearRemovesEveryRowForGood() {
        var room = RoomSpeech()
        room.say("One.", segment: "s1", at: 1)
        let open = room.begin(segment: "s2", at: 2)
        room.add(.chunk("Two"), to: open)
        #expect(room.transcript.clear() == [.removed(id: "s1"), .removed(id: "s2")])
        #expect(room.transcript.rows.isEmpty)
        #expect(room.say("One.", segment: "s1", at: 1).isEmpty)
        room.add(.chunk(" and more"), to: open)
        #expect(room.lines == ["s2 agent: Two and more …"])
    }

    @Test func theOldestRowGoesBeyondTheLimit() {
        var room = RoomSpeech(limits: TranscriptLimits(rows: 3))
        for number in 1...5 { room.say("Row \(number).", segment: "s\(number)", at: Double(number)) }
        #expect(room.transcript.rows.map(\.id) == ["s3", "s4", "s5"])
        #expect(room.changes.contains(.removed(id: "s1")))
        #expect(room.say("Row 1.", segment: "s0", at: 0.5).isEmpty)
    }

    @Test func aLongTextIsCutAndSaysSo() {
        var room = RoomSpeech(limits: TranscriptLimits(textBytes: 5))
        room.say("ab", segment: "s1", at: 1)
        room.say("añoñx", segment: "s2", at: 2)
        room.say("aaaaéz", by: RoomSpeech.me, segment: "s3", final: true, at: 3)
        #expect(room.transcript.rows.map(\.text) == ["ab", "año", "aaaa"])
        #expect(room.transcript.rows.map(\.isTruncated) == [false, true, true])
    }

    @Test func tooManyOpenStreamsBreakTheOldestOff() {
        var room = RoomSpeech(limits: TranscriptLimits(openStreams: 2))
        for number in 1...3 {
            let header = room.begin(segment: "s\(number)", at: Double(number))
            room.add(.chunk("text \(number)"), to: header)
        }
        #expect(room.transcript.rows.map(\.isInterrupted) == [true, false, false])
    }

    @Test func fortyPartialsAndAFinalAreOneNewFinal() {
        var room = RoomSpeech()
        let header = room.begin(segment: "s1", at: 1)
        for number in 0..<40 { room.add(.chunk("word\(number) "), to: header) }
        room.add(.ended(attributes: [:]), to: header)
        var news = (rows: 0, finals: 0)
        for case .row(_, let isNew, let isNewFinal) in room.changes {
            news.rows += isNew ? 1 : 0
            news.finals += isNewFinal ? 1 : 0
        }
        #expect(news == (1, 1))
    }
}
