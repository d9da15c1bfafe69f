import LedWall
import Testing

struct WallGridTests {
    @Test func hasTwentyOneDotsASideUnlessTold() {
        #expect(WallGrid().side == 21)
        #expect(WallGrid.standard.dotCount == 441)
        #expect(WallGrid.compact.dotCount == 289)
    }

    @Test(arguments: [2, 3, 8, 17, 20, 21])
    func reachesFromTheCentreToTheCorners(side: Int) throws {
        let grid = WallGrid(side: side)
        let corner = try #require(grid.radii.first)
        #expect(abs(corner - 2.0.squareRoot()) < 1e-15)
        #expect(grid.radii.last == corner)
        #expect(grid.offset(of: 0) == -1)
        #expect(grid.offset(of: side - 1) == 1)
        if side % 2 == 1 {
            #expect(grid.radii[grid.dotCount / 2] == 0)
        }
    }

    @Test func isSymmetric() {
        let grid = WallGrid.standard
        #expect(grid.radii == grid.radii.reversed())
    }

    @Test func keepsPhasesWithinATurn() {
        #expect(WallGrid(side: 64).phases.allSatisfy { (0..<2 * Double.pi).contains($0) })
    }

    // 2π · fract(sin(12.9898 · row + 78.233 · column) · 43758.5453), worked out with 50 digits.
    @Test(arguments: [(0, 0, 0.0), (0, 1, 1.1492973367), (10, 10, 2.1528642525), (20, 3, 0.8564728099)])
    func hasTheDefinedPhases(row: Int, column: Int, phase: Double) {
        #expect(abs(WallGrid.standard.phases[row * 21 + column] - phase) < 1e-6)
    }

    @Test func putsAnOnlyDotInTheCentre() {
        #expect(WallGrid(side: 1).radii == [0])
        #expect(WallGrid(side: 1).offset(of: 0) == 0)
    }

    @Test(arguments: [(0, 1), (-5, 1), (Int.min, 1), (256, 256), (257, 256), (Int.max, 256)])
    func takesOnlyReasonableSides(asked: Int, given: Int) {
        #expect(WallGrid(side: asked).side == given)
    }
}
