import HopeTokens

/// Moves the wall from frame to frame: dots approach their targets, colour and glow fade.
///
/// - Each dot's opacity and size approach their target linearly over 90 ms, starting anew from where they are whenever
///   the target is a new one.
/// - The colour cross-fades over 220 ms when the state changes; the glow grows to 14 points over 220 ms on entering
///   speaking and shrinks on leaving it. Both follow `ease` and start anew from where they are.
/// - With reduced motion the wall is the idle matrix in the state's colour: colour, glow and sizes go to their end at
///   once, and only opacity still takes its 90 ms.
///
/// The first picture is shown as it is, since there is nothing to come from. Same inputs, same pictures.
public struct WallMotion: Sendable {
    /// Whether the user asked for less motion; takes effect with the next picture.
    public var reducesMotion: Bool

    private let generator: WallFrameGenerator
    private var targets: WallFrame
    private var opacity: DotApproach
    private var size: DotApproach
    private var color: Fade<ColorValue>
    private var glow: Fade<Double>
    private var state: WallState?
    private var now = 0.0
    private var dotsArrive = 0.0
    private let dotDuration = MotionToken.dot.duration
    private let glowColor = ColorToken.wallGlow.value

    /// Creates the motion of one wall.
    ///
    /// - Parameters:
    ///   - grid: The dots.
    ///   - reducesMotion: Whether the user asked for less motion.
    public init(grid: WallGrid = .standard, reducesMotion: Bool = false) {
        self.reducesMotion = reducesMotion
        generator = WallFrameGenerator(grid: grid)
        targets = WallFrame(side: grid.side)
        opacity = DotApproach(count: grid.dotCount, duration: MotionToken.dot.duration)
        size = DotApproach(count: grid.dotCount, duration: MotionToken.dot.duration)
        color = Fade(at: WallState.idle.color, .wallColor)
        glow = Fade(at: 0, .glow)
    }

    /// The dots that move.
    public var grid: WallGrid { generator.grid }

    /// Whether the next pictures will look like the last one for as long as the state stays.
    ///
    /// True once everything has arrived in a state that stands still (idle, failed, or any with reduced motion). It is
    /// what a pacer needs to know before it may pause.
    public var isSettled: Bool {
        guard let state, state.isStill || reducesMotion else { return false }
        return now >= dotsArrive - 1e-6 && color.isOver && glow.isOver
    }

    /// Moves on to a time and makes the picture of that moment.
    ///
    /// - Parameter input: State, level and time. A time before that of the last picture counts as the same time.
    /// - Returns: What is seen at that time.
    public mutating func picture(for input: WallInput) -> WallPicture {
        var picture = WallPicture(
            input: input,
            frame: WallFrame(side: grid.side),
            color: input.state.color
        )
        advance(to: input, into: &picture)
        return picture
    }

    /// Moves on to a time and makes the picture of that moment in the storage of another one, without allocating.
    ///
    /// - Parameters:
    ///   - input: State, level and time. A time before that of the last picture counts as the same time.
    ///   - picture: The picture to overwrite.
    public mutating func advance(to input: WallInput, into picture: inout WallPicture) {
        let isFirst = state == nil
        let elapsed = isFirst ? 0 : max(0, input.seconds - now)
        now = isFirst ? input.seconds : max(now, input.seconds)

        moveDots(for: input, elapsed: elapsed, isFirst: isFirst, into: &picture.frame)

        color.advance(by: elapsed)
        glow.advance(by: elapsed)
        if isFirst || reducesMotion {
            color.jump(to: input.state.color)
            glow.jump(to: input.state.glowRadius)
        } else if state != input.state {
            color.retarget(to: input.state.color)
            glow.retarget(to: input.state.glowRadius)
        }
        state = input.state

        picture.input = input
        picture.color = color.value
        picture.glowRadius = glow.value
        picture.glowColor = glowColor
    }

    private mutating func moveDots(
        for input: WallInput,
        elapsed: Double,
        isFirst: Bool,
        into frame: inout WallFrame
    ) {
        if frame.side != grid.side {
            frame = WallFrame(side: grid.side)
        }
        let shown = reducesMotion ? WallInput(state: .idle, seconds: input.seconds) : input
        generator.generate(shown, into: &targets)
        let step = Float(min(elapsed, dotDuration))
        if isFirst {
            opacity.arrive(at: targets.opacity, into: &frame.opacity)
        } else if opacity.advance(by: step, to: targets.opacity, into: &frame.opacity) {
            dotsArrive = now + dotDuration
        }
        if isFirst || reducesMotion {
            size.arrive(at: targets.size, into: &frame.size)
        } else if size.advance(by: step, to: targets.size, into: &frame.size) {
            dotsArrive = now + dotDuration
        }
    }
}
