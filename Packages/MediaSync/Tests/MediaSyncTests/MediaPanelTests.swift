import Foundation
import HopeTokens
import MediaSync
import Testing

struct MediaPanelTests {
    private func track(
        _ id: String = "a",
        duration: Double? = 187,
        mimeType: String? = "audio/mp4",
        kind: MediaTrack.Kind = .file
    ) -> MediaTrack {
        MediaTrack(
            id: id,
            title: "Clair de lune",
            channel: "Piano",
            duration: duration,
            audioURL: URL(string: "http://h/\(id)"),
            mimeType: mimeType,
            kind: kind
        )
    }

    /// A snapshot in which a track is loaded and does something.
    private func snapshot(
        _ track: MediaTrack,
        _ phase: PlayerSnapshot.Phase,
        at seconds: Double = 0,
        formats: PlayableFormats = .mpv
    ) -> MediaSnapshot {
        var local = LocalPlayback(formats: formats)
        let load = PlayerLoad(
            number: 1,
            trackID: track.id,
            source: track.audioURL,
            mimeType: track.mimeType,
            position: 0,
            isPaused: false
        )
        local.apply(.load(load, waitsForStart: false, hint: nil), now: .zero)
        let position = PlaybackPosition(seconds: seconds, time: .zero, isAdvancing: phase == .playing)
        local.observe(PlayerSnapshot(load: 1, phase: phase, position: position), now: .zero)
        return MediaSnapshot(state: MediaState(track: track, desired: .playing), playback: local, track: track)
    }

    @Test("Nothing loaded says so, and offers nothing that needs a track")
    func empty() {
        let panel = MediaPanel(MediaSnapshot(playback: LocalPlayback(formats: .mpv)), now: .zero)
        #expect(panel.emptyText?.text == "Nothing loaded")
        #expect(panel.nowPlaying == nil && panel.seek == nil && panel.errorBanner == nil)
        #expect(panel.transport.allSatisfy { !$0.isEnabled })
        #expect(panel.lines == ["Nothing loaded"])
    }

    @Test("What was stopped is not loaded, but can be played again")
    func stopped() {
        let state = MediaState(track: track(), desired: .stopped)
        let panel = MediaPanel(MediaSnapshot(state: state, playback: LocalPlayback(formats: .mpv)), now: .zero)
        #expect(panel.emptyText?.text == "Nothing loaded")
        #expect(panel.transport.map(\.isEnabled) == [false, true, false, false])
    }

    @Test("What plays has its title, its channel, its status and its times, which move on")
    func playing() throws {
        let panel = MediaPanel(snapshot(track(), .playing, at: 60), now: .seconds(7.5))
        let playing = try #require(panel.nowPlaying)
        #expect([playing.title.text, playing.channel?.text] == ["Clair de lune", "Piano"])
        #expect([playing.status.text, playing.elapsed.text, playing.length?.text] == ["Playing", "1:07", "3:07"])
        #expect(playing.spokenLabel == "Clair de lune, Piano, Playing, 1:07 of 3:07")
        #expect(playing.art == nil && playing.glyph == "♪" && playing.glyphOpacity < 0.5)
        #expect(panel.seek?.value == 67.5 && panel.seek?.maximum == 187)
        #expect(panel.seek?.color == .iris && panel.cardFill == .surfaceRaised)
        #expect(panel.emptyText == nil)
    }

    @Test("A position beyond the server's length stays at it")
    func beyondTheEnd() {
        let panel = MediaPanel(snapshot(track(), .playing, at: 180), now: .seconds(100))
        #expect(panel.nowPlaying?.elapsed.text == "3:07")
        #expect(panel.seek?.fraction == 1)
    }

