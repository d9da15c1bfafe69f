import HopeTokens
import LedWall
import Testing

struct WallMotionTests {
    private func input(_ state: WallState, _ level: Double, _ seconds: Double) -> WallInput {
        WallInput(state: state, level: level, seconds: seconds)
    }

    @Test func followsTheReferenceClip() throws {
        let lines = try ReferenceFile.lines(of: "motion.csv")
        let dots = try #require(lines.first).dropFirst().compactMap { Int($0) }
        var motion = WallMotion()
        for fields in lines.dropFirst() {
            let state = try #require(WallState(rawValue: fields[0]))
            let numbers = try ReferenceFile.numbers(fields[1...])
            let picture = motion.picture(for: input(state, numbers[0], numbers[1]))
            let looks = [picture.color.red, picture.color.green, picture.color.blue, picture.glowRadius / 14]
            let values = dots.flatMap { [Double(picture.frame.opacity[$0]), Double(picture.frame.size[$0])] }
            let expectedLooks = [numbers[2], numbers[3], numbers[4], numbers[5] / 14]
            #expect(zip(looks, expectedLooks).allSatisfy { abs($0 - $1) < 1e-6 }, "looks at \(numbers[1]) s")
            #expect(zip(values, numbers[6...]).allSatisfy { abs($0 - $1) < 4e-6 }, "dots at \(numbers[1]) s")
        }
    }

    @Test func showsTheFirstPictureAsItIs() {
        var motion = WallMotion()
        let first = motion.picture(for: input(.speaking, 0.5, 10))
        #expect(first == WallPicture(settled: input(.speaking, 0.5, 10)))
    }

    private static let ways: [(Double, Double)] = [
        (0, 0), (0.0225, 0.25), (0.045, 0.5), (0.081, 0.9), (0.09, 1), (5, 1),
    ]

    @Test(arguments: ways)
    func dotsApproachLinearlyOverNinetyMilliseconds(elapsed: Double, fraction: Double) {
        var motion = WallMotion()
        let start = motion.picture(for: input(.listening, 0.8, 2))
        _ = motion.picture(for: input(.idle, 0, 2))
        let end = WallFrameGenerator().frame(for: input(.idle, 0, 2))
        let shown = motion.picture(for: input(.idle, 0, 2 + elapsed))
        for dot in [0, 220, 440] {
            let opacity = start.frame.opacity[dot] + (end.opacity[dot] - start.frame.opacity[dot]) * Float(fraction)
            let size = start.frame.size[dot] + (end.size[dot] - start.frame.size[dot]) * Float(fraction)
            #expect(abs(shown.frame.opacity[dot] - opacity) < 1e-5)
            #expect(abs(shown.frame.size[dot] - size) < 1e-5)
        }
        if fraction == 1 { #expect(shown.frame == end) }
    }

    @Test func aNewTargetStartsFromWhereTheDotIs() {
        var motion = WallMotion()
        _ = motion.picture(for: input(.idle, 0, 0))
        _ = motion.picture(for: input(.speaking, 1, 0))
        let halfway = motion.picture(for: input(.idle, 0, 0.045))
        let later = motion.picture(for: input(.idle, 0, 0.09))
        let rest = WallFrameGenerator().frame(for: input(.idle, 0, 0))
        #expect(halfway.frame.size[220] > 1.6)
        #expect(abs(later.frame.size[220] - (halfway.frame.size[220] + rest.size[220]) / 2) < 1e-5)
    }

    @Test func picturesInBetweenDoNotChangeTheWay() {
        var (often, once) = (WallMotion(), WallMotion())
        for step in 0...9 {
            _ = often.picture(for: input(step == 0 ? .failed : .thinking, 0, step == 0 ? 0 : 1))
        }
        _ = once.picture(for: input(.failed, 0, 0))
        _ = once.picture(for: input(.thinking, 0, 1))
        #expect(
            often.picture(for: input(.thinking, 0, 1.03)).frame == once.picture(for: input(.thinking, 0, 1.03)).frame
        )
    }

