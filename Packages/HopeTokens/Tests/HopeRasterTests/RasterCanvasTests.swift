import HopeRaster
import HopeTokens
import Testing

struct RasterCanvasTests {
    /// The area that a shape covers on a 64 × 64 canvas, in pixels.
    private func area(_ shape: RasterShape) -> Double {
        var canvas = RasterCanvas(width: 64, height: 64)
        canvas.fill(shape, with: .solid(.white))
        let pixels = canvas.image().pixels
        return stride(from: 3, to: pixels.count, by: 4).reduce(0) { $0 + Double(pixels[$1]) } / 255
    }

    /// Shapes with the areas that geometry gives them.
    private static let shapes: [(RasterShape, Double)] = [
        (.circle(center: RasterPoint(x: 31.7, y: 32.4), radius: 9.3), 271.7163),
        (.circle(center: RasterPoint(x: 20, y: 20), radius: 2.5), 19.6350),
        (.stroke(.circle(center: RasterPoint(x: 32, y: 32), radius: 20), width: 3), 376.9911),
        (.ellipse(center: RasterPoint(x: 31.7, y: 32.4), radiusX: 20, radiusY: 8), 502.6548),
        (.ellipse(center: RasterPoint(x: 31.7, y: 32.4), radiusX: 20, radiusY: 8, rotation: 0.7), 502.6548),
        (.roundedRectangle(x: 4.5, y: 7, width: 40, height: 21.25), 850.0000),
        (.roundedRectangle(x: 5, y: 7, width: 40, height: 30, radius: 10), 1114.1593),
        (.roundedRectangle(x: 5, y: 7, width: 40, height: 20, radius: 99), 714.1593),
        (.line(from: RasterPoint(x: 10, y: 12), to: RasterPoint(x: 40, y: 52), width: 6), 328.2743),
        (.line(from: RasterPoint(x: 30, y: 30), to: RasterPoint(x: 30, y: 30), width: 12), 113.0973),
    ]

    @Test(arguments: shapes)
    func `a shape covers its area`(shape: RasterShape, expected: Double) {
        #expect(abs(area(shape) - expected) < expected * 0.01, "\(area(shape)) instead of \(expected)")
    }

    @Test(arguments: [0.05, 0.2, 0.4])
    func `a dot smaller than a pixel fades instead of filling one`(radius: Double) {
        let area = area(.circle(center: RasterPoint(x: 10.5, y: 10.5), radius: radius))
        #expect(abs(area - 4 * radius * radius) < 0.02)
    }

    @Test func `a line thinner than a pixel fades`() {
        let line = RasterShape.line(from: RasterPoint(x: 10, y: 10.5), to: RasterPoint(x: 50, y: 10.5), width: 0.25)
        #expect(abs(area(line) - 10) < 0.5)
    }

