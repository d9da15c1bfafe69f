/// The colours of Meridian's phone companion in one appearance: a calm family from teal to blue.
///
/// Every text colour reaches 4.5:1 on the sheet, on the soft accent, and on glass over a white and over a black map.
public struct AeroTheme: Hashable, Sendable {
    /// The appearance: `light` or `dark`.
    public let name: String
    /// Active buttons, selection, links.
    public let accent: ColorToken
    /// Quiet tiles and active buttons.
    public let accentSoft: ColorToken
    /// Pressed buttons, and text that should stand out on a soft accent.
    public let accentDeep: ColorToken
    /// Text and glyphs on accent and accentDeep.
    public let onAccent: ColorToken
    /// Primary text.
    public let ink: ColorToken
    /// Secondary text.
    public let inkMuted: ColorToken
    /// Sheet bodies, near opaque.
    public let surfaceSheet: ColorToken
    /// The fill of glass.
    public let glassFill: ColorToken
    /// The one-point border of glass.
    public let glassBorder: ColorToken
    /// The light on the upper edge of glass.
    public let glassHighlight: ColorToken
    /// The shadow under glass and sheets.
    public let shadow: ColorToken
    /// Something went well.
    public let success: ColorToken
    /// Something needs a look.
    public let warning: ColorToken
    /// Something went wrong.
    public let danger: ColorToken
    /// Opacity of the grain over glass, 0…1; stronger in the dark.
    public let grainOpacity: MetricToken

    /// The light appearance.
    public static let light = AeroTheme(
        name: "light",
        accent: (0x08586F, 1),
        accentSoft: (0xD3EAF0, 1),
        accentDeep: (0x063D54, 1),
        onAccent: (0xFFFFFF, 1),
        ink: (0x0B2430, 1),
        inkMuted: (0x3B5563, 1),
        surfaceSheet: (0xF7FAFB, 0.97),
        glassFill: (0xF4F9FB, 0.86),
        glassBorder: (0x0B2430, 0.14),
        glassHighlight: (0xFFFFFF, 0.7),
        shadow: (0x0B2430, 0.18),
        success: (0x0A5C43, 1),
        warning: (0x774300, 1),
        danger: (0x9E1F1F, 1),
        grainOpacity: 0.03
    )

    /// The dark appearance.
    public static let dark = AeroTheme(
        name: "dark",
        accent: (0x74D2E6, 1),
        accentSoft: (0x173E4D, 1),
        accentDeep: (0xA6E5F3, 1),
        onAccent: (0x062029, 1),
        ink: (0xEFF7FA, 1),
        inkMuted: (0xB9CCD5, 1),
        surfaceSheet: (0x0C1A22, 0.97),
        glassFill: (0x0C1A22, 0.82),
        glassBorder: (0xBFE3EE, 0.16),
        glassHighlight: (0xE6F7FC, 0.12),
        shadow: (0x000000, 0.5),
        success: (0x7FE0B8, 1),
        warning: (0xF3C582, 1),
        danger: (0xFFB8AE, 1),
        grainOpacity: 0.06
    )

    /// Both appearances.
    public static let all = [light, dark]

    /// Every colour of the appearance, in a fixed order.
    public var colors: [ColorToken] {
        [
            accent, accentSoft, accentDeep, onAccent, ink, inkMuted, surfaceSheet, glassFill, glassBorder,
            glassHighlight, shadow, success, warning, danger,
        ]
    }

    private typealias Tint = (rgb: UInt32, opacity: Double)

    private init(
        name: String,
        accent: Tint,
        accentSoft: Tint,
        accentDeep: Tint,
        onAccent: Tint,
        ink: Tint,
        inkMuted: Tint,
        surfaceSheet: Tint,
        glassFill: Tint,
        glassBorder: Tint,
        glassHighlight: Tint,
        shadow: Tint,
        success: Tint,
        warning: Tint,
        danger: Tint,
        grainOpacity: Double
    ) {
        func token(_ role: String, _ tint: Tint, _ summary: String) -> ColorToken {
            ColorToken(
                path: "aero.\(name).\(role)",
                group: "aero.\(name)",
                summary: summary,
                value: ColorValue(rgb: tint.rgb, opacity: tint.opacity)
            )
        }
        self.name = name
        self.accent = token("accent", accent, "active buttons, selection, links")
        self.accentSoft = token("accentSoft", accentSoft, "quiet tiles and active buttons")
        self.accentDeep = token("accentDeep", accentDeep, "pressed buttons, text on the soft accent")
        self.onAccent = token("onAccent", onAccent, "text on the accents")
        self.ink = token("ink", ink, "primary text")
        self.inkMuted = token("inkMuted", inkMuted, "secondary text")
        self.surfaceSheet = token("surfaceSheet", surfaceSheet, "sheet bodies")
        self.glassFill = token("glassFill", glassFill, "fill of glass")
        self.glassBorder = token("glassBorder", glassBorder, "border of glass")
        self.glassHighlight = token("glassHighlight", glassHighlight, "light on the upper edge of glass")
        self.shadow = token("shadow", shadow, "shadow under glass and sheets")
        self.success = token("success", success, "success")
        self.warning = token("warning", warning, "warning")
        self.danger = token("danger", danger, "danger")
        self.grainOpacity = MetricToken(
            path: "aero.\(name).grainOpacity",
            group: "aero.\(name)",
            summary: "grain over glass",
            value: grainOpacity,
            unit: .ratio
        )
    }
}