    @Test("Every transport control and Refresh has a spoken label and the colour of what can be pressed")
    func spokenLabels() {
        let panel = MediaPanel(snapshot(track(), .playing), now: .zero)
        let labels = panel.transport.map(\.spokenLabel)
        #expect(labels == ["Back 10 seconds", "Pause", "Forward 10 seconds", "Stop"])
        #expect(panel.transport.allSatisfy { $0.color == .iris && $0.isEnabled && $0.touchTarget >= 44 })
        #expect(panel.transport.map(\.action) == [.skip(seconds: -10), .togglePlayPause, .skip(seconds: 10), .stop])
        #expect(panel.library.button.spokenLabel == "Refresh the library")
        #expect(panel.search.button.title == "Find")
        #expect(MediaPanel(snapshot(track(), .paused), now: .zero).transport[1].title == "Play")
    }

    @Test(
        "Each phase has its word",
        arguments: [
            (PlayerSnapshot.Phase.loading, "Loading…"), (.paused, "Paused"), (.playing, "Playing"),
            (.buffering, "Buffering…"), (.ended, "Ended"),
        ]
    )
    func statuses(phase: PlayerSnapshot.Phase, word: String) {
        #expect(MediaPanel(snapshot(track(), phase), now: .zero).nowPlaying?.status.text == word)
    }

    @Test("A live stream says Live and cannot be sought in")
    func live() {
        let panel = MediaPanel(snapshot(track(duration: nil, kind: .stream), .playing, at: 4000), now: .zero)
        #expect(panel.nowPlaying?.elapsed.text == "Live")
        #expect(panel.nowPlaying?.length == nil)
        #expect(panel.seek == nil)
        #expect(panel.transport.map(\.isEnabled) == [false, true, false, true])
        #expect(panel.nowPlaying?.spokenLabel.hasSuffix("Live") == true)
    }

    @Test("What the player cannot open is said before it is loaded, in the library and for what is wanted")
    func undecodable() {
        var snapshot = MediaSnapshot(
            state: MediaState(track: track(mimeType: "audio/webm"), desired: .playing),
            playback: LocalPlayback(formats: .avPlayer)
        )
        snapshot.library = [track("b", mimeType: "audio/ogg"), track("c")]
        let panel = MediaPanel(snapshot, now: .zero)
        let words = "“Clair de lune” is a WebM file (audio/webm), which the iPhone's player cannot open."
        #expect(panel.nowPlaying?.problem?.text == words)
        #expect(panel.library.rows.map { $0.problem != nil } == [true, false])
        #expect(panel.library.rows[0].spokenLabel.contains("which the iPhone's player cannot open"))
    }

    @Test("What failed in the player says why")
    func failed() {
        let error = MediaPlayerError(code: .undecodable, message: "The file is broken.")
        let panel = MediaPanel(snapshot(track(), .failed(error)), now: .zero)
        #expect(panel.nowPlaying?.status.text == "Cannot be played")
        #expect(panel.nowPlaying?.problem?.text == "The file is broken.")
        #expect(panel.transport[3].isEnabled == false)
    }

    @Test("Downloads have their progress, results and choices their tag, tracks their buttons")
    func lists() throws {
        let pending = [
            PendingDownload(id: "p", title: "Gymnopédie", status: "downloading", progress: 0.256),
            PendingDownload(id: "q", title: "Nocturne", status: "queued"),
        ]
        let choices = [MediaChoice(id: "v", title: "Étude", channel: "Piano", duration: 61, isInLibrary: true)]
        var snapshot = MediaSnapshot(
            state: MediaState(track: nil, desired: .stopped, pending: pending, choices: choices),
            playback: LocalPlayback(formats: .mpv)
        )
        snapshot.results = [MediaChoice(id: "w", title: "Prélude")]
        snapshot.library = [track(), track("s", duration: nil, kind: .stream)]
        let panel = MediaPanel(snapshot, now: .zero)
        #expect(panel.downloads.map(\.status.text) == ["downloading, 25 %", "queued"])
        #expect(panel.downloads.map(\.progress) == [0.256, nil])
        #expect(panel.choices.first?.tag?.text == "in library")
        #expect(panel.choices.first?.detail?.text == "Piano · 1:01")
        #expect(panel.choices.first?.spokenLabel == "Étude, Piano, 1:01, in library")
        #expect(panel.search.rows.first?.tag == nil)
        #expect(panel.search.rows.first?.buttons.map(\.action) == [.play(.video(id: "w"))])
        #expect(panel.library.rows.map(\.detail?.text) == ["Piano · 3:07", "Piano · Live"])
        #expect(panel.library.rows[0].buttons.map(\.action) == [.play(.track(id: "a")), .remove(trackID: "a")])
        #expect(panel.library.rows[0].buttons.map(\.spokenLabel)[1] == "Remove Clair de lune from the library")
    }

