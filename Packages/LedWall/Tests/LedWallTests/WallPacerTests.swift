import LedWall
import Testing

struct WallPacerTests {
    private func draws(
        _ pacer: inout WallPacer,
        _ expected: Bool,
        at now: Duration,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let drawn = pacer.beginFrame(at: now)
        #expect(drawn == expected, "at \(now)", sourceLocation: sourceLocation)
    }

    /// Draws whenever the pacer lets it, asking every `step`, and returns the times of the frames.
    private func frames(_ pacer: inout WallPacer, from start: Duration, to end: Duration, every step: Duration)
        -> [Duration]
    {
        var frames: [Duration] = []
        var now = start
        while now < end {
            if pacer.beginFrame(at: now) { frames.append(now) }
            now += step
        }
        return frames
    }

    @Test(arguments: [1, 7, 16, 33])
    func drawsAtMostThirtyFramesASecond(milliseconds: Int) {
        var pacer = WallPacer()
        let frames = frames(&pacer, from: .zero, to: .seconds(10), every: .milliseconds(milliseconds))
        #expect((200...300).contains(frames.count))
    }

    @Test func seventeenDotsRunAtFifteenFramesASecond() {
        var pacer = WallPacer(framesPerSecond: 15)
        var motion = WallMotion(grid: .compact)
        var pictures: [WallPicture] = []
        for time in frames(&pacer, from: .zero, to: .seconds(2), every: .milliseconds(1)) {
            let seconds = time / .seconds(1)
            pictures.append(motion.picture(for: WallInput(state: .speaking, level: 0.5, seconds: seconds)))
        }
        #expect(pictures.count == 30)
        #expect(pictures.allSatisfy { $0.frame.side == 17 && $0.frame.opacity.count == 289 })
    }

    @Test func theFirstFrameIsDueAtOnce() {
        var pacer = WallPacer()
        #expect(pacer.nextFrame(after: .seconds(3)) == .seconds(3))
        draws(&pacer, true, at: .seconds(3))
        #expect(pacer.nextFrame(after: .seconds(3)) == .seconds(3) + pacer.interval)
        draws(&pacer, false, at: .seconds(3) + .milliseconds(33))
        draws(&pacer, true, at: .seconds(3) + .milliseconds(34))
    }

    @Test func dropsLateFramesInsteadOfQueueingThem() {
        var pacer = WallPacer(framesPerSecond: 10)
        draws(&pacer, true, at: .zero)
        draws(&pacer, true, at: .milliseconds(1010))
        #expect(pacer.droppedFrames == 9)
        draws(&pacer, false, at: .milliseconds(1020))
        #expect(pacer.nextFrame(after: .milliseconds(1020)) == .milliseconds(1100))
    }

    @Test func aFrameLateByMostOfASlotSkipsTheNextOne() {
        var pacer = WallPacer(framesPerSecond: 10)
        draws(&pacer, true, at: .zero)
        draws(&pacer, true, at: .milliseconds(190))
        draws(&pacer, false, at: .milliseconds(200))
        #expect(pacer.nextFrame(after: .milliseconds(200)) == .milliseconds(300))
    }

    @Test func slightlyLateFramesKeepTheBeat() {
        var pacer = WallPacer(framesPerSecond: 10)
        for beat in 0..<20 {
            draws(&pacer, true, at: .milliseconds(beat * 100 + beat % 3))
        }
        #expect(pacer.droppedFrames == 0)
    }

    @Test func pausesInTheBackgroundAndOnceSettled() {
        var pacer = WallPacer()
        pacer.isBackgrounded = true
        #expect(pacer.nextFrame(after: .zero) == nil)
        draws(&pacer, false, at: .zero)
        pacer.isBackgrounded = false
        pacer.isSettled = true
        #expect(pacer.isPaused)
        #expect(pacer.nextFrame(after: .seconds(1)) == nil)
    }

    @Test func owesNothingAfterAPause() {
        var pacer = WallPacer()
        draws(&pacer, true, at: .zero)
        pacer.isBackgrounded = true
        pacer.isBackgrounded = false
        #expect(pacer.nextFrame(after: .seconds(90)) == .seconds(90))
        draws(&pacer, true, at: .seconds(90))
        #expect(pacer.droppedFrames == 0)
    }

    @Test func aShortPauseMakesNoRoomForAnExtraFrame() {
        var pacer = WallPacer(framesPerSecond: 10)
        draws(&pacer, true, at: .zero)
        pacer.isBackgrounded = true
        draws(&pacer, false, at: .milliseconds(10))
        pacer.isBackgrounded = false
        draws(&pacer, false, at: .milliseconds(20))
    }

    @Test func aWallThatGoesIdleDrawsUntilItHasArrived() {
        var (pacer, motion) = (WallPacer(), WallMotion())
        var last = 0.0
        for tick in 0..<1000 {
            let seconds = Double(tick) / 100
            guard pacer.beginFrame(at: .milliseconds(tick * 10)) else { continue }
            let state = seconds < 1 ? WallState.speaking : .idle
            _ = motion.picture(for: WallInput(state: state, level: 0.5, seconds: seconds))
            pacer.isSettled = motion.isSettled
            last = seconds
        }
        #expect((1.22...1.3).contains(last))
    }

    @Test func surviveTimesThatRunBackAndBadRates() {
        var pacer = WallPacer(framesPerSecond: -4)
        #expect(pacer.framesPerSecond == 1)
        draws(&pacer, true, at: .seconds(10))
        draws(&pacer, false, at: .seconds(5))
        draws(&pacer, true, at: .seconds(11))
    }
}
