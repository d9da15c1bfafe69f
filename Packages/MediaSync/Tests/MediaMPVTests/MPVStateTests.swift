import Foundation
import MediaMPV
import MediaSync
import Testing

/// What mpv really wrote, with the answers to the commands that the state sends.
struct MPVStateTests {
    @Test("It asks for the version first, then observes")
    func connects() {
        let dialogue = MPVDialogue()
        #expect(dialogue.commands.first == #"["get_property","mpv-version"]"#)
        #expect(dialogue.commands[2...].allSatisfy { $0.hasPrefix(#"["observe_property","#) })
        #expect(dialogue.state.version == "mpv 0.35.1")
        #expect(dialogue.snapshots.isEmpty)
    }

    @Test("The place to begin is set before the address is given, and playing afterwards")
    func loads() {
        var dialogue = MPVDialogue()
        dialogue.forget()
        dialogue.load(at: 1)
        #expect(
            dialogue.commands == [
                #"["set_property","start","1.000"]"#, #"["loadfile","http://h/a","replace"]"#,
                #"["set_property","pause",false]"#,
            ]
        )
        #expect(dialogue.phases == [.loading])
        #expect(dialogue.last?.position == nil)
    }

    @Test("A file is given by its path, as it is on the disk")
    func loadsFile() {
        var dialogue = MPVDialogue()
        dialogue.forget()
        dialogue.load(1, "file:///m/a%20%23b.mp3")
        #expect(dialogue.commands[1] == #"["loadfile","/m/a #b.mp3","replace"]"#)
    }

    @Test("M15: the last second plays and ends once, with the last position and no pause")
    func plays() {
        var dialogue = MPVDialogue()
        dialogue.load(at: 1)
        dialogue.hear(RecordedMPV.lastSecond, lineByLine: true)
        #expect(dialogue.phases == [.loading, .playing, .ended])
        #expect(dialogue.snapshots.count { $0.phase == .ended } == 1)
        #expect(dialogue.last?.position?.seconds == 2)
        #expect(dialogue.last?.position?.isAdvancing == false)
        #expect(dialogue.last?.duration == 2)
        let positions = dialogue.snapshots.compactMap { $0.position?.seconds }
        #expect(positions.allSatisfy { $0 >= 1 })
        #expect(positions == positions.sorted())
    }

    @Test("It waits, plays on, seeks and pauses as mpv does", arguments: [false, true])
    func calls(lineByLine: Bool) {
        var dialogue = MPVDialogue()
        dialogue.load(at: 30, paused: true)
        dialogue.hear(RecordedMPV.pausedAtThirty, lineByLine: lineByLine)
        #expect(dialogue.phases == [.loading, .paused])
        #expect(dialogue.last?.position?.seconds == 29.999875)
        #expect(dialogue.last?.duration == 60)

        dialogue.act { $0.play() }
        #expect(dialogue.last?.phase == .paused)
        dialogue.hear(RecordedMPV.playedOn, lineByLine: lineByLine)
        #expect(dialogue.last?.phase == .playing)

        // Nothing is heard from here on until the seek has arrived.
        dialogue.act { $0.seek(to: 40) }
        #expect(dialogue.last?.phase == .buffering)
        #expect(dialogue.last?.position == PlaybackPosition(seconds: 40, time: dialogue.now, isAdvancing: false))
        dialogue.hear(RecordedMPV.soughtForty, lineByLine: lineByLine)
        #expect(dialogue.last?.phase == .playing)
        #expect(dialogue.last?.position?.seconds == 40.289485)

        dialogue.act { $0.pause() }
        dialogue.hear(RecordedMPV.pausedAgain, lineByLine: lineByLine)
        // Line by line mpv says that it is not paused any more before it says that it is heard.
        let resumed: [PlayerSnapshot.Phase] = lineByLine ? [.buffering, .playing] : [.playing]
        #expect(dialogue.phases == [.loading, .paused] + resumed + [.buffering, .playing, .paused])
        #expect(dialogue.last?.position?.isAdvancing == false)
    }

    @Test("A position carries the time at which it was taken, anew when playing goes on")
    func times() {
        var dialogue = MPVDialogue()
        dialogue.load(at: 30, paused: true)
        dialogue.hear(RecordedMPV.pausedAtThirty)
        let paused = dialogue.now
        #expect(dialogue.last?.position?.time == paused)
        dialogue.act { $0.play() }
        dialogue.hear(#"{"request_id":15,"error":"success"}"#)
        dialogue.hear(
            #"""
            {"event":"property-change","id":3,"name":"pause","data":false}
            {"event":"property-change","id":4,"name":"core-idle","data":false}
            """#
        )
        #expect(
            dialogue.last?.position == PlaybackPosition(seconds: 29.999875, time: dialogue.now, isAdvancing: true)
        )
    }

    @Test("M3: what mpv still says of the load before is not said of the next", arguments: [false, true])
    func lateWords(lineByLine: Bool) {
        var dialogue = MPVDialogue()
        dialogue.load(1, at: 50)
        dialogue.hear(RecordedMPV.fifty)
        #expect(dialogue.last?.phase == .playing)
        dialogue.forget()
        dialogue.load(2)
        dialogue.hear(RecordedMPV.replaced, lineByLine: lineByLine)
        #expect(dialogue.snapshots.allSatisfy { $0.load == 2 })
        #expect(dialogue.phases == [.loading, .playing])
        #expect(dialogue.snapshots.compactMap { $0.position?.seconds }.allSatisfy { $0 < 1 })
        #expect(dialogue.snapshots.compactMap(\.duration).allSatisfy { $0 == 2 })
    }

    @Test("M13: a seek before the file is open is kept, and lands")
    func seekBeforeOpen() {
        var dialogue = MPVDialogue()
        dialogue.load(at: 30, paused: true)
        dialogue.act { $0.seek(to: 41.5) }
        dialogue.forget()
        let opened = RecordedMPV.pausedAtThirty
        dialogue.hear(opened)
        #expect(dialogue.commands.last == #"["seek",41.5,"absolute"]"#)
        #expect(dialogue.snapshots.allSatisfy { $0.position == nil || $0.position?.seconds == 41.5 })
        #expect(dialogue.last?.position?.seconds == 41.5)
        dialogue.hear(
            #"""
            {"data":null,"request_id":15,"error":"success"}
            {"event":"seek"}
            {"event":"playback-restart"}
            """#
        )
        #expect(dialogue.last?.phase == .paused)
        #expect(dialogue.last?.position?.seconds == 41.5)
    }

    @Test("M4: a position that mpv does not know for a moment is not 0")
    func unknownPosition() {
        var dialogue = MPVDialogue()
        dialogue.load(at: 50)
        dialogue.hear(RecordedMPV.fifty)
        dialogue.hear(#"{"event":"property-change","id":1,"name":"time-pos"}"#)
        dialogue.hear(#"{"event":"property-change","id":4,"name":"core-idle","data":true}"#)
        #expect(dialogue.last?.phase == .buffering)
        #expect(dialogue.snapshots.compactMap { $0.position?.seconds }.allSatisfy { $0 >= 50 })
    }

    @Test("M14: no bytes and noise fail with words, once each, and never play", arguments: [false, true])
    func broken(lineByLine: Bool) {
        var dialogue = MPVDialogue()
        for (number, text) in [(1, RecordedMPV.zeroBytes), (2, RecordedMPV.broken)] {
            dialogue.forget()
            dialogue.load(number, type: "audio/wav")
            dialogue.hear(text, lineByLine: lineByLine)
            #expect(dialogue.failure?.code == .undecodable)
            #expect(dialogue.failure?.message.contains("unrecognized file format") == true)
            #expect(dialogue.failure?.message.contains("audio/wav") == true)
            #expect(dialogue.phases.count == 2)
            #expect(dialogue.phases.first == .loading)
        }
    }

    @Test("An address that cannot be fetched says why, and keeps its secrets")
    func notFound() {
        var dialogue = MPVDialogue()
        dialogue.load(1)
        dialogue.hear(RecordedMPV.zeroBytes)
        dialogue.load(2)
        dialogue.hear(RecordedMPV.broken)
        dialogue.load(3)
        dialogue.hear(RecordedMPV.notFound)
        #expect(dialogue.failure?.code == .unreachable)
        #expect(dialogue.failure?.message.contains("404 Not Found") == true)
        #expect(dialogue.state.lastWords == "Failed to open …")
        #expect(dialogue.failure?.message.contains("secret") == false)
    }

    @Test("A starved player buffers where it stands, and plays on", arguments: [false, true])
    func starves(lineByLine: Bool) {
        var dialogue = MPVDialogue()
        dialogue.load()
        dialogue.hear(RecordedMPV.starved, lineByLine: lineByLine)
        #expect(dialogue.phases == [.loading, .playing, .buffering, .playing] || !lineByLine)
        #expect(dialogue.last?.phase == .playing)
        for snapshot in dialogue.snapshots where snapshot.phase == .buffering {
            #expect(snapshot.position?.seconds == 1.557333)
            #expect(snapshot.position?.isAdvancing == false)
        }
    }

    @Test("Bytes that break off for good are a failure, unless that is where the end is", arguments: [20.0, 59])
    func breaksOff(place: Double) {
        var dialogue = MPVDialogue()
        dialogue.load(at: 50, type: "audio/mpeg")
        dialogue.hear(RecordedMPV.fifty)
        dialogue.hear(#"{"event":"property-change","id":1,"name":"time-pos","data":\#(place)}"#)
        let end = #"{"event":"end-file","reason":"eof","playlist_entry_id":1}"#
        dialogue.hear(RecordedMPV.brokenOff + "\n" + end)
        if place < 58 {
            #expect(dialogue.failure?.code == .unreachable)
            #expect(dialogue.failure?.message.contains("audio/mpeg") == true)
        } else {
            #expect(dialogue.last?.phase == .ended)
        }
    }

    @Test("Bytes that broke off and came back are no failure")
    func comesBack() {
        var dialogue = MPVDialogue()
        dialogue.load(at: 50)
        dialogue.hear(RecordedMPV.fifty)
        let lines = RecordedMPV.brokenOff.split(separator: "\n").prefix(2).joined(separator: "\n")
        dialogue.hear(lines + "\n" + #"{"event":"end-file","reason":"eof","playlist_entry_id":1}"#)
        #expect(dialogue.last?.phase == .ended)
    }

    @Test("A load that is to begin beyond the end has ended", arguments: [false, true])
    func beyondTheEnd(lineByLine: Bool) {
        var dialogue = MPVDialogue()
        dialogue.load(at: 100)
        dialogue.hear(RecordedMPV.beyondTheEnd, lineByLine: lineByLine)
        #expect(dialogue.phases == [.loading, .ended])
        #expect(dialogue.last?.position?.seconds == 60)
    }

    @Test(
        "A seek to the end while paused stands there, and playing on from there is the end",
        arguments: [false, true]
    )
    func pausedAtTheEnd(lineByLine: Bool) {
        var dialogue = MPVDialogue()
        dialogue.load(1, at: 100)
        dialogue.hear(RecordedMPV.beyondTheEnd)
        dialogue.load(2, paused: true)
        dialogue.hear(RecordedMPV.pausedAtZero)
        dialogue.forget()
        dialogue.act { $0.seek(to: 5000) }
        #expect(dialogue.commands == [#"["seek",60,"absolute"]"#])
        dialogue.hear(RecordedMPV.soughtTheEnd, lineByLine: lineByLine)
        #expect(dialogue.phases == [.paused])
        #expect(dialogue.last?.position?.seconds == 60)
        dialogue.act { $0.play() }
        #expect(dialogue.phases == [.paused, .ended])

        // mpv has let go of it, so that it has to be loaded again.
        dialogue.forget()
        dialogue.act { $0.seek(to: 7) }
        #expect(dialogue.commands.contains(#"["loadfile","http://h/a","replace"]"#))
        #expect(dialogue.commands.contains(#"["set_property","start","7.000"]"#))
        #expect(dialogue.phases == [.buffering])
        #expect(dialogue.last?.position?.seconds == 7)
    }

    @Test("A seek that meets the end on its way goes on from where it was to go")
    func seekMeetsTheEnd() {
        var dialogue = MPVDialogue()
        dialogue.load(at: 1)
        let parts = RecordedMPV.lastSecond.components(separatedBy: #"{"event":"end-file""#)
        dialogue.hear(parts[0])
        dialogue.act { $0.seek(to: 0.5) }
        dialogue.forget()
        dialogue.hear(#"{"event":"end-file""# + parts[1] + "\n" + #"{"request_id":15,"error":"error running command"}"#)
        #expect(!dialogue.phases.contains(.ended))
        #expect(dialogue.commands.contains(#"["set_property","start","0.500"]"#))
    }

    @Test("Positions are never -0.0 or below 0, and a length that was passed grows")
    func strangePositions() {
        var dialogue = MPVDialogue()
        dialogue.load(at: 50)
        dialogue.hear(RecordedMPV.fifty)
        for (told, said) in [("-0.000000", 0.0), ("-0.311521", 0), ("60.003600", 60.0036)] {
            dialogue.hear(#"{"event":"property-change","id":1,"name":"time-pos","data":\#(told)}"#)
            #expect(dialogue.last?.position?.seconds == said)
            #expect(dialogue.last?.position?.seconds.sign == .plus)
        }
        #expect(dialogue.last?.duration == 60.0036)
    }

    @Test("What cannot be sought in is not waited for")
    func unseekable() {
        var dialogue = MPVDialogue()
        dialogue.load(at: 50)
        let text = RecordedMPV.fifty
            .replacingOccurrences(of: #""seekable","data":true"#, with: #""seekable","data":false"#)
            .replacingOccurrences(of: #"{"data":true,"request_id":14"#, with: #"{"data":false,"request_id":14"#)
            .replacingOccurrences(of: #""time-pos","data":50."#, with: #""time-pos","data":0."#)
        dialogue.hear(text, lineByLine: true)
        #expect(dialogue.last?.phase == .playing)
        #expect(dialogue.snapshots.compactMap { $0.position?.seconds }.allSatisfy { $0 < 1 })
        dialogue.forget()
        dialogue.act { $0.seek(to: 20) }
        #expect(dialogue.commands.isEmpty && dialogue.snapshots.isEmpty)
    }

    @Test("After a new connection the load goes on where it was, as loud as before")
    func reconnects() {
        var dialogue = MPVDialogue()
        dialogue.act { $0.setVolume(0.25) }
        #expect(dialogue.commands.last == #"["set_property","volume",25]"#)
        dialogue.load(at: 49)
        // The numbers of the requests are one further than in the recording.
        dialogue.hear(renumbered(RecordedMPV.fifty, by: 1))
        #expect(dialogue.last?.phase == .playing)
        dialogue.forget()
        dialogue.act { $0.disconnect() }
        #expect(dialogue.last?.phase == .buffering)
        #expect(dialogue.last?.position?.seconds == 50.300923)
        dialogue.act { $0.connect() }
        #expect(dialogue.commands.contains(#"["set_property","volume",25]"#))
        #expect(dialogue.commands.contains(#"["set_property","start","50.300"]"#))
        #expect(dialogue.commands.contains(#"["loadfile","http://h/a","replace"]"#))
        dialogue.forget()
        let gone = MediaPlayerError(code: .playerGone, message: "Gone.")
        dialogue.act { $0.end(gone) }
        #expect(dialogue.phases == [.failed(gone)])
    }

    @Test("An address that runs things or reads others is not given to mpv", arguments: ["edl://a", "av://lavfi", "a"])
    func foreignAddresses(address: String) {
        var dialogue = MPVDialogue()
        dialogue.forget()
        dialogue.load(1, address)
        #expect(dialogue.commands.isEmpty)
        #expect(dialogue.failure?.code == .unreachable)
    }

    @Test("Loudness is clamped", arguments: [(-1.0, "0"), (7, "100"), (.nan, "0"), (0.3, "30")])
    func volume(wanted: Double, sent: String) {
        var dialogue = MPVDialogue()
        dialogue.act { $0.setVolume(wanted) }
        #expect(dialogue.commands.last == #"["set_property","volume",\#(sent)]"#)
    }

    private func renumbered(_ text: String, by distance: Int) -> String {
        text.split(separator: "\n").map { line in
            let parts = line.components(separatedBy: #""request_id":"#)
            guard parts.count == 2, let number = Int(parts[1].prefix { $0.isNumber }) else { return String(line) }
            return parts[0] + #""request_id":\#(number + distance)"# + parts[1].drop { $0.isNumber }
        }.joined(separator: "\n")
    }
}
