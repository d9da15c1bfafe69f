import HopeRaster
import HopeTokens
import LedWall
import LedWallRendering
import Testing

struct WallPicturePainterTests {
    private func picture(_ state: WallState, _ level: Double = 0, side: Int = 21) -> WallPicture {
        WallPicture(settled: WallInput(state: state, level: level, seconds: 3.2), grid: WallGrid(side: side))
    }

    private func pixel(_ image: RasterImage, _ x: Int, _ y: Int) -> [Int] {
        let start = (y * image.width + x) * 4
        return image.pixels[start..<start + 4].map { Int($0) }
    }

    private func isNear(_ left: [Int], _ right: [Int], by tolerance: Int = 1) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) <= tolerance }
    }

    private func bytes(_ color: ColorValue) -> [Int] {
        [color.red, color.green, color.blue, color.opacity].map { Int(($0 * 255).rounded()) }
    }

    @Test(arguments: [(100, 100), (1, 1), (7, 7), (0, 1), (-9, 1), (130, 130)])
    func hasTheSideThatWasAsked(asked: Int, given: Int) {
        let painter = WallPicturePainter(side: asked)
        let image = painter.image(of: picture(.speaking, 1))
        #expect(painter.side == given)
        #expect(image.width == given)
        #expect(image.height == given)
    }

    // At 232 pixels a point is a pixel: the plate begins at 16 and is 200 wide.
    private static let painter = WallPicturePainter(side: 232)
    private var painter: WallPicturePainter { Self.painter }

    @Test func standsOnTheCanvasOrOnNothing() {
        let image = painter.image(of: picture(.idle))
        for (x, y) in [(0, 0), (231, 0), (0, 231), (231, 231), (116, 8), (116, 231)] {
            #expect(pixel(image, x, y) == [0x08, 0x11, 0x1F, 255])
        }
        let clear = WallPicturePainter(side: 100, background: nil).image(of: picture(.idle))
        #expect(pixel(clear, 0, 0) == [0, 0, 0, 0])
        #expect(pixel(clear, 50, 50)[3] == 255)
    }

    @Test func hasAPlateOfGlassWithRoundedCornersAndABorder() {
        let image = painter.image(of: picture(.idle))
        // Canvas under 060C18 at 0.4; the gradient of the glass ends before the edge, at 0.62 · √2 half sides.
        #expect(isNear(pixel(image, 116, 18), [7, 15, 28, 255]))
        // The border is the plate's outermost pixel: 8BA7FF at 0.14 over that.
        #expect(isNear(pixel(image, 116, 16), [26, 36, 60, 255]))
        #expect(isNear(pixel(image, 215, 116), [26, 36, 60, 255]))
        #expect(pixel(image, 116, 15) == [0x08, 0x11, 0x1F, 255])
        // The corner's radius is 26/320 of the side, 16.25: the corner itself lies 6.7 from its arc.
        #expect(pixel(image, 16 + 3, 16 + 3) == [0x08, 0x11, 0x1F, 255])
        #expect(isNear(pixel(image, 16 + 8, 16 + 8), [7, 15, 28, 255]))
    }

    @Test func shinesInTheMiddle() {
        var dark = picture(.idle)
        dark.frame = WallFrame(side: 21, opacity: 0)
        let image = painter.image(of: dark)
        // 6F8FF7 at 0.10 over 7.2, 15, 28.2; half of it half way to the radius of 87.7.
        #expect(isNear(pixel(image, 116, 116), [18, 28, 50, 255]))
        #expect(isNear(pixel(image, 116 + 43, 116), [12, 21, 39, 255]))
    }

    @Test(arguments: WallState.allCases)
    func drawsDotsInTheStatesColourByTheirOpacity(state: WallState) throws {
        let picture = picture(state, 0.2)
        let image = painter.image(of: picture)
        let layout = painter.layout(dotsPerSide: 21)
        for (row, column) in [(0, 0), (3, 17), (10, 10), (20, 20)] {
            let x = painter.plateOrigin + layout.center(of: column)
            let y = painter.plateOrigin + layout.center(of: row)
            let (dx, dy) = (x - 116, y - 116)
            let fade = max(0, 1 - (dx * dx + dy * dy).squareRoot() / (0.62 * 100 * 2.0.squareRoot()))
            let plate = ColorValue(rgb: 0x6F8FF7, opacity: 0.1 * fade).composited(
                over: ColorValue(rgb: 0x060C18, opacity: 0.4).composited(over: ColorValue(rgb: 0x08111F))
            )
            let dot = state.color.withOpacity(Double(picture.frame.opacity[row * 21 + column]))
            #expect(isNear(pixel(image, Int(x), Int(y)), bytes(dot.composited(over: plate)), by: 2))
        }
    }

    private static let diameters: [(Float, Double)] = [(1, 5), (2.4, 9), (0.42, 3.342_857)]

    @Test(arguments: diameters)
    func drawsDotsAsWideAsTheirSize(size: Float, diameter: Double) {
        // A grid of one dot, so that none overlaps.
        var picture = picture(.speaking, side: 1)
        picture.glowRadius = 0
        picture.frame = WallFrame(side: 1, opacity: 1, size: size)
        let image = painter.image(of: picture)
        // How much of each pixel of a square in the middle is dot: together its area.
        let plate = 18.0
        var area = 0.0
        for y in 106..<126 {
            for x in 106..<126 {
                let share = (Double(pixel(image, x, y)[0]) - plate) / (Double(0x9D) - plate)
                area += min(1, max(0, share))
            }
        }
        // A wall of 200 points, where the sizes are those of 180.
        let measured = 2 * (area / Double.pi).squareRoot()
        #expect(abs(measured - diameter * 200 / 180) < 0.1)
    }

    @Test func glowsAroundThePlateWhileSpeaking() {
        let (dark, bright) = (painter.image(of: picture(.idle)), painter.image(of: picture(.speaking, 0.5)))
        let blue = [15, 12, 9, 6, 3].map { pixel(bright, 116, $0)[2] }
        #expect(blue == blue.sorted(by: >))
        // At the edge it has half of its opacity of 0.35, fourteen points away nothing.
        #expect(isNear(pixel(bright, 116, 15), [25, 38, 67, 255], by: 3))
        #expect(pixel(bright, 116, 3) != pixel(dark, 116, 3))
        #expect(pixel(bright, 116, 1) == pixel(dark, 116, 1))
        // It lies around the plate, not under it.
        #expect(pixel(bright, 116, 20) == pixel(dark, 116, 20))
    }

    @Test func aGrowingGlowIsInBetween() {
        var growing = picture(.speaking, 0.5)
        growing.glowRadius = 7
        let image = painter.image(of: growing)
        #expect(pixel(image, 116, 8) == [0x08, 0x11, 0x1F, 255])
        #expect(pixel(image, 116, 14)[2] > 31)
    }

    @Test func samePicturesGiveSamePixels() {
        #expect(
            WallPicturePainter(side: 93).image(of: picture(.speaking, 0.7))
                == WallPicturePainter(side: 93).image(of: picture(.speaking, 0.7))
        )
    }

    @Test func takesOtherGrids() {
        for side in [1, 2, 17, 40] {
            let image = WallPicturePainter(side: 64).image(of: picture(.speaking, 1, side: side))
            #expect(image.pixels.count == 64 * 64 * 4)
        }
    }
}

struct PNGWallRendererTests {
    @Test func makesAFileOfEachPicture() throws {
        let output = OutputRecorder()
        let renderer = PNGWallRenderer(side: 33) { file, index in
            if index == output.writes.count { try output.write(file) }
        }
        for state in [WallState.idle, .thinking] {
            try renderer.draw(WallPicture(settled: WallInput(state: state)))
        }
        try renderer.finish()
        #expect(output.writes.count == 2)
        #expect(output.writes[0] != output.writes[1])
        for file in output.writes {
            #expect(Array(file.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            // Width and height stand at bytes 16 and 20, most significant byte first.
            #expect(Array(file[16..<24]) == [0, 0, 0, 33, 0, 0, 0, 33])
        }
    }
}
