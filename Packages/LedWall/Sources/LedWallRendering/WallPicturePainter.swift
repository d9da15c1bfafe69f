public import HopeRaster
public import HopeTokens
public import LedWall

/// Paints pictures of the wall as pixels: glow, plate of glass, border and dots.
///
/// A square picture stands for a column of the screen 232 points wide, so the wall in it is the largest that an app shows,
/// 200 points, with the 16 points around it in which the glow fades out. Everything scales with the picture. What does not
/// change from picture to picture is painted once, when the painter is made.
public struct WallPicturePainter: Sendable {
    /// The largest side of a picture, in pixels.
    public static let maximumSide = 4096

    /// The side of the pictures in pixels, 1...`maximumSide`.
    public let side: Int

    private let background: ColorValue?
    private let scale: Double
    private let dark: RasterCanvas
    private let glowing: RasterCanvas

    /// Creates a painter and paints what all its pictures share.
    ///
    /// - Parameters:
    ///   - side: The side of the pictures in pixels; less than 1 counts as 1, more than `maximumSide` as `maximumSide`.
    ///   - background: What lies around the plate; nil is transparent. The plate itself always lies on the app's canvas.
    public init(side: Int, background: ColorValue? = ColorToken.canvas.value) {
        let side = min(max(side, 1), Self.maximumSide)
        let scale = Double(side) / (WallLayout.maximumSide + WallLayout.margin)
        self.side = side
        self.background = background
        self.scale = scale
        let speaking = WallState.speaking.glowRadius
        dark = Self.backing(side, scale, background, glowRadius: 0, glowColor: ColorToken.wallGlow.value)
        glowing = Self.backing(side, scale, background, glowRadius: speaking, glowColor: ColorToken.wallGlow.value)
    }

    /// Where the wall's parts stand within the plate, in pixels.
    ///
    /// - Parameter dotsPerSide: The number of dots along one side.
    /// - Returns: A layout in pixels from the plate's own corner.
    public func layout(dotsPerSide: Int) -> WallLayout {
        WallLayout(side: WallLayout.maximumSide * scale, dotsPerSide: dotsPerSide)
    }

    /// The distance of the plate from each edge of the picture, in pixels.
    public var plateOrigin: Double { WallLayout.margin / 2 * scale }

    /// Paints a picture.
    ///
    /// - Parameter picture: The moment to paint.
    /// - Returns: A square of `side` pixels.
    public func image(of picture: WallPicture) -> RasterImage {
        var canvas = backing(of: picture)
        let layout = layout(dotsPerSide: picture.frame.side)
        for row in 0..<picture.frame.side {
            let y = plateOrigin + layout.center(of: row)
            for column in 0..<picture.frame.side {
                let dot = row * picture.frame.side + column
                let opacity = Double(picture.frame.opacity[dot])
                let radius = layout.diameter(ofSize: Double(picture.frame.size[dot])) / 2
                guard opacity > 0, radius > 0 else { continue }
                let center = RasterPoint(x: plateOrigin + layout.center(of: column), y: y)
                let color = picture.color.withOpacity(picture.color.opacity * opacity)
                canvas.fill(.circle(center: center, radius: radius), with: .solid(color))
            }
        }
        return canvas.image()
    }

    private func backing(of picture: WallPicture) -> RasterCanvas {
        if picture.glowRadius == 0 { return dark }
        if picture.glowRadius == WallState.speaking.glowRadius, picture.glowColor == ColorToken.wallGlow.value {
            return glowing
        }
        return Self.backing(side, scale, background, glowRadius: picture.glowRadius, glowColor: picture.glowColor)
    }

    private static func backing(
        _ side: Int,
        _ scale: Double,
        _ background: ColorValue?,
        glowRadius: Double,
        glowColor: ColorValue
    ) -> RasterCanvas {
        var canvas = RasterCanvas(width: side, height: side, background: background)
        let origin = WallLayout.margin / 2 * scale
        let layout = WallLayout(side: WallLayout.maximumSide * scale)
        func plate(inset: Double) -> RasterShape {
            .roundedRectangle(
                x: origin + inset,
                y: origin + inset,
                width: layout.side - 2 * inset,
                height: layout.side - 2 * inset,
                radius: max(0, layout.plateRadius - inset)
            )
        }
        if glowRadius > 0 {
            // A shadow blurred by a radius fades from as far inside its edge to as far outside, as in CSS, and has half
            // of its opacity at the edge.
            let radius = min(glowRadius * scale, layout.side / 2)
            canvas.fill(plate(inset: radius), with: .glow(glowColor, radius: 2 * radius))
        }
        // The glow lies around the plate, not under its glass.
        canvas.fill(plate(inset: 0), with: .solid(ColorToken.canvas.value))
        canvas.fill(plate(inset: 0), with: .solid(ColorToken.glassFill.value))
        let middle = RasterPoint(x: Double(side) / 2, y: Double(side) / 2)
        let glass = ColorToken.glassGlow.value
        let stops = [
            GradientStop(position: 0, color: glass),
            GradientStop(position: 1, color: glass.withOpacity(0)),
        ]
        let reach = WallGlass.gradientRadius(ofSide: layout.side)
        canvas.fill(plate(inset: 0), with: .radialGradient(center: middle, radius: reach, stops: stops))
        let border = RasterShape.stroke(plate(inset: scale / 2), width: scale)
        canvas.fill(border, with: .solid(ColorToken.glassBorder.value))
        return canvas
    }
}
