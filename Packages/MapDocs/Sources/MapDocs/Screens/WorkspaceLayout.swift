/// A rectangle on the screen, in points.
public struct ScreenRectangle: Hashable, Sendable {
    /// The left edge.
    public var x: Double
    /// The upper edge.
    public var y: Double
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// Makes a rectangle.
    ///
    /// - Parameters:
    ///   - x: The left edge.
    ///   - y: The upper edge.
    ///   - width: The width.
    ///   - height: The height.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The right edge.
    public var right: Double { x + width }
    /// The lower edge.
    public var bottom: Double { y + height }

    /// Whether two rectangles have more than an edge in common.
    ///
    /// - Parameter other: The other rectangle.
    /// - Returns: True when they overlap.
    public func overlaps(_ other: ScreenRectangle) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }
}

/// Where the parts of the workspace lie: the same corners in both orientations, inside the safe area.
///
/// Spacing shrinks before controls do, and a control is never under 44 points.
public struct WorkspaceLayout: Hashable, Sendable {
    /// The least side of a control.
    public static let minimumControl = 44.0

    /// The side of a control's button.
    public let control: Double
    /// The space between parts.
    public let spacing: Double
    /// Whether the state is one glyph and the save button carries the count alone.
    public let isNarrow: Bool
    /// The status pod, at the top leading corner.
    public let statusPod: ScreenRectangle
    /// The save button, at the top trailing corner.
    public let save: ScreenRectangle
    /// The action cluster, at the bottom in the middle.
    public let cluster: ScreenRectangle
    /// The coordinates, at the bottom leading corner.
    public let coordinates: ScreenRectangle
    /// The navigation, at the bottom trailing corner.
    public let navigation: ScreenRectangle
    /// The sheet, or nil; it covers what lies under it.
    public let sheet: ScreenRectangle?

    init(_ workspace: Workspace, clusterButtons: Int, navigationButtons: Int) {
        let screen = workspace.viewport
        let scale = min(max(screen.textScale.isFinite ? screen.textScale : 1, 0.5), 4)
        let left = screen.safeLeading
        let right = max(screen.width - screen.safeTrailing, left)
        let top = screen.safeTop
        let bottom = max(screen.height - screen.safeBottom, top)
        let width = right - left
        let height = bottom - top
        let minimum = Self.minimumControl

        // The cluster is the widest row of controls and decides how much room there is between them.
        let buttons = Double(max(clusterButtons, 1))
        let label = 10.5 * scale * 1.3
        let ideal = 48.0
        let spacing = min(max((width - buttons * ideal) / (buttons + 3), 2), 8)
        let control = max(min(ideal, (width - (buttons + 1) * spacing) / buttons), minimum)
        self.spacing = spacing
        self.control = control

        let line = 17 * scale * 1.3
        let podHeight = max(control, 2 * line + 8)
        isNarrow = width < 300 + 60 * (scale - 1)
        let saveWidth = isNarrow ? control : min(max(control, 60 + 90 * scale), width / 2 - spacing)
        save = ScreenRectangle(x: right - spacing - saveWidth, y: top + spacing, width: saveWidth, height: control)
        let podWidth = max(min(280 * max(scale, 1), save.x - left - 2 * spacing), minimum)
        statusPod = ScreenRectangle(x: left + spacing, y: top + spacing, width: podWidth, height: podHeight)

        let clusterWidth = buttons * control + (buttons + 1) * spacing
        let clusterHeight = control + label
        cluster = ScreenRectangle(
            x: left + (width - clusterWidth) / 2,
            y: bottom - spacing - clusterHeight,
            width: clusterWidth,
            height: clusterHeight
        )

        // Above the cluster, so that the corners are the same however wide the screen is.
        let rise = cluster.y - spacing
        let steps = Double(max(navigationButtons, 1))
        let column = steps * control + (steps - 1) * spacing
        let isColumn = rise - column > statusPod.bottom + spacing
        let navigationWidth = isColumn ? control : column
        let navigationHeight = isColumn ? column : control
        navigation = ScreenRectangle(
            x: right - spacing - navigationWidth,
            y: rise - navigationHeight,
            width: navigationWidth,
            height: navigationHeight
        )
        let chip = max(min(170 * scale, navigation.x - left - 2 * spacing), minimum)
        let chipHeight = 13 * scale * 1.3 + 8
        coordinates = ScreenRectangle(x: left + spacing, y: rise - chipHeight, width: chip, height: chipHeight)

        sheet = workspace.sheet.map { sheet in
            let isWide = width > height
            // Beside the map rather than over all of it where the screen is wide.
            let sheetWidth = isWide ? min(max(width / 2, 375), width) : width
            let share = sheet.detent == .large ? 0.92 : 0.5
            let sheetHeight = height * share
            return ScreenRectangle(x: left, y: bottom - sheetHeight, width: sheetWidth, height: sheetHeight)
        }
    }
}
