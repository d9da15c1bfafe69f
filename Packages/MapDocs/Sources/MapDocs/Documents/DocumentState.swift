public import HopeTokens

/// What people are told about a document in the library and in the status pod, never by colour alone.
public enum DocumentState: Hashable, Sendable {
    /// In the store, not on this device.
    case available
    /// On its way to this device; the fraction done is in 0...1.
    case downloading(fraction: Double)
    /// On this device, the same as in the store.
    case synced
    /// On this device with unpublished changes, counted net of what was set back.
    case edited(changes: Int)
    /// Unpublished changes here, and the store has moved on.
    case conflict
    /// On this device while the store cannot be reached.
    case offlineCopy
    /// Not on this device, and the store cannot be used.
    case unavailable(DocumentUnavailability)

    /// A single character that stands for the state where there is no room for words.
    public var glyph: String {
        switch self {
        case .available: "☁"
        case .downloading: "↓"
        case .synced: "✓"
        case .edited: "●"
        case .conflict: "⚠"
        case .offlineCopy: "⌂"
        case .unavailable: "⊘"
        }
    }

    /// The words of the badge on a library row.
    public var badge: String {
        switch self {
        case .available: "iCloud"
        case .downloading(let fraction): "Downloading \(Self.percent(fraction)) %"
        case .synced, .offlineCopy: "Downloaded"
        case .edited: "Edited"
        case .conflict: "Conflict"
        case .unavailable: "Unavailable"
        }
    }

    /// The line of the status pod, such as `iCloud · synced` or `edited · 3 changes`.
    public var statusLine: String { statusLine(in: "iCloud") }

    /// Returns the line of the status pod for documents that are kept elsewhere.
    ///
    /// - Parameter place: The words for where documents are kept.
    /// - Returns: The line, such as `folder · synced`.
    public func statusLine(in place: String) -> String {
        switch self {
        case .available: "\(place) · not downloaded"
        case .downloading(let fraction): "\(place) · downloading \(Self.percent(fraction)) %"
        case .synced: "\(place) · synced"
        case .edited(let changes): changes == 1 ? "edited · 1 change" : "edited · \(changes) changes"
        case .conflict: "conflict"
        case .offlineCopy: "offline copy"
        case .unavailable(let reason): "unavailable · \(reason.words)"
        }
    }

    /// Returns the colour that goes with the glyph and the words.
    ///
    /// - Parameter theme: The theme that the screen is drawn in.
    /// - Returns: One of the theme's tokens.
    public func color(in theme: AeroTheme) -> ColorToken {
        switch self {
        case .available, .offlineCopy: theme.inkMuted
        case .downloading, .edited: theme.accent
        case .synced: theme.success
        case .conflict: theme.warning
        case .unavailable: theme.danger
        }
    }

    /// Whether opening a project from the device's files is offered instead.
    public var offersOpenFromFiles: Bool {
        if case .unavailable = self { true } else { false }
    }

    private static func percent(_ fraction: Double) -> Int {
        // Rounded down, so that 100 % means done; a fraction that is not a number counts as nothing.
        fraction > 0 ? Int(min(fraction, 1) * 100) : 0
    }
}
