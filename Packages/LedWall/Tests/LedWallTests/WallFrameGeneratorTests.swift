import LedWall
import Testing

struct WallFrameGeneratorTests {
    private static let tolerance = 1e-6

    /// The largest distance of a fast frame from the plain formulas.
    private func error(_ generator: WallFrameGenerator, _ frame: WallFrame, _ input: WallInput) -> Double {
        var worst = 0.0
        for dot in 0..<generator.grid.dotCount {
            let exact = WallFormula.dot(
                radius: generator.grid.radii[dot],
                phase: generator.grid.phases[dot],
                for: input
            )
            worst = max(
                worst,
                abs(Double(frame.opacity[dot]) - exact.opacity),
                abs(Double(frame.size[dot]) - exact.size)
            )
        }
        return worst
    }

    @Test(arguments: try ReferenceFrame.all())
    func givesTheReferenceValues(reference: ReferenceFrame) {
        let frame = WallFrameGenerator(grid: reference.grid).frame(for: reference.input)
        #expect(frame.side == reference.grid.side)
        let opacity = zip(frame.opacity, reference.opacity).map { abs(Double($0) - $1) }
        let size = zip(frame.size, reference.size).map { abs(Double($0) - $1) }
        #expect((opacity.max() ?? 1) < Self.tolerance)
        #expect((size.max() ?? 1) < Self.tolerance)
    }

    // Optimised, the sweep is dense: 101 levels at 100 times each.
    #if DEBUG
        private static let steps = (levels: 11, times: 10)
    #else
        private static let steps = (levels: 101, times: 100)
    #endif

    @Test(arguments: WallState.allCases)
    func staysWithinAMillionthOfTheFormulas(state: WallState) {
        let generator = WallFrameGenerator()
        var frame = WallFrame(side: 21)
        var worst = 0.0
        for step in 0..<Self.steps.levels {
            let level = Double(step) / Double(Self.steps.levels - 1)
            for moment in 0..<Self.steps.times {
                // From the first frame to a month, with no common period.
                let seconds = Double(moment) * 0.137 + Double(moment * moment) * 261.7
                let input = WallInput(state: state, level: level, seconds: seconds)
                generator.generate(input, into: &frame)
                worst = max(worst, error(generator, frame, input))
            }
        }
        #expect(worst < Self.tolerance)
    }

    @Test(arguments: [0.0, 1e-300, 1e-9, 0.5, 0.769_230_769, 0.769_230_8, 0.999, 1.0])
    func staysWithinAMillionthAtTheEdgesOfTheLevel(level: Double) {
        let generator = WallFrameGenerator()
        for state in [WallState.listening, .speaking] {
            let input = WallInput(state: state, level: level, seconds: 1.7)
            #expect(error(generator, generator.frame(for: input), input) < Self.tolerance)
        }
    }

    // A day before, a day, a month and a year.
    @Test(arguments: [-86_400.0, 86_400.0, 2_592_000.0, 31_557_600.0])
    func staysExactAfterRunningForLong(seconds: Double) {
        let generator = WallFrameGenerator()
        for state in [WallState.thinking, .speaking] {
            let input = WallInput(state: state, level: 0.8, seconds: seconds + 0.123)
            #expect(error(generator, generator.frame(for: input), input) < Self.tolerance)
        }
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 15, 16, 17, 20, 24, 33, 64, 256])
    func worksOnEveryGrid(side: Int) {
        let generator = WallFrameGenerator(grid: WallGrid(side: side))
        let input = WallInput(state: .speaking, level: 0.6, seconds: 2.5)
        let frame = generator.frame(for: input)
        #expect(frame.opacity.count == side * side)
        #expect(frame.size.count == side * side)
        #expect(error(generator, frame, input) < Self.tolerance)
    }

    @Test func aFrameDependsOnItsInputAlone() {
        let generator = WallFrameGenerator()
        let input = WallInput(state: .speaking, level: 0.6, seconds: 2.5)
        let alone = generator.frame(for: input)
        var reused = WallFrame(side: 21)
        for state in WallState.allCases {
            generator.generate(WallInput(state: state, level: 1, seconds: 9), into: &reused)
        }
        generator.generate(input, into: &reused)
        #expect(reused == alone)
    }

    @Test func overwritesAFrameInItsOwnStorage() {
        let generator = WallFrameGenerator()
        var frame = WallFrame(side: 21)
        let before = [
            frame.opacity.withUnsafeBufferPointer(\.baseAddress), frame.size.withUnsafeBufferPointer(\.baseAddress),
        ]
        generator.generate(WallInput(state: .speaking, level: 0.6, seconds: 2.5), into: &frame)
        let after = [
            frame.opacity.withUnsafeBufferPointer(\.baseAddress), frame.size.withUnsafeBufferPointer(\.baseAddress),
        ]
        #expect(before == after)
    }

    @Test func replacesAFrameOfAnotherSide() {
        var frame = WallFrame(side: 3)
        WallFrameGenerator(grid: .compact).generate(WallInput(state: .idle), into: &frame)
        #expect(frame.side == 17)
        #expect(frame.opacity.count == 289)
    }
}
