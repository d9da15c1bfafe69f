import LedWall
import Testing

struct WallFormulaTests {
    @Test(arguments: try ReferenceFrame.all())
    func givesTheReferenceValues(reference: ReferenceFrame) {
        let dots = WallFormula.dots(of: reference.grid, for: reference.input)
        #expect(dots.count == reference.grid.dotCount)
        let errors = zip(dots, zip(reference.opacity, reference.size)).map { dot, expected in
            max(abs(dot.opacity - expected.0), abs(dot.size - expected.1))
        }
        // Nine decimals are written down; the phase's sine has lost a few digits to its factor of 43758.
        #expect((errors.max() ?? 1) < 2e-9)
    }

    @Test func failedLooksLikeIdle() {
        let (idle, failed) = (WallInput(state: .idle, seconds: 4), WallInput(state: .failed, level: 1, seconds: 9))
        #expect(WallFormula.dots(of: .standard, for: idle) == WallFormula.dots(of: .standard, for: failed))
        #expect(WallState.failed.color == WallState.idle.color)
    }

    @Test func speakingWithoutALevelBreathes() {
        let (silent, thinking) = (WallInput(state: .speaking, seconds: 4), WallInput(state: .thinking, seconds: 4))
        #expect(WallFormula.dots(of: .standard, for: silent) == WallFormula.dots(of: .standard, for: thinking))
    }

    @Test func listeningIsSofterThanSpeaking() {
        let dots = [WallState.listening, .speaking].map {
            WallFormula.dot(radius: 0.5, phase: 1, for: WallInput(state: $0, level: 0.3, seconds: 1))
        }
        #expect(abs(dots[0].opacity - 0.55 * dots[1].opacity) < 1e-15)
        #expect(dots[0].size == dots[1].size)
    }

    @Test func opacityStaysInRange() {
        for level in stride(from: 0.0, through: 1, by: 0.1) {
            let dots = WallFormula.dots(of: .standard, for: WallInput(state: .speaking, level: level, seconds: level))
            #expect(dots.allSatisfy { WallFormula.opacities.contains($0.opacity) })
        }
    }
}
