public import HopeTokens

/// A line that says what is wrong, with a pictogram and words: never by colour alone.
public struct ScreenBanner: Hashable, Sendable {
    /// What a banner is about.
    public enum Kind: Hashable, Sendable {
        /// The connection is being made again.
        case reconnecting
        /// There is no microphone; the conversation goes on.
        case microphone
        /// The conversation failed.
        case failure
    }

    /// What it is about.
    public let kind: Kind
    /// Its pictogram.
    public let glyph: ScreenGlyph
    /// The pictogram's colour.
    public let glyphColor: ColorToken
    /// Its words.
    public let text: ScreenText
    /// The colour behind it, or nil for none.
    public let background: ColorToken?
    /// What the person can do about it, or nil.
    public let button: ScreenButton?

    static func all(_ snapshot: ConversationSnapshot) -> [ScreenBanner] {
        var banners: [ScreenBanner] = []
        if snapshot.isReconnecting, snapshot.session.isActive {
            banners.append(
                ScreenBanner(
                    kind: .reconnecting,
                    glyph: .reconnecting,
                    glyphColor: .reconnecting,
                    text: ScreenText("Reconnecting…", .caption, .warm),
                    background: nil,
                    button: nil
                )
            )
        }
        if let error = snapshot.microphoneError, snapshot.session == .ready {
            banners.append(
                ScreenBanner(
                    kind: .microphone,
                    glyph: .microphoneOff,
                    glyphColor: .warm,
                    text: ScreenText("Microphone: \(error)", .caption, .warm),
                    background: nil,
                    button: snapshot.settings.isTextMode
                        ? nil : ScreenButton("Text", spoken: "Switch to text", .plain, .setMode(.text))
                )
            )
        }
        if case .failed(let reason) = snapshot.session {
            banners.append(
                ScreenBanner(
                    kind: .failure,
                    glyph: .warning,
                    glyphColor: .failed,
                    text: ScreenText(
                        reason.isEmpty ? "Connection failed" : "Connection failed: \(reason)",
                        .caption,
                        .ink
                    ),
                    background: .errorBanner,
                    button: ScreenButton(
                        "Retry",
                        spoken: "Retry the connection",
                        .quiet,
                        isEnabled: snapshot.serverURLError == nil,
                        .retry
                    )
                )
            )
        }
        return banners
    }
}
