import Foundation
public import HopeTokens

/// The list of projects as a view, a terminal or a page draws it: a pure function of the documents.
public struct PhoneLibrary: Hashable, Sendable {
    /// A document as the library is told of it.
    public struct Document: Hashable, Sendable {
        /// Its name.
        public let name: DocumentName
        /// Its state.
        public let state: DocumentState
        /// How many layers it has, or nil before it was downloaded.
        public let layerCount: Int?
        /// When it was last edited, in seconds since 1970, or nil.
        public let editedAt: Double?

        /// Makes a document.
        ///
        /// - Parameters:
        ///   - name: Its name.
        ///   - state: Its state.
        ///   - layerCount: How many layers it has.
        ///   - editedAt: When it was last edited, in seconds since 1970.
        public init(name: DocumentName, state: DocumentState, layerCount: Int?, editedAt: Double?) {
            self.name = name
            self.state = state
            self.layerCount = layerCount
            self.editedAt = editedAt
        }
    }

    /// A row.
    public struct Row: Hashable, Sendable {
        /// The document, whose thumbnail is drawn.
        public let document: DocumentName
        /// The name that people read.
        public let title: String
        /// Such as `7 layers · edited 2 h ago`; empty before the document was downloaded.
        public let subtitle: String
        /// The words of the badge.
        public let badge: String
        /// The character of the badge.
        public let glyph: String
        /// Whether the three ways out of a conflict are offered.
        public let offersConflictChoices: Bool
        /// Whether opening from the device's files is offered instead.
        public let offersOpenFromFiles: Bool
        /// What a screen reader says.
        public let spoken: String

        private let state: DocumentState

        init(_ document: Document, now: Double) {
            self.document = document.name
            state = document.state
            title = document.name.title
            let layers = document.layerCount.map { $0 == 1 ? "1 layer" : "\($0) layers" }
            let edited = document.editedAt.map { "edited \(RelativeTime.text(from: $0, to: now))" }
            subtitle = [layers, edited].compactMap { $0 }.joined(separator: " · ")
            badge = state.badge
            glyph = state.glyph
            offersConflictChoices = state == .conflict
            offersOpenFromFiles = state.offersOpenFromFiles
            spoken = ([title, badge] + [layers, edited].compactMap { $0 }).joined(separator: ", ")
        }

        /// Returns the colour that goes with the badge.
        ///
        /// - Parameter theme: The theme that the screen is drawn in.
        /// - Returns: One of the theme's tokens.
        public func color(in theme: AeroTheme) -> ColorToken { state.color(in: theme) }
    }

    /// The title.
    public let title = "Projects"
    /// What the menu offers.
    public let menu = ["Open from Files…"]
    /// How the store is, in words.
    public let storeStatus: String
    /// The rows in the order of the documents.
    public let rows: [Row]
    /// What stands in the place of rows when there are none, or nil; Open from Files… is offered beside it.
    public let emptyText: String?

    /// Decides what the library looks like.
    ///
    /// - Parameters:
    ///   - documents: The documents in their order.
    ///   - place: The words for where they are kept, such as `iCloud`.
    ///   - unavailability: Why the store cannot be used, or nil.
    ///   - now: The time in seconds since 1970.
    public init(documents: [Document], place: String, unavailability: DocumentUnavailability?, now: Double) {
        storeStatus = unavailability.map { "\(place) · \($0.words)" } ?? "\(place) · available"
        rows = documents.map { Row($0, now: now) }
        emptyText = documents.isEmpty ? "Projects are made on iPad or Mac and kept in iCloud Drive" : nil
    }
}

/// How long ago something was, in words.
enum RelativeTime {
    /// Returns such as `just now`, `5 min ago`, `2 h ago`, `3 d ago`, and from a week on the date in UTC.
    ///
    /// - Parameters:
    ///   - then: Seconds since 1970.
    ///   - now: Seconds since 1970; a time in the future is just now, because clocks differ.
    /// - Returns: The words.
    static func text(from then: Double, to now: Double) -> String {
        let seconds = now - then
        switch seconds {
        case ..<60: return "just now"
        case ..<3600: return "\(Int(seconds / 60)) min ago"
        case ..<86_400: return "\(Int(seconds / 3600)) h ago"
        case ..<604_800: return "\(Int(seconds / 86_400)) d ago"
        default:
            guard abs(then) < 1e11 else { return "some time ago" }
            return "on \(Date(timeIntervalSince1970: then).formatted(.iso8601.year().month().day()))"
        }
    }
}
