/// What an animation shows at one moment; what it does not animate has its neutral value.
public struct MotionSample: Hashable, Sendable {
    /// How far colour and opacity have come from their first value to their last, 0…1 (overshoot aside).
    public var progress: Double
    /// How far size has come from its first value to its last, 0…1; differs from `progress` with reduced motion.
    public var sizeProgress: Double
    /// Opacity, 0…1; neutral 1.
    public var opacity: Double
    /// Scale about the centre; neutral 1.
    public var scale: Double
    /// Distance below the resting place, in points; neutral 0.
    public var rise: Double
    /// Radius of the glow, in points; neutral 0.
    public var radius: Double
}
