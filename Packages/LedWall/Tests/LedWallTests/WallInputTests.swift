import LedWall
import Testing

struct WallInputTests {
    private static let levels: [(Double, Double)] = [
        (.nan, 0), (.infinity, 0), (-.infinity, 0), (-1, 0), (7, 1), (-0.0, 0), (0.4, 0.4),
    ]
    private static let times: [(Double, Double)] = [
        (.nan, 0), (.infinity, 0), (-.infinity, 0), (-3, -3), (1e9, 1e9), (1e308, 1e12), (-1e308, -1e12),
    ]

    @Test("V9: levels that are no levels are harmless", arguments: levels)
    func cleansLevels(given: Double, kept: Double) {
        #expect(WallInput(state: .speaking, level: given).level == kept)
    }

    @Test(arguments: times)
    func cleansTimes(given: Double, kept: Double) {
        #expect(WallInput(state: .speaking, seconds: given).seconds == kept)
    }

    @Test(arguments: WallState.allCases)
    func followsTheLevelOnlyWhileSomebodyTalks(state: WallState) {
        let talks = state == .speaking || state == .listening
        #expect(WallInput(state: state, level: 0.5).signal == (talks ? 0.5 : 0))
    }

    @Test(arguments: WallState.allCases)
    func noTimeGivesAFrameThatIsNoNumber(state: WallState) {
        for seconds in [Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude] {
            let frame = WallFrameGenerator().frame(for: WallInput(state: state, level: 0.5, seconds: seconds))
            #expect(frame.opacity.allSatisfy { (0.02...1).contains($0) })
        }
    }
}