    @Test("Removing asks first")
    func confirmation() throws {
        var snapshot = MediaSnapshot(playback: LocalPlayback(formats: .mpv))
        snapshot.library = [track()]
        let row = try #require(MediaPanel(snapshot, now: .zero).library.rows.first)
        let question = MediaPanel.confirmRemoval(of: row)
        #expect(question.title.text == "Remove from library?")
        #expect([question.confirm.title, question.cancelTitle] == ["Remove", "Cancel"])
        #expect(question.confirm.action == .remove(trackID: "a"))
    }

    @Test("Notes stand where there are no rows")
    func notes() {
        var snapshot = MediaSnapshot(playback: LocalPlayback(formats: .mpv), library: [], results: [])
        #expect(MediaPanel(snapshot, now: .zero).library.note?.text == "The library is empty")
        #expect(MediaPanel(snapshot, now: .zero).search.note?.text == "Nothing found")
        snapshot.library = nil
        snapshot.isSearching = true
        snapshot.isRefreshing = true
        let panel = MediaPanel(snapshot, now: .zero)
        #expect(panel.library.note?.text == "Reading the library…")
        #expect(panel.search.note?.text == "Searching…")
        #expect(!panel.search.button.isEnabled && !panel.library.button.isEnabled)
    }

    @Test("The error banner is danger at a tenth and holds the words of the failure")
    func banner() {
        let snapshot = MediaSnapshot(
            playback: LocalPlayback(formats: .mpv),
            error: "Could not add stream: url must be http(s) (HTTP 400)"
        )
        let banner = MediaPanel(snapshot, now: .zero).errorBanner
        #expect(banner?.text.text == "Could not add stream: url must be http(s) (HTTP 400)")
        #expect(banner?.background.value == ColorValue(rgb: 0xFF806F, opacity: 0.1))
        #expect(banner?.button.action == .dismissError)
    }

    @Test("A stream's address is checked before it is sent")
    func streamAddress() {
        #expect(MediaPanel.problem(ofStream: " HTTP://radio.example/live ") == nil)
        #expect(MediaPanel.problem(ofStream: "ftp://x") == "Could not add stream: url must be http(s)")
    }

    @Test("Texts from elsewhere cannot steer a terminal or turn the words around")
    func safeTexts() {
        var track = track()
        track.title = "A\u{1B}[2J\u{202E}B\nC\u{7}"
        var snapshot = snapshot(track, .playing)
        snapshot.error = "x\u{9B}31m"
        for line in MediaPanel(snapshot, now: .zero).lines {
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{202E}" })
        }
    }

    @Test("Strange numbers of a server make no strange numbers on the panel", arguments: [-1, .nan, .infinity, 1e300])
    func strangeNumbers(number: Double) {
        var snapshot = snapshot(track(duration: number), .playing, at: 3)
        snapshot.volume = number
        snapshot.state?.pending = [PendingDownload(id: "p", title: "x", status: "y", progress: number)]
        let panel = MediaPanel(snapshot, now: .zero)
        #expect((0...1).contains(panel.volume.value))
        #expect((0...1).contains(panel.seek?.fraction ?? 0))
        #expect(panel.downloads.allSatisfy { ($0.progress ?? 0) <= 1 && ($0.progress ?? 0) >= 0 })
    }
}
