import Foundation

/// A shape made ready for drawing: its signed distance at a point, its bounds, and how much of its colour it carries.
///
/// The formulas are the exact signed distances in two dimensions that computer graphics uses (Inigo Quilez,
/// "2D distance functions"); the ellipse's is the first-order one, which is exact on the edge.
struct DistanceField {
    enum Form {
        case circle(radius: Float)
        case ellipse(radiusX: Float, radiusY: Float, cosine: Float, sine: Float)
        case box(halfWidth: Float, halfHeight: Float, radius: Float)
        case segment(dx: Float, dy: Float, inverseSquare: Float, radius: Float)
    }

    let form: Form
    let centerX: Float
    let centerY: Float
    /// Half of the stroke's width, or negative when the shape is filled.
    let halfStroke: Float
    /// Below 1 for a shape thinner than a pixel, whose colour would otherwise fill the whole pixel.
    let strength: Float
    let minX: Double
    let minY: Double
    let maxX: Double
    let maxY: Double

    /// Nil when nothing can be drawn.
    init?(_ shape: RasterShape) {
        var fill = shape
        var stroke: Double?
        while case .stroke(let inner, let width) = fill {
            // The outline of an outline has no use here; the outermost width stands for both.
            fill = inner
            stroke = stroke ?? width
        }
        var strength = 1.0
        var reach = 0.0
        if let stroke {
            guard stroke.isFinite, stroke > 0 else { return nil }
            strength = min(1, stroke)
            reach = max(stroke, 1) / 2
        }
        // A filled shape is at least a pixel across and pays for the difference with its strength.
        func held(_ half: Double) -> Double {
            guard stroke == nil, half < 0.5 else { return half }
            strength *= half * 2
            return 0.5
        }
        let center: RasterPoint
        let extentX: Double
        let extentY: Double
        switch fill {
        case .circle(let middle, let radius):
            guard Self.drawable([middle.x, middle.y], [radius]) else { return nil }
            let (whole, high) = (held(radius), held(radius))
            form = .circle(radius: Float(whole))
            (center, extentX, extentY) = (middle, whole, high)
        case .ellipse(let middle, let radiusX, let radiusY, let rotation):
            guard Self.drawable([middle.x, middle.y, rotation], [radiusX, radiusY]) else { return nil }
            let (wide, high) = (held(radiusX), held(radiusY))
            let (cosine, sine) = (cos(rotation), sin(rotation))
            form = .ellipse(radiusX: Float(wide), radiusY: Float(high), cosine: Float(cosine), sine: Float(sine))
            center = middle
            extentX = ((wide * cosine) * (wide * cosine) + (high * sine) * (high * sine)).squareRoot()
            extentY = ((wide * sine) * (wide * sine) + (high * cosine) * (high * cosine)).squareRoot()
        case .roundedRectangle(let x, let y, let width, let height, let radius):
            guard Self.drawable([x, y], [width, height]), radius.isFinite, radius >= 0 else { return nil }
            let (wide, high) = (held(width / 2), held(height / 2))
            form = .box(halfWidth: Float(wide), halfHeight: Float(high), radius: Float(min(radius, wide, high)))
            (center, extentX, extentY) = (RasterPoint(x: x + width / 2, y: y + height / 2), wide, high)
        case .line(let from, let to, let width):
            guard Self.drawable([from.x, from.y, to.x, to.y], [width]) else { return nil }
            let half = held(width / 2)
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            let square = dx * dx + dy * dy
            form = .segment(
                dx: Float(dx / 2),
                dy: Float(dy / 2),
                inverseSquare: square > 0 ? Float(4 / square) : 0,
                radius: Float(half)
            )
            center = RasterPoint(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
            (extentX, extentY) = (dx.magnitude / 2 + half, dy.magnitude / 2 + half)
        case .stroke:
            return nil
        }
        self.strength = Float(strength)
        halfStroke = stroke == nil ? -1 : Float(reach)
        centerX = Float(center.x)
        centerY = Float(center.y)
        minX = center.x - extentX - reach
        maxX = center.x + extentX + reach
        minY = center.y - extentY - reach
        maxY = center.y + extentY + reach
    }

    private static func drawable(_ places: [Double], _ sizes: [Double]) -> Bool {
        places.allSatisfy(\.isFinite) && sizes.allSatisfy { $0.isFinite && $0 > 0 }
    }

    /// Signed distance from the edge in pixels, negative inside.
    @inline(__always)
    func distance(_ pointX: Float, _ pointY: Float) -> Float {
        let x = pointX - centerX
        let y = pointY - centerY
        let filled: Float
        switch form {
        case .circle(let radius):
            filled = (x * x + y * y).squareRoot() - radius
        case .ellipse(let radiusX, let radiusY, let cosine, let sine):
            let u = (x * cosine + y * sine) / radiusX
            let v = (y * cosine - x * sine) / radiusY
            let level = (u * u + v * v).squareRoot()
            let (slopeX, slopeY) = (u / radiusX, v / radiusY)
            let slope = (slopeX * slopeX + slopeY * slopeY).squareRoot()
            filled = slope > 0 ? level * (level - 1) / slope : -min(radiusX, radiusY)
        case .box(let halfWidth, let halfHeight, let radius):
            let qx = x.magnitude - halfWidth + radius
            let qy = y.magnitude - halfHeight + radius
            let (outX, outY) = (max(qx, 0), max(qy, 0))
            filled = (outX * outX + outY * outY).squareRoot() + min(max(qx, qy), 0) - radius
        case .segment(let dx, let dy, let inverseSquare, let radius):
            let along = max(-1, min(1, (x * dx + y * dy) * inverseSquare))
            let (restX, restY) = (x - along * dx, y - along * dy)
            filled = (restX * restX + restY * restY).squareRoot() - radius
        }
        return halfStroke < 0 ? filled : filled.magnitude - halfStroke
    }
}
