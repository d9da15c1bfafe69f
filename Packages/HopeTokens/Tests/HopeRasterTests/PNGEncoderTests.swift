import HopeRaster
import HopeTokens
import Testing

struct PNGEncoderTests {
    @Test func `an opaque picture is stored as RGB and reads back the same`() throws {
        let image = Self.drawing(background: ColorToken.canvas.value).image()
        let file = try PNGReader(PNGEncoder.encode(image))
        #expect(file.colorType == 2)
        #expect((file.width, file.height) == (48, 40))
        #expect(file.pixels == image.pixels)
        #expect(file.chunkTypes == ["IHDR", "sRGB", "IDAT", "IEND"])
    }

    @Test func `a translucent picture is stored as RGBA and reads back the same`() throws {
        let image = Self.drawing(background: nil).image()
        let file = try PNGReader(PNGEncoder.encode(image))
        #expect(file.colorType == 6)
        #expect(file.pixels == image.pixels)
    }

    @Test(arguments: [(1, 1), (1, 17), (17, 1), (5, 3), (64, 64)])
    func `noise of any size reads back the same`(width: Int, height: Int) throws {
        var state: UInt64 = 20_260_101
        let pixels = (0..<width * height * 4).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let image = try RasterImage(width: width, height: height, pixels: pixels)
        for filtering in PNGEncoder.Filtering.allCases {
            #expect(try PNGReader(PNGEncoder.encode(image, filtering: filtering)).pixels == pixels)
        }
    }

    @Test func `a bumpy slope, which the Paeth filter suits, reads back the same`() throws {
        var pixels: [UInt8] = []
        for row in 0..<40 {
            for column in 0..<40 {
                let value = UInt8((row * 5 + column * 3 + (row * column) % 7) % 256)
                pixels += [value, value &+ UInt8(row / 2), 255 - value, 255]
            }
        }
        let file = try PNGReader(
            PNGEncoder.encode(RasterImage(width: 40, height: 40, pixels: pixels), filtering: .adaptive)
        )
        #expect(file.filters.contains(4))
        #expect(file.pixels == pixels)
    }

    @Test func `each row has the filter that suits it`() throws {
        // Rows of: one colour, a ramp, the same ramp again, a ramp one step on.
        var pixels: [UInt8] = []
        for start in [nil, 0, 0, 1] as [Int?] {
            for column in 0..<64 {
                let value = start.map { UInt8($0 + column * 3) } ?? 0
                pixels += [value, value, value, 255]
            }
        }
        let file = try PNGReader(
            PNGEncoder.encode(RasterImage(width: 64, height: 4, pixels: pixels), filtering: .adaptive)
        )
        #expect(file.filters == [0, 1, 2, 2])
        #expect(file.pixels == pixels)
    }

    @Test func `filtering makes a gradient much smaller than its pixels`() throws {
        var canvas = RasterCanvas(width: 200, height: 200)
        canvas.fill(
            .roundedRectangle(x: 0, y: 0, width: 200, height: 200),
            with: .linearGradient(
                from: RasterPoint(x: 0, y: 0),
                to: RasterPoint(x: 200, y: 200),
                stops: [
                    GradientStop(position: 0, color: ColorValue(rgb: 0x2B2E7A)),
                    GradientStop(position: 1, color: ColorValue(rgb: 0x7C3AED)),
                ]
            )
        )
        #expect(try PNGEncoder.encode(canvas.image()).count < 200 * 200 * 3 / 40)
    }

    @Test(arguments: [drawing(background: nil), drawing(background: .black)])
    func `every filtering stores the same picture and smallest is the shortest`(canvas: RasterCanvas) throws {
        let image = canvas.image()
        let files = try PNGEncoder.Filtering.allCases.map { try PNGEncoder.encode(image, filtering: $0) }
        for file in files {
            #expect(try PNGReader(file).pixels == image.pixels)
        }
        #expect(try PNGReader(files[0]).filters.allSatisfy { $0 == 0 })
        #expect(files[2].count == min(files[0].count, files[1].count))
    }

    @Test func `the last chunk is the one that every file ends with`() throws {
        let file = try PNGEncoder.encode(RasterCanvas(width: 1, height: 1).image())
        #expect(file.suffix(12) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
    }

    @Test func `the same drawing gives the same bytes`() throws {
        #expect(
            try PNGEncoder.encode(Self.drawing(background: nil).image())
                == PNGEncoder.encode(Self.drawing(background: nil).image())
        )
    }

    @Test func `a picture without pixels is refused`() {
        let error = #expect(throws: RasterError.self) {
            try PNGEncoder.encode(RasterCanvas(width: 0, height: 5).image())
        }
        #expect(error == .unsupportedSize(width: 0, height: 5))
        #expect(error?.description.contains("0 × 5") == true)
    }

    @Test func `a picture with too few bytes is refused`() {
        #expect(throws: RasterError.pixelCount(expected: 16, found: 3)) {
            try RasterImage(width: 2, height: 2, pixels: [1, 2, 3])
        }
        #expect(throws: RasterError.self) { try RasterImage(width: .max, height: 2, pixels: []) }
        #expect(throws: RasterError.self) { try RasterImage(width: -1, height: -1, pixels: [0, 0, 0, 0]) }
    }

    private static func drawing(background: ColorValue?) -> RasterCanvas {
        var canvas = RasterCanvas(width: 48, height: 40, background: background)
        canvas.fill(
            .circle(center: RasterPoint(x: 20, y: 18), radius: 8),
            with: .glow(ColorToken.wallGlow.value, radius: 9)
        )
        canvas.fill(.circle(center: RasterPoint(x: 20, y: 18), radius: 8), with: .solid(ColorToken.wallSpeaking.value))
        canvas.fill(
            .stroke(.ellipse(center: RasterPoint(x: 28, y: 22), radiusX: 16, radiusY: 6, rotation: -0.5), width: 2),
            with: .solid(ColorToken.warm.value.withOpacity(0.6))
        )
        return canvas
    }
}
