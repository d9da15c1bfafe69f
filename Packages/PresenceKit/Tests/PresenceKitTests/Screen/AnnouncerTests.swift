import PresenceKit
import Testing
import TransportCore

struct AnnouncerTests {
    @Test func saysWhichPhaseIsEntered() {
        var announcer = Announcer()
        var said: [String] = []
        let phases: [ConversationState.Phase] = [.connecting, .listening, .listening, .thinking, .speaking, .listening]
        for (index, phase) in phases.enumerated() {
            announcer.enter(phase)
            if let text = announcer.next(at: .seconds(index * 3)) { said.append(text) }
        }
        #expect(said == ["Listening", "Speaking", "Listening"])
    }

    @Test func announcementsAreTwoSecondsApartAndTheNewestWins() {
        var announcer = Announcer()
        announcer.enter(.listening)
        #expect(announcer.next(at: .zero) == "Listening")
        announcer.enter(.speaking)
        announcer.take(Self.final("Hello"))
        #expect(announcer.next(at: .milliseconds(1_999)) == nil)
        #expect(announcer.nextTime == .seconds(2))
        #expect(announcer.next(at: .seconds(2)) == "Hope: Hello")
        #expect(!announcer.isWaiting)
        #expect(announcer.next(at: .seconds(9)) == nil)
    }

    @Test func aFailureIsNeverLost() {
        var announcer = Announcer()
        announcer.enter(.speaking)
        #expect(announcer.next(at: .zero) == "Speaking")
        announcer.enter(.failed, failureReason: "The server did not answer.")
        announcer.enter(.connecting)
        announcer.enter(.listening)
        #expect(announcer.next(at: .seconds(1)) == nil)
        #expect(announcer.next(at: .seconds(2)) == "Connection failed: The server did not answer.")
        #expect(announcer.next(at: .seconds(3)) == nil)
        #expect(announcer.next(at: .seconds(4)) == "Listening")
    }

    @Test func nothingIsSaidOfAConversationThatIsOver() {
        var announcer = Announcer()
        announcer.enter(.listening)
        _ = announcer.next(at: .zero)
        announcer.enter(.speaking)
        announcer.enter(.idle)
        #expect(announcer.next(at: .seconds(5)) == nil)
    }

    @Test func fortyPartialsAndTheirFinalAreOneAnnouncement() {
        var room = RoomSpeech()
        var announcer = Announcer()
        var said: [String] = []
        let header = room.begin(segment: "s1", at: 0)
        for number in 0..<40 {
            for change in room.add(.chunk("word\(number) "), to: header) { announcer.take(change) }
            if let text = announcer.next(at: .milliseconds(50 * number)) { said.append(text) }
        }
        for change in room.add(.ended(attributes: [:]), to: header) { announcer.take(change) }
        for tenth in 20..<80 { if let text = announcer.next(at: .milliseconds(100 * tenth)) { said.append(text) } }
        #expect(said.count == 1)
        #expect(said.first?.hasPrefix("Hope: word0 word1 ") == true)
    }

    @Test func finalsOfOthersAndCorrectionsAreNotSaid() {
        var announcer = Announcer()
        announcer.take(Self.final("Hi", role: .user))
        announcer.take(.removed(id: "x"))
        announcer.take(
            .row(
                TranscriptRow(id: "a", role: .agent, text: "b", isFinal: true, time: 0),
                isNew: false,
                isNewFinal: false
            )
        )
        #expect(!announcer.isWaiting)
    }

    private static func final(_ text: String, role: TranscriptRole = .agent) -> TranscriptChange {
        .row(TranscriptRow(id: "a", role: role, text: text, isFinal: true, time: 0), isNew: true, isNewFinal: true)
    }
}
