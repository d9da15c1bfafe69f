/// How a glass panel is painted: a fill, a radial gradient over it, and a border.
public struct GlassPanel: Hashable, Sendable {
    /// The fill under the gradient.
    public let fill: ColorToken
    /// The gradient's colour at the centre; it is transparent from `glowStop` outwards.
    public let glow: ColorToken
    /// Where the gradient ends, as a part of its radius.
    public let glowStop: MetricToken
    /// The border's colour.
    public let border: ColorToken
    /// The border's width in points.
    public let borderWidth: MetricToken

    /// The panel of Hope Voice, which also backs the LED wall.
    public static let hope = GlassPanel(
        fill: .glassFill,
        glow: .glassGlow,
        glowStop: .glassGlowStop,
        border: .glassBorder,
        borderWidth: .glassBorderWidth
    )
}
