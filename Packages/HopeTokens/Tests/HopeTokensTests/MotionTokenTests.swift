import HopeTokens
import Testing

struct MotionTokenTests {
    @Test func `a dot is halfway after half of 90 ms`() {
        #expect(MotionToken.dot.value(at: 0.045).progress == 0.5)
        #expect(MotionToken.dot.value(at: 0.045).sizeProgress == 0.5)
        #expect(MotionToken.dot.value(at: 0.09).progress == 1)
    }

    @Test func `the glow grows to 14 along ease`() {
        #expect(MotionToken.glow.value(at: 0).radius == 0)
        #expect(abs(MotionToken.glow.value(at: 0.11).radius - 14 * 0.8024033875849) < 1e-8)
        #expect(MotionToken.glow.value(at: 0.22).radius == 14)
        #expect(MotionToken.glow.value(at: 5).radius == 14)
    }

    @Test func `a new row fades in and rises 5 points`() {
        let first = MotionToken.messageIn.value(at: 0)
        #expect(first.opacity == 0 && first.rise == 5)
        let half = MotionToken.messageIn.value(at: 0.09)
        #expect(abs(half.opacity - 0.6846431874275) < 1e-9)
        #expect(abs(half.rise - 5 * (1 - 0.6846431874275)) < 1e-8)
        let last = MotionToken.messageIn.value(at: 0.18)
        #expect(last.opacity == 1 && last.rise == 0)
    }

    @Test(arguments: [(MotionToken.thinkPulse, 1.2, 0.28, 0.75), (.statusPulse, 1.4, 0.3, 1)])
    func `a pulse goes there and back forever`(pulse: MotionToken, beat: Double, opacity: Double, scale: Double) {
        #expect(pulse.repeatsForever && pulse.duration == beat)
        for cycle in [0.0, 1, 7, 10_000] {
            let start = pulse.value(at: cycle * beat)
            #expect(abs(start.opacity - 1) < 1e-6 && abs(start.scale - 1) < 1e-6)
            let turn = pulse.value(at: (cycle + 0.5) * beat)
            #expect(abs(turn.opacity - opacity) < 1e-6 && abs(turn.scale - scale) < 1e-6)
            let (out, back) = (pulse.value(at: (cycle + 0.2) * beat), pulse.value(at: (cycle + 0.8) * beat))
            #expect(abs(out.opacity - back.opacity) < 1e-6)
        }
    }

    @Test func `a pulse eases on each way`() {
        // A quarter of the beat is half of the way there, where ease-in-out is at 0.5 and ease at 0.8024.
        #expect(abs(MotionToken.thinkPulse.value(at: 0.3).opacity - 0.64) < 1e-9)
        #expect(abs(MotionToken.statusPulse.value(at: 0.35).opacity - (1 - 0.7 * 0.8024033875849)) < 1e-9)
    }

    @Test func `only pulses go on forever`() {
        #expect(MotionToken.all.filter(\.repeatsForever).map(\.name) == ["thinkPulse", "statusPulse"])
        #expect(MotionToken.all.count == 8)
    }

    @Test(arguments: [0, 0.01, 0.35, 100, Double.infinity])
    func `with reduced motion pulses stop at their first value`(seconds: Double) {
        for pulse in [MotionToken.thinkPulse, .statusPulse] {
            #expect(pulse.value(at: seconds, reducedMotion: true) == pulse.value(at: 0))
        }
    }

    @Test(arguments: [0, 0.01, 100])
    func `with reduced motion glow, colour and press are at their end at once`(seconds: Double) {
        for token in [MotionToken.glow, .wallColor, .press, .easeOut] {
            #expect(token.value(at: seconds, reducedMotion: true) == token.value(at: 100))
        }
    }

    @Test(arguments: [0, 0.03, 0.09, 100])
    func `with reduced motion a row keeps its fade and drops its rise`(seconds: Double) {
        let still = MotionToken.messageIn.value(at: seconds, reducedMotion: true)
        #expect(still.opacity == MotionToken.messageIn.value(at: seconds).opacity)
        #expect(still.rise == 0)
    }

    @Test(arguments: [0, 0.03, 0.09, 100])
    func `with reduced motion dots keep opacity and drop size`(seconds: Double) {
        let still = MotionToken.dot.value(at: seconds, reducedMotion: true)
        #expect(still.progress == MotionToken.dot.value(at: seconds).progress)
        #expect(still.sizeProgress == 0)
    }

    @Test(arguments: MotionToken.all)
    func `times that make no sense show the first or the last value`(token: MotionToken) {
        #expect(token.value(at: .nan) == token.value(at: 0))
        #expect(token.value(at: -3) == token.value(at: 0))
        #expect(token.value(at: .infinity) == token.value(at: token.repeatsForever ? 0 : 100))
    }

    @Test func `what an animation leaves alone is neutral`() {
        let sample = MotionToken.wallColor.value(at: 0.1)
        #expect(sample.opacity == 1 && sample.scale == 1 && sample.rise == 0 && sample.radius == 0)
    }
}
