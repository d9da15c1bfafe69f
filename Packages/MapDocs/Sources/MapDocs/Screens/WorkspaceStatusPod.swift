public import HopeTokens

/// The pod at the top leading corner: the way back, the project's name and the document's state.
public struct WorkspaceStatusPod: Hashable, Sendable {
    /// The way back to the library; it never asks, because edits are kept.
    public let back: WorkspaceControl
    /// The project's name, on one line that is cut at its end.
    public let title: String
    /// The state in words, or nil where there is only room for the glyph.
    public let line: String?
    /// One character for the state.
    public let glyph: String
    /// What a screen reader says: name and state in words, whether the state is written out or not.
    public let spoken: String

    private let state: DocumentState

    init(_ workspace: Workspace, isNarrow: Bool) {
        state = workspace.documentState
        back = WorkspaceControl("", .back, spoken: "Back to projects", style: .soft, action: .leave)
        title = workspace.name
        let words = Self.line(workspace)
        line = isNarrow ? nil : words
        glyph = state.glyph
        spoken = "\(workspace.name), \(words.replacing(" · ", with: ", "))"
    }

    /// Returns the colour that goes with the glyph and the words.
    ///
    /// - Parameter theme: The theme that the screen is drawn in.
    /// - Returns: One of the theme's tokens.
    public func color(in theme: AeroTheme) -> ColorToken { state.color(in: theme) }

    private static func line(_ workspace: Workspace) -> String {
        if workspace.readOnlyReason != nil { return "read only" }
        return workspace.documentState.statusLine(in: workspace.place)
    }
}

/// The button at the top trailing corner that publishes.
public struct WorkspaceSaveButton: Hashable, Sendable {
    /// What the button stands for now.
    public enum Phase: Hashable, Sendable {
        /// Nothing is to be published; quiet.
        case saved
        /// There are changes; accent.
        case dirty
        /// Publishing, so far; a spinner, and the map stays usable.
        case publishing(Double)
    }

    /// What it stands for now.
    public let phase: Phase
    /// The button.
    public let control: WorkspaceControl
    /// The number of changes that is shown, or nil.
    public let count: Int?

    /// What a screen reader says.
    public var spoken: String { control.spoken }

    init(_ workspace: Workspace, isNarrow: Bool) {
        if let fraction = workspace.publishing {
            phase = .publishing(fraction)
            control = WorkspaceControl(
                isNarrow ? "" : "Saving…",
                .spinner,
                spoken: "Saving to \(workspace.place)",
                isEnabled: false
            )
            count = nil
        } else if workspace.changes > 0, workspace.readOnlyReason == nil {
            phase = .dirty
            count = workspace.changes
            let changes = workspace.changes == 1 ? "1 change" : "\(workspace.changes) changes"
            control = WorkspaceControl(
                isNarrow ? "\(workspace.changes)" : "Save to \(workspace.place)",
                .save,
                spoken: "Save \(changes) to \(workspace.place)",
                style: .prominent,
                action: .save
            )
        } else {
            phase = .saved
            control = WorkspaceControl(isNarrow ? "" : "Saved", .done, spoken: "Saved, no changes", isEnabled: false)
            count = nil
        }
    }
}
