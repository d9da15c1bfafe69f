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

    @Test(arguments: [(100, 100), (1, 1), (7, 7), (0, 1), (-9, 1), (401, 401)])
    func hasTheSideThatWasAsked(asked: Int, given: Int) {
        let painter = WallPicturePainter(side: asked)
        let image = painter.image(of: picture(.speaking, 1))
        #expect(painter.side == given)
        #expect(image.width == given)
        #expect(image.height == given)
    }

    // At 928 pixels a point is 4 pixels: the plate begins at 64 and is 800 wide.
    private let painter = WallPicturePainter(side: 928)

    @Test func standsOnTheCanvasOrOnNothing() {
        let image = painter.image(of: picture(.idle))
        for (x, y) in [(0, 0), (927, 0), (0, 927), (927, 927), (464, 30), (464, 927)] {
            #expect(pixel(image, x, y) == [0x08, 0x11, 0x1F, 255])
        }
        let clear = WallPicturePainter(side: 100, background: nil).image(of: picture(.idle))
        #expect(pixel(clear, 0, 0) == [0, 0, 0, 0])
        #expect(pixel(clear, 50, 50)[3] == 255)
    }

    @Test func hasAPlateOfGlassWithRoundedCornersAndABorder() {
        let image = painter.image(of: picture(.idle))
        // Canvas under 060C18 at 0.4; the gradient of the glass ends before the edge's middle at 0.62 · √2 half sides.
        #expect(isNear(pixel(image, 464, 74), [7, 15, 28, 255]))
        // The border: 8BA7FF at 0.14 over that.
        #expect(isNear(pixel(image, 464, 65), [26, 36, 60, 255]))
        #expect(isNear(pixel(image, 66, 464), [26, 36, 60, 255]))
        // The corner's radius is 26/320 of the side, 65 pixels: its square is cut off by 19 along the diagonal.
        #expect(pixel(image, 64 + 16, 64 + 16) == [0x08, 0x11, 0x1F, 255])
        #expect(isNear(pixel(image, 64 + 30, 64 + 30), [7, 15, 28, 255]))
    }

    @Test func shinesInTheMiddle() {
        var dark = picture(.idle)
        dark.frame = WallFrame(side: 21, opacity: 0)
        let image = painter.image(of: dark)
        // 6F8FF7 at 0.10 over 7.2, 15, 28.2; half of it at 31 % of the way to a corner, 175 pixels from the middle.
        #expect(isNear(pixel(image, 464, 464), [18, 28, 50, 255]))
        #expect(isNear(pixel(image, 464 + 175, 464), [12, 21, 39, 255]))
    }

    @Test(arguments: WallState.allCases)
    func drawsDotsInTheStatesColourByTheirOpacity(state: WallState) throws {
        let picture = picture(state, 0.2)
        let image = painter.image(of: picture)
        let layout = painter.layout(dotsPerSide: 21)
        for (row, column) in [(0, 0), (3, 17), (10, 10), (20, 20)] {
            let x = painter.plateOrigin + layout.center(of: column)
            let y = painter.plateOrigin + layout.center(of: row)
            let (dx, dy) = (x - 464, y - 464)
            let fade = max(0, 1 - (dx * dx + dy * dy).squareRoot() / (0.62 * 400 * 2.0.squareRoot()))
            let plate = ColorValue(rgb: 0x6F8FF7, opacity: 0.1 * fade).composited(
                over: ColorValue(rgb: 0x060C18, opacity: 0.4).composited(over: ColorValue(rgb: 0x08111F))
            )
            let dot = state.color.withOpacity(Double(picture.frame.opacity[row * 21 + column]))
            #expect(isNear(pixel(image, Int(x), Int(y)), bytes(dot.composited(over: plate)), by: 2))
        }
    }

    @Test(arguments: [(Float(1), 5.0), (2.4, 9), (0.42, 3.342_857)])
    func drawsDotsAsWideAsTheirSize(size: Float, diameter: Double) {
        // One row of one dot, so that neighbours do not overlap.
        var picture = picture(.speaking, side: 1)
        picture.glowRadius = 0
        picture.frame = WallFrame(side: 1, opacity: 1, size: size)
        let image = painter.image(of: picture)
        let lit = (0..<928).map { x in Double(pixel(image, x, 464)[0] - 18) / Double(0x9D - 18) }.filter { $0 > 0.03 }
        // Four pixels a point, and a wall of 200 points where the sizes are those of 180.
        #expect(abs(lit.reduce(0) { $0 + min(1, $1) } - diameter * 4 * 200 / 180) < 1)
    }

    @Test func glowsAroundThePlateWhileSpeaking() {
        let (dark, bright) = (painter.image(of: picture(.idle)), painter.image(of: picture(.speaking, 0.5)))
        let blue = [64 - 8, 64 - 24, 64 - 40, 64 - 52].map { pixel(bright, 464, $0)[2] }
        #expect(blue == blue.sorted(by: >))
        #expect(blue[0] > 31 + 20)
        // Fourteen points are 56 pixels.
        #expect(pixel(bright, 464, 64 - 57) == pixel(dark, 464, 64 - 57))
        #expect(pixel(bright, 464, 64 - 50) != pixel(dark, 464, 64 - 50))
        // At the edge it has half of its opacity of 0.35.
        #expect(isNear(pixel(bright, 464, 63), [26, 39, 69, 255], by: 3))
        // It lies around the plate, not under it.
        #expect(pixel(bright, 464, 90) == pixel(dark, 464, 90))
    }

    @Test func aGrowingGlowIsInBetween() {
        var growing = picture(.speaking, 0.5)
        growing.glowRadius = 7
        let image = painter.image(of: growing)
        #expect(pixel(image, 464, 64 - 30) == [0x08, 0x11, 0x1F, 255])
        #expect(pixel(image, 464, 64 - 10)[2] > 31)
    }

    @Test func samePicturesGiveSamePixels() {
        #expect(
            WallPicturePainter(side: 123).image(of: picture(.speaking, 0.7))
                == WallPicturePainter(side: 123).image(of: picture(.speaking, 0.7))
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