    @Test func `pixels outside a shape stay as they were`() {
        var canvas = RasterCanvas(width: 32, height: 32, background: .black)
        canvas.fill(.circle(center: RasterPoint(x: 16, y: 16), radius: 5), with: .solid(.white))
        let pixels = canvas.image().pixels
        for row in 0..<32 {
            for column in 0..<32 {
                let (dx, dy) = (Double(column) - 15.5, Double(row) - 15.5)
                let distance = (dx * dx + dy * dy).squareRoot()
                let value = pixels[(row * 32 + column) * 4]
                if distance >= 5.5 { #expect(value == 0) }
                if distance <= 4.5 { #expect(value == 255) }
                if distance > 4.6 && distance < 5.4 { #expect((1...254).contains(value)) }
            }
        }
    }

    private static let senseless: [RasterShape] = [
        .circle(center: RasterPoint(x: 5, y: 5), radius: 0),
        .circle(center: RasterPoint(x: 5, y: 5), radius: -3),
        .circle(center: RasterPoint(x: .nan, y: 5), radius: 3),
        .circle(center: RasterPoint(x: 5, y: 5), radius: .infinity),
        .circle(center: RasterPoint(x: 1e300, y: -1e300), radius: 3),
        .ellipse(center: RasterPoint(x: 5, y: 5), radiusX: 3, radiusY: 0),
        .ellipse(center: RasterPoint(x: 5, y: 5), radiusX: 3, radiusY: 3, rotation: .nan),
        .roundedRectangle(x: 1, y: 1, width: -4, height: 4),
        .roundedRectangle(x: 1, y: 1, width: 4, height: 4, radius: -1),
        .roundedRectangle(x: -50, y: 1, width: 4, height: 4),
        .line(from: RasterPoint(x: 0, y: 0), to: RasterPoint(x: 5, y: .infinity), width: 2),
        .stroke(.circle(center: RasterPoint(x: 5, y: 5), radius: 3), width: 0),
        .stroke(.circle(center: RasterPoint(x: 5, y: 5), radius: 3), width: .nan),
    ]

    @Test(arguments: senseless)
    func `a shape without sense or out of sight draws nothing`(shape: RasterShape) {
        #expect(area(shape) == 0)
    }

    @Test func `a huge shape covers the canvas`() {
        #expect(area(.circle(center: RasterPoint(x: 0, y: 0), radius: 1e6)) == 64 * 64)
        #expect(area(.roundedRectangle(x: -1e12, y: -1e12, width: 4e12, height: 4e12)) == 64 * 64)
    }

    @Test func `colours lie over each other in sRGB`() {
        var canvas = RasterCanvas(width: 3, height: 1, background: .black)
        canvas.fill(.roundedRectangle(x: 0, y: 0, width: 3, height: 1), with: .solid(.white.withOpacity(0.5)))
        #expect(canvas.image().pixels.prefix(4) == [128, 128, 128, 255])
    }

    @Test func `opacity is kept straight on a transparent canvas`() {
        var canvas = RasterCanvas(width: 2, height: 1)
        canvas.fill(
            .roundedRectangle(x: 0, y: 0, width: 1, height: 1),
            with: .solid(ColorToken.iris.value.withOpacity(0.2))
        )
        #expect(canvas.image().pixels == [0x8B, 0xA7, 0xFF, 51, 0, 0, 0, 0])
    }

    @Test func `a linear gradient runs between its points and goes on beyond them`() {
        var canvas = RasterCanvas(width: 12, height: 1)
        canvas.fill(
            .roundedRectangle(x: 0, y: 0, width: 12, height: 1),
            with: .linearGradient(
                from: RasterPoint(x: 1, y: 0),
                to: RasterPoint(x: 11, y: 0),
                stops: [GradientStop(position: 0, color: .black), GradientStop(position: 1, color: .white)]
            )
        )
        let red = stride(from: 0, to: 48, by: 4).map { canvas.image().pixels[$0] }
        // The centre of column c lies at (c - 0.5) / 10 of the way.
        #expect(red == [0, 13, 38, 64, 89, 115, 140, 166, 191, 217, 242, 255])
    }

    @Test func `a radial gradient ends at its stops`() {
        var canvas = RasterCanvas(width: 21, height: 21)
        let glow = ColorToken.glassGlow.value
        canvas.fill(
            .roundedRectangle(x: 0, y: 0, width: 21, height: 21),
            with: .radialGradient(
                center: RasterPoint(x: 10.5, y: 10.5),
                radius: 10,
                stops: [
                    GradientStop(position: 0, color: glow.withOpacity(1)),
                    GradientStop(position: 0.6, color: glow.withOpacity(0)),
                ]
            )
        )
        let row = (0..<21).map { canvas.image().pixels[(10 * 21 + $0) * 4 + 3] }
        #expect(row[10] == 255)
        // 3 of 6 pixels on the way out: half.
        #expect(row[13] == 128 && row[7] == 128)
        #expect(row[16...].allSatisfy { $0 == 0 })
    }

    @Test func `stops out of order count as at their predecessor's place`() {
        var canvas = RasterCanvas(width: 10, height: 1)
        canvas.fill(
            .roundedRectangle(x: 0, y: 0, width: 10, height: 1),
            with: .linearGradient(
                from: RasterPoint(x: 0, y: 0),
                to: RasterPoint(x: 10, y: 0),
                stops: [
                    GradientStop(position: 0.5, color: .black), GradientStop(position: 0.1, color: .white),
                ]
            )
        )
        let red = stride(from: 0, to: 40, by: 4).map { canvas.image().pixels[$0] }
        #expect(red == [0, 0, 0, 0, 0, 255, 255, 255, 255, 255])
    }

    private static let colorless: [RasterPaint] = [
        .linearGradient(from: RasterPoint(x: 0, y: 0), to: RasterPoint(x: 9, y: 0), stops: []),
        .linearGradient(
            from: RasterPoint(x: .nan, y: 0),
            to: RasterPoint(x: 9, y: 0),
            stops: [GradientStop(position: 0, color: .white)]
        ),
        .radialGradient(
            center: RasterPoint(x: 0, y: 0),
            radius: 0,
            stops: [GradientStop(position: 0, color: .white)]
        ),
        .radialGradient(center: RasterPoint(x: 0, y: 0), radius: 5, stops: []),
        .glow(.white, radius: .infinity),
        .solid(.white.withOpacity(0)),
    ]

    @Test(arguments: colorless)
    func `a paint without sense draws nothing`(paint: RasterPaint) {
        var canvas = RasterCanvas(width: 8, height: 8)
        canvas.fill(.circle(center: RasterPoint(x: 4, y: 4), radius: 3), with: paint)
        #expect(canvas.image().pixels.allSatisfy { $0 == 0 })
    }

    @Test func `a first stop at no number counts as at 0`() {
        var canvas = RasterCanvas(width: 4, height: 1)
        canvas.fill(
            .roundedRectangle(x: 0, y: 0, width: 4, height: 1),
            with: .linearGradient(
                from: RasterPoint(x: 0, y: 0),
                to: RasterPoint(x: 4, y: 0),
                stops: [GradientStop(position: .nan, color: .black), GradientStop(position: 1, color: .white)]
            )
        )
        #expect(stride(from: 0, to: 16, by: 4).map { canvas.image().pixels[$0] } == [32, 96, 159, 223])
    }

    @Test func `a glow is full on the shape and fades to nothing at its radius`() {
        var canvas = RasterCanvas(width: 81, height: 81)
        canvas.fill(
            .circle(center: RasterPoint(x: 40.5, y: 40.5), radius: 10),
            with: .glow(ColorToken.wallGlow.value, radius: 20)
        )
        let row = (40..<81).map { canvas.image().pixels[(40 * 81 + $0) * 4 + 3] }
        #expect(row[0...10].allSatisfy { $0 == 89 })
        // Smoothstep leaves 27/32 after a quarter of the way and half after half of it.
        #expect(row[15] == 75 && row[20] == 45)
        #expect(row[30...].allSatisfy { $0 == 0 })
        #expect(zip(row, row.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test func `a glow without radius is the shape itself`() {
        let shape = RasterShape.circle(center: RasterPoint(x: 8, y: 8), radius: 4)
        var (glowing, plain) = (RasterCanvas(width: 16, height: 16), RasterCanvas(width: 16, height: 16))
        glowing.fill(shape, with: .glow(.white, radius: 0))
        plain.fill(shape, with: .solid(.white))
        #expect(glowing.image() == plain.image())
    }

    @Test func `a drawing in the middle is symmetric`() {
        var canvas = RasterCanvas(width: 20, height: 20)
        canvas.fill(.circle(center: RasterPoint(x: 10, y: 10), radius: 7.3), with: .solid(.white))
        let pixels = canvas.image().pixels
        for row in 0..<20 {
            for column in 0..<20 {
                let alpha = pixels[(row * 20 + column) * 4 + 3]
                #expect(alpha == pixels[(row * 20 + 19 - column) * 4 + 3])
                #expect(alpha == pixels[(column * 20 + row) * 4 + 3])
            }
        }
    }

    @Test func `a copy of a canvas is a canvas of its own`() {
        let empty = RasterCanvas(width: 4, height: 4)
        var drawn = empty
        drawn.fill(.circle(center: RasterPoint(x: 2, y: 2), radius: 2), with: .solid(.white))
        #expect(empty.image() != drawn.image())
        #expect(empty.image().pixels.allSatisfy { $0 == 0 })
    }

    @Test func `sides are held to what a canvas can have`() {
        let none = RasterCanvas(width: -3, height: 10)
        #expect(none.width == 0 && none.height == 10 && none.image().pixels.isEmpty)
        #expect(RasterCanvas(width: .max, height: 0).width == RasterCanvas.maximumSide)
    }
}
