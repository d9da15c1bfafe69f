public import HopeTokens

/// A surface to draw on; shapes lie over each other in the order they are filled.
///
/// Edges are antialiased by the distance of each pixel's centre from the shape's edge. Colours mix in sRGB, as
/// browsers do. Only basic arithmetic and square roots decide a pixel of an unturned shape, so that the same calls
/// give the same bytes on every machine. A canvas is a value: a copy of one with its background drawn costs
/// a copy of memory.
public struct RasterCanvas: Sendable {
    /// The longest side that a canvas can have, in pixels.
    public static let maximumSide = 8192

    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    // Premultiplied, so that laying a colour over another is one multiplication and one addition.
    private var pixels: [SIMD4<Float>]

    /// Makes a canvas.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row, held to 0…`maximumSide`.
    ///   - height: Rows, held to 0…`maximumSide`.
    ///   - background: The colour of every pixel, or nil for a transparent canvas.
    public init(width: Int, height: Int, background: ColorValue? = nil) {
        self.width = max(0, min(width, Self.maximumSide))
        self.height = max(0, min(height, Self.maximumSide))
        let color = background.map(PaintSource.premultiplied) ?? .zero
        pixels = Array(repeating: color, count: self.width * self.height)
    }

    /// Draws a shape; work is done only inside its bounds.
    public mutating func fill(_ shape: RasterShape, with paint: RasterPaint) {
        guard let field = DistanceField(shape), let source = PaintSource(paint) else { return }
        let margin = Double(source.glowRadius) + 0.5
        let columns = Self.range(from: field.minX - margin, to: field.maxX + margin, limit: width)
        let rows = Self.range(from: field.minY - margin, to: field.maxY + margin, limit: height)
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let width = width
        pixels.withUnsafeMutableBufferPointer { pixels in
            if case .circle(let radius) = field.form, case .solid = source.form, source.glowRadius == 0,
                field.halfStroke < 0
            {
                Self.fillDisk(field, radius, source.first, pixels, width, columns, rows)
            } else if source.glowRadius > 0 {
                Self.fillGlow(field, source, pixels, width, columns, rows)
            } else {
                Self.fillShape(field, source, pixels, width, columns, rows)
            }
        }
    }

    /// Lays a premultiplied colour over a pixel.
    mutating func blend(_ ink: SIMD4<Float>, at index: Int) {
        pixels[index] = ink + pixels[index] * (1 - ink.w)
    }

    /// The picture as it is now.
    public func image() -> RasterImage {
        let count = pixels.count
        let bytes = [UInt8](unsafeUninitializedCapacity: count * 4) { bytes, initialized in
            pixels.withUnsafeBufferPointer { pixels in
                for index in 0..<count {
                    let pixel = pixels[index]
                    let opacity = pixel.w
                    // What rounds to no opacity has no colour either, so that equal pictures have equal bytes.
                    let scale = opacity >= 1 ? 255 : opacity < 0.5 / 255 ? 0 : 255 / opacity
                    bytes.initializeElement(at: index * 4, to: Self.byte(pixel.x * scale))
                    bytes.initializeElement(at: index * 4 + 1, to: Self.byte(pixel.y * scale))
                    bytes.initializeElement(at: index * 4 + 2, to: Self.byte(pixel.z * scale))
                    bytes.initializeElement(at: index * 4 + 3, to: Self.byte(opacity * 255))
                }
            }
            initialized = count * 4
        }
        return RasterImage(width: width, height: height, checked: bytes)
    }

    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: Int32(max(0, min(value + 0.5, 255))))
    }

    /// The pixels whose centres may lie between two coordinates.
    private static func range(from low: Double, to high: Double, limit: Int) -> Range<Int> {
        // Held to the canvas before it becomes an integer: a huge shape must not trap.
        let first = Int(max(0, min(low.rounded(.down), Double(limit))))
        let last = Int(max(0, min(high.rounded(.up), Double(limit))))
        return first..<max(first, last)
    }

    /// The hot loop of an LED wall: pixels well inside need no square root.
    private static func fillDisk(
        _ field: DistanceField,
        _ radius: Float,
        _ color: SIMD4<Float>,
        _ pixels: UnsafeMutableBufferPointer<SIMD4<Float>>,
        _ width: Int,
        _ columns: Range<Int>,
        _ rows: Range<Int>
    ) {
        let full = color * field.strength
        let inside = max(0, radius - 0.5)
        let (insideSquare, outsideSquare) = (inside * inside, (radius + 0.5) * (radius + 0.5))
        for row in rows {
            let y = Float(row) + 0.5 - field.centerY
            for column in columns {
                let x = Float(column) + 0.5 - field.centerX
                let square = x * x + y * y
                if square >= outsideSquare { continue }
                let ink = square <= insideSquare ? full : full * (radius + 0.5 - square.squareRoot())
                let index = row * width + column
                pixels[index] = ink + pixels[index] * (1 - ink.w)
            }
        }
    }

    private static func fillShape(
        _ field: DistanceField,
        _ source: PaintSource,
        _ pixels: UnsafeMutableBufferPointer<SIMD4<Float>>,
        _ width: Int,
        _ columns: Range<Int>,
        _ rows: Range<Int>
    ) {
        for row in rows {
            let y = Float(row) + 0.5
            for column in columns {
                let x = Float(column) + 0.5
                let coverage = min(1, 0.5 - field.distance(x, y))
                guard coverage > 0 else { continue }
                let ink = source.color(x, y) * (coverage * field.strength)
                let index = row * width + column
                pixels[index] = ink + pixels[index] * (1 - ink.w)
            }
        }
    }

    private static func fillGlow(
        _ field: DistanceField,
        _ source: PaintSource,
        _ pixels: UnsafeMutableBufferPointer<SIMD4<Float>>,
        _ width: Int,
        _ columns: Range<Int>,
        _ rows: Range<Int>
    ) {
        let scale = 1 / source.glowRadius
        for row in rows {
            let y = Float(row) + 0.5
            for column in columns {
                let distance = field.distance(Float(column) + 0.5, y) * scale
                guard distance < 1 else { continue }
                let far = max(0, distance)
                // Smoothstep downwards: flat at both ends, so that neither the edge nor the rim shows as a line.
                let fall = (1 - far) * (1 - far) * (1 + 2 * far)
                let ink = source.first * (fall * field.strength)
                let index = row * width + column
                pixels[index] = ink + pixels[index] * (1 - ink.w)
            }
        }
    }
}
