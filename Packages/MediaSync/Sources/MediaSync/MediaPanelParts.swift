public import HopeTokens

/// Words of the media panel with their colour and role.
public struct MediaText: Hashable, Sendable {
    /// The words; they may come from elsewhere, but hold no control character.
    public let text: String
    /// Their role.
    public let role: TextRole
    /// Their colour.
    public let color: ColorToken

    init(_ text: String, _ role: TextRole, _ color: ColorToken) {
        self.text = MediaText.safe(text)
        self.role = role
        self.color = color
    }

    /// Returns a text without characters that a terminal would act on.
    static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: safe.append(" ")
            // Writing directions, with which a title could rewrite the words around it.
            case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: break
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}

/// What the person can do on the media panel.
public enum MediaPanelAction: Hashable, Sendable {
    /// Play what is paused, or pause what plays.
    case togglePlayPause
    /// Go forward or back by so many seconds.
    case skip(seconds: Double)
    /// Stop and unload.
    case stop
    /// Go to the position of the slider.
    case seek
    /// Set the loudness of the slider.
    case setVolume
    /// Play something.
    case play(MediaWish)
    /// Remove a track, once it was confirmed.
    case remove(trackID: String)
    /// Find what stands in the search field.
    case search
    /// Read the library again.
    case refreshLibrary
    /// Add the stream whose name and address stand in the fields.
    case addStream
    /// Put the error away.
    case dismissError
}

/// A button of the media panel.
public struct MediaButton: Hashable, Sendable {
    /// The words on it, or the sign that stands for it in a terminal.
    public let title: String
    /// What a screen reader says.
    public let spokenLabel: String
    /// The colour of words and signs.
    public let color: ColorToken
    /// Whether it can be pressed.
    public let isEnabled: Bool
    /// What it does.
    public let action: MediaPanelAction

    init(
        _ title: String,
        spoken: String? = nil,
        color: ColorToken = .iris,
        isEnabled: Bool = true,
        _ action: MediaPanelAction
    ) {
        self.title = title
        spokenLabel = MediaText.safe(spoken ?? title)
        self.color = color
        self.isEnabled = isEnabled
        self.action = action
    }

    /// The least side of what can be touched, in points.
    public var touchTarget: Double { MetricToken.touchTarget.value }
}

/// A slider of the media panel.
public struct MediaSlider: Hashable, Sendable {
    /// Where its knob stands, from 0 to `maximum`.
    public let value: Double
    /// The value of its right end.
    public let maximum: Double
    /// Whether it can be moved.
    public let isEnabled: Bool
    /// The colour of the part that is filled.
    public let color: ColorToken
    /// What a screen reader says it is.
    public let spokenLabel: String
    /// What a screen reader says of its value.
    public let spokenValue: String

    /// The part that is filled, 0...1.
    public var fraction: Double { maximum > 0 ? min(max(value / maximum, 0), 1) : 0 }
}

/// A track of the library, a search result or a choice, as one row.
public struct MediaRow: Hashable, Sendable, Identifiable {
    /// The server's name for it.
    public let id: String
    /// The title.
    public let title: MediaText
    /// Channel and length, or "Live".
    public let detail: MediaText?
    /// "in library" for what is found and is there already.
    public let tag: MediaText?
    /// Why the player cannot play it, in plain words; nil when it can or has to be tried.
    public let problem: MediaText?
    /// What can be done with it: Play, and for a track of the library Remove.
    public let buttons: [MediaButton]
    /// The row in words.
    public let spokenLabel: String

    init(
        id: String,
        title: String,
        channel: String?,
        time: String?,
        isInLibrary: Bool = false,
        problem: String? = nil,
        buttons: [MediaButton]
    ) {
        self.id = id
        self.title = MediaText(title, .body, .ink)
        let detail = [channel.flatMap { $0.isEmpty ? nil : $0 }, time].compactMap(\.self).joined(separator: " · ")
        self.detail = detail.isEmpty ? nil : MediaText(detail, .caption, .inkMuted)
        tag = isInLibrary ? MediaText("in library", .caption, .mint) : nil
        self.problem = problem.map { MediaText($0, .caption, .warm) }
        self.buttons = buttons
        spokenLabel = [self.title.text, channel.map(MediaText.safe), time, tag?.text, self.problem?.text]
            .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// A download on its way, as one row.
public struct MediaDownloadRow: Hashable, Sendable, Identifiable {
    /// The server's name for it.
    public let id: String
    /// The title.
    public let title: MediaText
    /// What is going on, with the part that is done: `downloading, 25 %`.
    public let status: MediaText
    /// The part that is done, 0...1, or nil when the server cannot tell.
    public let progress: Double?
    /// The colour of the part that is done.
    public let color = ColorToken.iris
    /// The row in words.
    public let spokenLabel: String

    init(_ download: PendingDownload) {
        id = download.id
        title = MediaText(download.title, .body, .ink)
        progress = download.progress.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
        let percent = progress.map { "\(Int(($0 * 100).rounded(.down))) %" }
        let words = [download.status, percent].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
        status = MediaText(words, .caption, .inkMuted)
        spokenLabel = "\(title.text), \(status.text)"
    }
}
