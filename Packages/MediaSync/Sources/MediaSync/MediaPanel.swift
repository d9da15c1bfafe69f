public import HopeTokens

/// The media panel: what is shown, with which words and colours, as a pure function of a snapshot and the time.
///
/// Every text is safe for a terminal. Times are as `3:07` and `1:02:09`; those of live streams are "Live".
public struct MediaPanel: Hashable, Sendable {
    /// The panel's headline.
    public let title = "Media"
    /// The fill of the cards.
    public let cardFill = ColorToken.surfaceRaised
    /// What is loaded; nil when there is nothing.
    public let nowPlaying: NowPlaying?
    /// What to show when nothing is loaded.
    public let emptyText: MediaText?
    /// Back, play or pause, forward, stop.
    public let transport: [MediaButton]
    /// Where the track is; nil for live streams and when nothing is loaded.
    public let seek: MediaSlider?
    /// The loudness.
    public let volume: MediaSlider
    /// Downloads on their way.
    public let downloads: [MediaDownloadRow]
    /// Tracks that somebody is asked to choose from.
    public let choices: [MediaRow]
    /// The search.
    public let search: Search
    /// The library.
    public let library: Library
    /// The fields for a live stream.
    public let streamForm = StreamForm()
    /// What went wrong, or nil.
    public let errorBanner: ErrorBanner?

    /// Lays out a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: What there is to show.
    ///   - now: The time on the controller's stopwatch, from which positions are told.
    public init(_ snapshot: MediaSnapshot, now: Duration) {
        let shown = ShownPlayback(snapshot, now: now)
        nowPlaying = shown?.nowPlaying
        emptyText = shown == nil ? MediaText("Nothing loaded", .body, .inkMuted) : nil
        transport = Self.transport(shown, canPlay: shown != nil || snapshot.state?.track != nil)
        seek = shown?.slider
        let percent = Int((min(max(snapshot.volume.isFinite ? snapshot.volume : 0, 0), 1) * 100).rounded())
        volume = MediaSlider(
            value: Double(percent) / 100,
            maximum: 1,
            isEnabled: true,
            color: .iris,
            spokenLabel: "Volume",
            spokenValue: "\(percent) %"
        )
        downloads = snapshot.state?.pending.map(MediaDownloadRow.init) ?? []
        choices = snapshot.state?.choices.map(Self.row) ?? []
        search = Search(
            button: MediaButton("Find", isEnabled: !snapshot.isSearching, .search),
            rows: snapshot.results?.map(Self.row) ?? [],
            note: snapshot.isSearching
                ? MediaText("Searching…", .caption, .inkMuted)
                : snapshot.results?.isEmpty == true ? MediaText("Nothing found", .caption, .inkMuted) : nil
        )
        let formats = snapshot.playback.formats
        library = Library(
            button: MediaButton(
                "Refresh",
                spoken: "Refresh the library",
                isEnabled: !snapshot.isRefreshing,
                .refreshLibrary
            ),
            rows: snapshot.library?.map { Self.row($0, formats) } ?? [],
            note: snapshot.library == nil
                ? (snapshot.isRefreshing ? MediaText("Reading the library…", .caption, .inkMuted) : nil)
                : snapshot.library?.isEmpty == true ? MediaText("The library is empty", .caption, .inkMuted) : nil
        )
        errorBanner = snapshot.error.map { ErrorBanner(text: MediaText($0, .caption, .ink)) }
    }

    /// The question that Remove asks.
    ///
    /// - Parameter row: The track's row.
    /// - Returns: The question.
    public static func confirmRemoval(of row: MediaRow) -> Confirmation {
        Confirmation(
            message: row.title,
            confirm: MediaButton("Remove", spoken: "Remove \(row.title.text)", color: .danger, .remove(trackID: row.id))
        )
    }

    /// Checks the address of a stream before it is sent.
    ///
    /// - Parameter url: What was typed.
    /// - Returns: The words of the banner, or nil for an address that can be sent.
    public static func problem(ofStream url: String) -> String? {
        do throws(StreamURLError) {
            _ = try StreamURL(url)
            return nil
        } catch {
            return "Could not add stream: \(error.message)"
        }
    }

    private static func transport(_ shown: ShownPlayback?, canPlay: Bool) -> [MediaButton] {
        let canSeek = shown?.slider?.isEnabled == true
        let isStarted = shown?.isStarted == true
        return [
            MediaButton("−10", spoken: "Back 10 seconds", isEnabled: canSeek, .skip(seconds: -10)),
            MediaButton(isStarted ? "Pause" : "Play", isEnabled: canPlay, .togglePlayPause),
            MediaButton("+10", spoken: "Forward 10 seconds", isEnabled: canSeek, .skip(seconds: 10)),
            MediaButton("Stop", isEnabled: shown?.isLoaded == true, .stop),
        ]
    }

    private static func row(_ choice: MediaChoice) -> MediaRow {
        MediaRow(
            id: choice.id,
            title: choice.title,
            channel: choice.channel,
            time: choice.duration.map { MediaTime.text($0) },
            isInLibrary: choice.isInLibrary,
            buttons: [MediaButton("Play", spoken: "Play \(choice.title)", .play(.video(id: choice.id)))]
        )
    }

    private static func row(_ track: MediaTrack, _ formats: PlayableFormats) -> MediaRow {
        MediaRow(
            id: track.id,
            title: track.title,
            channel: track.channel,
            time: track.kind == .stream ? MediaTime.live : track.duration.map { MediaTime.text($0) },
            problem: formats.refusal(of: track),
            buttons: [
                MediaButton("Play", spoken: "Play \(track.title)", .play(.track(id: track.id))),
                MediaButton(
                    "Remove",
                    spoken: "Remove \(track.title) from the library",
                    color: .danger,
                    .remove(trackID: track.id)
                ),
            ]
        )
    }

    /// The panel as plain lines for a terminal, without colour; no line holds a control character.
    public var lines: [String] {
        var lines: [String] = []
        if let banner = errorBanner { lines.append("! \(banner.text.text)") }
        if let playing = nowPlaying {
            lines.append([playing.title.text, playing.channel?.text].compactMap(\.self).joined(separator: " – "))
            let times = [playing.elapsed.text, playing.length?.text].compactMap(\.self).joined(separator: " / ")
            lines.append("\(playing.status.text)  \(times)  Volume \(volume.spokenValue)")
            if let problem = playing.problem { lines.append(problem.text) }
        } else if let empty = emptyText {
            lines.append(empty.text)
        }
        for download in downloads { lines.append("↓ \(download.title.text): \(download.status.text)") }
        for (headline, rows) in [("Choose", choices), ("Found", search.rows), ("Library", library.rows)]
        where !rows.isEmpty {
            lines.append(headline)
            for row in rows {
                let words = [row.title.text, row.detail?.text, row.tag.map { "[\($0.text)]" }, row.problem?.text]
                lines.append("  " + words.compactMap(\.self).joined(separator: "  "))
            }
        }
        return lines
    }
}
