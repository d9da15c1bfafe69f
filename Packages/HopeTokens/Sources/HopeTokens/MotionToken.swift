import Foundation

/// A named animation of the Hope apps, evaluated by time alone.
public struct MotionToken: Hashable, Sendable {
    /// What an animation changes.
    public enum Effect: Hashable, Sendable {
        /// Something goes from where it is to its new value.
        case transition
        /// A wall dot's opacity and size go from where they are to their targets.
        case dot
        /// A glow grows from 0 to this radius, in points.
        case glow(radius: Double)
        /// Something goes from full opacity and size to these and back, again and again.
        case pulse(opacity: Double, scale: Double)
        /// Something fades in while it comes up by this many points.
        case entrance(rise: Double)
    }

    /// The unique place of the token, for instance `motion.thinkPulse`.
    public let path: String
    /// What moves, in one line.
    public let summary: String
    /// What the animation changes.
    public let effect: Effect
    /// Seconds from the first value to the last; for a pulse, seconds of one whole beat, there and back.
    public let duration: Double
    /// How progress runs over the time; a pulse runs it once on the way there and once on the way back.
    public let curve: TimingCurve

    /// The last part of the path, for instance `thinkPulse`.
    public var name: String {
        path.split(separator: ".").last.map(String.init) ?? path
    }

    /// Whether it goes on until its cause ends.
    public var repeatsForever: Bool {
        if case .pulse = effect { true } else { false }
    }

    /// Evaluates the animation.
    ///
    /// With reduced motion a pulse stays at its first value, a new row fades in without rising, dots keep the way of
    /// their opacity and never change size, and everything else is at its end value at once.
    ///
    /// - Parameters:
    ///   - seconds: Time since it began; what is not a number counts as 0.
    ///   - reducedMotion: Whether the reader asked for less motion.
    /// - Returns: The first value before 0, the last after the end, and the first value of a pulse at infinity.
    public func value(at seconds: Double, reducedMotion: Bool = false) -> MotionSample {
        let progress = progress(at: seconds)
        var sample = MotionSample(progress: progress, sizeProgress: progress, opacity: 1, scale: 1, rise: 0, radius: 0)
        switch effect {
        case .transition:
            if reducedMotion { (sample.progress, sample.sizeProgress) = (1, 1) }
        case .dot:
            if reducedMotion { sample.sizeProgress = 0 }
        case .glow(let radius):
            if reducedMotion { (sample.progress, sample.sizeProgress) = (1, 1) }
            sample.radius = radius * sample.progress
        case .pulse(let opacity, let scale):
            if reducedMotion { (sample.progress, sample.sizeProgress) = (0, 0) }
            sample.opacity = 1 + (opacity - 1) * sample.progress
            sample.scale = 1 + (scale - 1) * sample.sizeProgress
        case .entrance(let rise):
            sample.opacity = progress
            if reducedMotion { sample.sizeProgress = 1 }
            sample.rise = rise * (1 - sample.sizeProgress)
        }
        return sample
    }

    private func progress(at seconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        guard repeatsForever else { return curve.progress(at: seconds / duration) }
        guard seconds.isFinite else { return 0 }
        let beat = fmod(seconds, duration) / duration
        return curve.progress(at: beat < 0.5 ? beat * 2 : 2 - beat * 2)
    }

    fileprivate init(_ name: String, _ effect: Effect, _ duration: Double, _ curve: TimingCurve, _ summary: String) {
        self.path = "motion." + name
        self.effect = effect
        self.duration = duration
        self.curve = curve
        self.summary = summary
    }
}

extension MotionToken {
    /// The apps' own curve; it has no time of its own and is evaluated over one second.
    public static let easeOut = MotionToken(
        "easeOut",
        .transition,
        1,
        .cubicBezier(0.22, 1, 0.36, 1),
        "the curve of answers to a touch"
    )
    /// Opacity and size of a wall dot on the way to a new target.
    public static let dot = MotionToken("dot", .dot, 0.09, .linear, "opacity and size of a wall dot")
    /// The cross-fade of the wall's colour to a new state's.
    public static let wallColor = MotionToken("wallColor", .transition, 0.22, .ease, "cross-fade of the wall's colour")
    /// The glow that grows on entering speaking.
    public static let glow = MotionToken("glow", .glow(radius: 14), 0.22, .ease, "glow on entering speaking")
    /// The dot of the thinking chip.
    public static let thinkPulse = MotionToken(
        "thinkPulse",
        .pulse(opacity: 0.28, scale: 0.75),
        1.2,
        .easeInOut,
        "dot of the thinking chip"
    )
    /// A new transcript row.
    public static let messageIn = MotionToken("messageIn", .entrance(rise: 5), 0.18, .easeOut, "a new row fades in")
    /// The dot of a running task; its curve is CSS's default.
    public static let statusPulse = MotionToken(
        "statusPulse",
        .pulse(opacity: 0.3, scale: 1),
        1.4,
        .ease,
        "dot of a running task"
    )
    /// The answer of a button to a touch.
    public static let press = MotionToken("press", .transition, 0.18, easeOut.curve, "answer of a button")

    /// Every animation, in the order of the table they are defined in.
    public static let all = [easeOut, dot, wallColor, glow, thinkPulse, messageIn, statusPulse, press]
}
