public import Foundation
public import HopeTokens

extension MediaPanel {
    /// What is loaded, or what the server wants to be.
    public struct NowPlaying: Hashable, Sendable {
        /// The picture, or nil for the glyph.
        public let art: URL?
        /// What stands in place of a picture.
        public let glyph: Character = "♪"
        /// How faint the glyph is, 0...1.
        public let glyphOpacity = 0.35
        /// The title.
        public let title: MediaText
        /// Who published it.
        public let channel: MediaText?
        /// What the player does, in one or two words.
        public let status: MediaText
        /// Why it cannot be played, in plain words.
        public let problem: MediaText?
        /// Where it is, or "Live".
        public let elapsed: MediaText
        /// How long it is; nil for a live stream.
        public let length: MediaText?
        /// All of it in words.
        public let spokenLabel: String
    }

    /// A field to type into.
    public struct Field: Hashable, Sendable {
        /// What stands in it while it is empty, which is also what a screen reader says.
        public let placeholder: String
        /// Its fill.
        public let fill = ColorToken.surface
    }

    /// The search: a field, Find, and what was found.
    public struct Search: Hashable, Sendable {
        /// The section's headline.
        public let title = MediaText("Search", .headline, .ink)
        /// Where the words are typed.
        public let field = Field(placeholder: "Song, artist or address")
        /// Find.
        public let button: MediaButton
        /// What was found.
        public let rows: [MediaRow]
        /// What stands there instead of rows; nil before the first search.
        public let note: MediaText?
    }

    /// The library: its tracks and Refresh.
    public struct Library: Hashable, Sendable {
        /// The section's headline.
        public let title = MediaText("Library", .headline, .ink)
        /// Refresh.
        public let button: MediaButton
        /// The tracks.
        public let rows: [MediaRow]
        /// What stands there instead of rows.
        public let note: MediaText?
    }

    /// The fields for a live stream, and Add.
    public struct StreamForm: Hashable, Sendable {
        /// The section's headline.
        public let title = MediaText("Add stream", .headline, .ink)
        /// Where the name is typed.
        public let name = Field(placeholder: "Name")
        /// Where the address is typed.
        public let url = Field(placeholder: "URL")
        /// Add.
        public let button = MediaButton("Add", spoken: "Add stream", .addStream)
    }

    /// A question before something is done that cannot be undone.
    public struct Confirmation: Hashable, Sendable {
        /// The question.
        public let title = MediaText("Remove from library?", .headline, .ink)
        /// What it is about.
        public let message: MediaText
        /// Does it.
        public let confirm: MediaButton
        /// The words on the button that does not.
        public let cancelTitle = "Cancel"
    }

    /// What went wrong.
    public struct ErrorBanner: Hashable, Sendable {
        /// What was tried and why it failed.
        public let text: MediaText
        /// The colour behind it: danger at 0.1.
        public let background = ColorToken.errorBanner
        /// The colour of its pictogram.
        public let glyphColor = ColorToken.danger
        /// Puts it away.
        public let button = MediaButton("Dismiss", spoken: "Dismiss the error", color: .ink, .dismissError)
    }
}
