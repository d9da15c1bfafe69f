import LedWall
import Testing

struct WallLayoutTests {
    private static let widths: [(Double, Double)] = [
        (390, 200), (232, 200), (231.5, 199.5), (100, 68), (32, 0), (10, 0), (-5, 0), (.nan, 0), (.infinity, 200),
        (-.infinity, 0),
    ]

    @Test(arguments: widths)
    func isAsWideAsFitsUpToTwoHundred(available: Double, side: Double) {
        #expect(WallLayout(availableWidth: available).side == side)
    }

    @Test func hasItsMeasuresAtOneHundredAndEighty() {
        let layout = WallLayout(side: 180)
        #expect(layout.padding == 12)
        #expect(layout.gap == 2)
        #expect(layout.plateRadius == 14.625)
        #expect(abs(layout.cell - 116.0 / 21) < 1e-12)
        #expect(abs(layout.pitch - (116.0 / 21 + 2)) < 1e-12)
        #expect(abs(layout.center(of: 10) - 90) < 1e-12)
        #expect(abs(layout.center(of: 0) + layout.center(of: 20) - 180) < 1e-12)
    }

    private static let sizes: [(Double, Double)] = [
        (1, 5), (2.4, 9), (1.7, 7), (0.42, 3.342_857_142_857), (-0.75, 0), (-9, 0), (3.1, 11),
    ]

    @Test(arguments: sizes)
    func dotsGrowLinearly(size: Double, diameter: Double) {
        #expect(abs(WallLayout(side: 180).diameter(ofSize: size) - diameter) < 1e-9)
        #expect(abs(WallLayout(side: 90).diameter(ofSize: size) - diameter / 2) < 1e-9)
    }

    @Test(arguments: [1, 2, 17, 21, 100, 0, -3])
    func centresEveryGrid(dots: Int) {
        let layout = WallLayout(side: 200, dotsPerSide: dots)
        let count = layout.dotsPerSide
        #expect(count == max(1, dots))
        #expect(abs(layout.center(of: 0) + layout.center(of: count - 1) - 200) < 1e-9)
        #expect(layout.cell >= 0)
    }

    @Test func nothingIsNegativeWithoutRoom() {
        let layout = WallLayout(availableWidth: 0)
        #expect([layout.padding, layout.gap, layout.cell, layout.pitch, layout.plateRadius] == [0, 0, 0, 0, 0])
    }
}
