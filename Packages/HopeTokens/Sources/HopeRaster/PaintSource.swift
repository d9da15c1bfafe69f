import HopeTokens

/// A paint made ready for drawing: the premultiplied colour at a point.
struct PaintSource {
    enum Form {
        case solid
        case linear(startX: Float, startY: Float, dx: Float, dy: Float)
        case radial(centerX: Float, centerY: Float, inverseRadius: Float)
    }

    let form: Form
    let first: SIMD4<Float>
    /// Pixels outside the shape that still get colour.
    let glowRadius: Float
    private let positions: [Float]
    private let colors: [SIMD4<Float>]

    /// Nil when the paint colours nothing: a gradient without stops, or measures that are not finite.
    init?(_ paint: RasterPaint) {
        var stops: [GradientStop] = []
        var glow = 0.0
        switch paint {
        case .solid(let color):
            form = .solid
            stops = [GradientStop(position: 0, color: color)]
        case .glow(let color, let radius):
            guard radius.isFinite, radius >= 0 else { return nil }
            form = .solid
            glow = radius
            stops = [GradientStop(position: 0, color: color)]
        case .linearGradient(let from, let to, let given):
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            let square = dx * dx + dy * dy
            guard square.isFinite, from.x.isFinite, from.y.isFinite else { return nil }
            let scale = square > 0 ? 1 / square : 0
            form = .linear(
                startX: Float(from.x),
                startY: Float(from.y),
                dx: Float(dx * scale),
                dy: Float(dy * scale)
            )
            stops = given
        case .radialGradient(let center, let radius, let given):
            guard center.x.isFinite, center.y.isFinite, radius.isFinite, radius > 0 else { return nil }
            form = .radial(centerX: Float(center.x), centerY: Float(center.y), inverseRadius: Float(1 / radius))
            stops = given
        }
        guard let color = stops.first?.color else { return nil }
        first = Self.premultiplied(color)
        glowRadius = Float(glow)
        var last: Float?
        positions = stops.map { stop in
            let position = Float(stop.position)
            let place = position.isFinite ? max(last ?? position, position) : last ?? 0
            last = place
            return place
        }
        colors = stops.map { Self.premultiplied($0.color) }
    }

    static func premultiplied(_ color: ColorValue) -> SIMD4<Float> {
        let opacity = Float(color.opacity)
        return SIMD4(
            Float(color.red) * opacity,
            Float(color.green) * opacity,
            Float(color.blue) * opacity,
            opacity
        )
    }

    func color(_ x: Float, _ y: Float) -> SIMD4<Float> {
        let place: Float
        switch form {
        case .solid:
            return first
        case .linear(let startX, let startY, let dx, let dy):
            place = (x - startX) * dx + (y - startY) * dy
        case .radial(let centerX, let centerY, let inverseRadius):
            let (fromX, fromY) = (x - centerX, y - centerY)
            place = (fromX * fromX + fromY * fromY).squareRoot() * inverseRadius
        }
        guard place > positions[0] else { return first }
        for index in 1..<positions.count where place <= positions[index] {
            let start = positions[index - 1]
            let span = positions[index] - start
            let fraction = span > 0 ? (place - start) / span : 1
            return colors[index - 1] * (1 - fraction) + colors[index] * fraction
        }
        return colors[colors.count - 1]
    }
}
