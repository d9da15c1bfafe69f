/// A named length or ratio of the apps.
public struct MetricToken: Hashable, Sendable {
    /// What the number counts.
    public enum Unit: String, Hashable, Sendable {
        /// Points of the screen.
        case points = "pt"
        /// A part of something, 0…1.
        case ratio
    }

    /// The unique place of the token, for instance `shape.cardRadius`.
    public let path: String
    /// The family it is listed under: `shape`, `glass`, `layout`, `aero.metric`, `aero.light` or `aero.dark`.
    public let group: String
    /// What it measures, in one line.
    public let summary: String
    /// The number, in `unit`.
    public let value: Double
    /// What the number counts.
    public let unit: Unit

    /// The last part of the path, for instance `cardRadius`.
    public var name: String {
        path.split(separator: ".").last.map(String.init) ?? path
    }

    init(path: String, group: String, summary: String, value: Double, unit: Unit) {
        self.path = path
        self.group = group
        self.summary = summary
        self.value = value
        self.unit = unit
    }

    private init(_ group: String, _ name: String, _ value: Double, _ unit: Unit, _ summary: String) {
        self.init(path: "\(group).\(name)", group: group, summary: summary, value: value, unit: unit)
    }
}

// MARK: - Shape

extension MetricToken {
    /// Corner radius of cards.
    public static let cardRadius = MetricToken("shape", "cardRadius", 14, .points, "corners of cards")
    /// Corner radius of the LED wall's plate, as a part of its side.
    public static let plateRadiusRatio = MetricToken(
        "shape",
        "plateRadiusRatio",
        26.0 / 320,
        .ratio,
        "corners of the wall's plate, of its side"
    )
    /// Corner radius of bubbles.
    public static let bubbleRadius = MetricToken("shape", "bubbleRadius", 12, .points, "corners of bubbles")
    /// Radius of a bubble's one cut corner: bottom trailing for the user, bottom leading for the agent.
    public static let bubbleCutRadius = MetricToken("shape", "bubbleCutRadius", 3, .points, "a bubble's cut corner")
    /// Diameter of the agent's avatar dot: an iris ring with an iris centre.
    public static let avatarDiameter = MetricToken("shape", "avatarDiameter", 24, .points, "the agent's avatar dot")
    /// Radius of the speaking wall's glow.
    public static let wallGlowRadius = MetricToken("shape", "wallGlowRadius", 14, .points, "glow of the speaking wall")
}

// MARK: - Glass

extension MetricToken {
    /// Where the glass panel's radial gradient has become transparent, as a part of its radius.
    public static let glassGlowStop = MetricToken("glass", "glowStop", 0.62, .ratio, "end of the glass gradient")
    /// Width of the glass panel's border.
    public static let glassBorderWidth = MetricToken("glass", "borderWidth", 1, .points, "border of the glass panel")
}

// MARK: - Layout

extension MetricToken {
    /// The widest a bubble can be, as a part of the width.
    public static let bubbleWidthRatio = MetricToken("layout", "bubbleWidthRatio", 0.82, .ratio, "widest bubble")
    /// The widest a bubble can be at accessibility text sizes.
    public static let bubbleWidthRatioAccessibility = MetricToken(
        "layout",
        "bubbleWidthRatioAccessibility",
        0.92,
        .ratio,
        "widest bubble at accessibility text sizes"
    )
    /// The smallest side of what can be touched.
    public static let touchTarget = MetricToken("layout", "touchTarget", 44, .points, "smallest touch target")
    /// The least height that a button is drawn with.
    public static let buttonHeight = MetricToken("layout", "buttonHeight", 42, .points, "lowest button")
    /// Opacity of a transcript row that is still being spoken.
    public static let partialRowOpacity = MetricToken(
        "layout",
        "partialRowOpacity",
        0.58,
        .ratio,
        "opacity of a row that is still being spoken"
    )
}

// MARK: - Aero

extension MetricToken {
    /// Corner radius of glass pills.
    public static let aeroPillRadius = MetricToken("aero.metric", "pillRadius", 24, .points, "corners of glass pills")
    /// Padding inside glass pills.
    public static let aeroPadding = MetricToken("aero.metric", "padding", 8, .points, "padding of glass pills")
    /// The smallest icon button.
    public static let aeroIconButtonMinimum = MetricToken(
        "aero.metric",
        "iconButtonMinimum",
        46,
        .points,
        "smallest icon button"
    )
    /// The largest icon button.
    public static let aeroIconButtonMaximum = MetricToken(
        "aero.metric",
        "iconButtonMaximum",
        48,
        .points,
        "largest icon button"
    )
    /// The least height of a row in the layers sheet.
    public static let aeroLayerRowHeight = MetricToken(
        "aero.metric",
        "layerRowHeight",
        48,
        .points,
        "lowest row of the layers sheet"
    )
    /// Width of the border of glass.
    public static let aeroGlassBorderWidth = MetricToken(
        "aero.metric",
        "glassBorderWidth",
        1,
        .points,
        "border of glass"
    )

    /// Every metric of both apps; the grain of glass is part of `AeroTheme`.
    public static let all = [
        cardRadius, plateRadiusRatio, bubbleRadius, bubbleCutRadius, avatarDiameter, wallGlowRadius,
        glassGlowStop, glassBorderWidth,
        bubbleWidthRatio, bubbleWidthRatioAccessibility, touchTarget, buttonHeight, partialRowOpacity,
        aeroPillRadius, aeroPadding, aeroIconButtonMinimum, aeroIconButtonMaximum, aeroLayerRowHeight,
        aeroGlassBorderWidth,
    ]
}