    @Test func colourAndGlowFadeOverTwoHundredAndTwentyMilliseconds() {
        var motion = WallMotion()
        _ = motion.picture(for: input(.thinking, 0, 0))
        let entering = motion.picture(for: input(.speaking, 0.5, 1))
        let middle = motion.picture(for: input(.speaking, 0.5, 1.11))
        let end = motion.picture(for: input(.speaking, 0.5, 1.22))
        #expect(entering.color == WallState.thinking.color)
        #expect(entering.glowRadius == 0)
        // CSS's ease has done 0.8024 of its way at half of its time.
        #expect(abs(middle.glowRadius - 14 * 0.80240) < 1e-3)
        #expect(end.color == WallState.speaking.color)
        #expect(end.glowRadius == 14)
        #expect(end.glowColor == ColorValue(rgb: 0x6F8FF7, opacity: 0.35))
    }

    @Test func glowShrinksOnLeavingSpeaking() {
        var motion = WallMotion()
        _ = motion.picture(for: input(.speaking, 0.5, 0))
        _ = motion.picture(for: input(.listening, 0.5, 1))
        let middle = motion.picture(for: input(.listening, 0.5, 1.11))
        #expect(abs(middle.glowRadius - 14 * 0.19760) < 1e-3)
        let end = motion.picture(for: input(.listening, 0.5, 1.3))
        #expect(end.glowRadius == 0)
    }

    @Test(arguments: WallState.allCases)
    func reducedMotionShowsTheIdleMatrixInTheStatesColour(state: WallState) {
        var motion = WallMotion(reducesMotion: true)
        _ = motion.picture(for: input(.idle, 0, 0))
        let rest = WallFrameGenerator().frame(for: input(.idle, 0, 0))
        for seconds in [1, 1.01, 1.1, 7] {
            let picture = motion.picture(for: input(state, 0.9, seconds))
            #expect(picture.frame == rest)
            #expect(picture.color == state.color)
            #expect(picture.glowRadius == state.glowRadius)
            #expect(motion.isSettled)
        }
    }

    @Test func sizesJumpAndOpacitiesFadeWhenMotionIsReducedMidway() {
        var motion = WallMotion()
        let loud = motion.picture(for: input(.speaking, 1, 0.4))
        motion.reducesMotion = true
        let next = motion.picture(for: input(.speaking, 1, 0.4))
        #expect(next.frame.size.allSatisfy { $0 == 1 })
        #expect(next.frame.opacity == loud.frame.opacity)
        #expect(!motion.isSettled)
        let arrived = motion.picture(for: input(.speaking, 1, 0.5))
        #expect(arrived.frame == WallFrameGenerator().frame(for: input(.idle, 0, 0)))
        #expect(motion.isSettled)
    }

    @Test func settlesOnceEverythingHasArrivedInAStillState() {
        var motion = WallMotion()
        #expect(!motion.isSettled)
        _ = motion.picture(for: input(.speaking, 0.5, 0))
        #expect(!motion.isSettled)
        _ = motion.picture(for: input(.idle, 0, 1))
        _ = motion.picture(for: input(.idle, 0, 1.1))
        #expect(!motion.isSettled)
        _ = motion.picture(for: input(.idle, 0, 1.23))
        #expect(motion.isSettled)
        _ = motion.picture(for: input(.thinking, 0, 1.3))
        _ = motion.picture(for: input(.thinking, 0, 60))
        #expect(!motion.isSettled)
    }

    @Test func timeThatRunsBackStandsStill() {
        var motion = WallMotion()
        _ = motion.picture(for: input(.idle, 0, 5))
        let now = motion.picture(for: input(.failed, 0, 5.5))
        let back = motion.picture(for: input(.failed, 0, 1))
        #expect(back.frame == now.frame)
    }

    @Test func sameInputsGiveSamePictures() {
        func clip() -> [WallPicture] {
            var motion = WallMotion(grid: .compact)
            return (0..<20).map { motion.picture(for: input(.speaking, Double($0) / 20, Double($0) / 15)) }
        }
        #expect(clip() == clip())
    }

    @Test func overwritesAPictureInItsOwnStorage() {
        var motion = WallMotion()
        var picture = motion.picture(for: input(.idle, 0, 0))
        let before = picture.frame.opacity.withUnsafeBufferPointer(\.baseAddress)
        motion.advance(to: input(.speaking, 0.6, 0.1), into: &picture)
        #expect(picture.frame.opacity.withUnsafeBufferPointer(\.baseAddress) == before)
        #expect(picture.input == input(.speaking, 0.6, 0.1))
    }
}
