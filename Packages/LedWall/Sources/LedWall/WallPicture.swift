public import HopeTokens

/// One moment of the wall with motion applied: all that a renderer needs.
public struct WallPicture: Hashable, Sendable {
    /// The state, level and time that the picture was made from; a renderer takes the time from here.
    public var input: WallInput

    /// Opacity and size of every dot.
    public var frame: WallFrame

    /// The colour of all dots, opaque; a dot is drawn with its own opacity.
    public var color: ColorValue

    /// The radius of the glow around the wall in points, 0...14; 0 is no glow.
    public var glowRadius: Double

    /// The colour of the glow with its opacity.
    public var glowColor: ColorValue

    /// Creates a picture.
    ///
    /// - Parameters:
    ///   - input: The state, level and time of the moment.
    ///   - frame: Opacity and size of every dot.
    ///   - color: The colour of all dots.
    ///   - glowRadius: The radius of the glow in points.
    ///   - glowColor: The colour of the glow with its opacity.
    public init(
        input: WallInput,
        frame: WallFrame,
        color: ColorValue,
        glowRadius: Double = 0,
        glowColor: ColorValue = ColorToken.wallGlow.value
    ) {
        self.input = input
        self.frame = frame
        self.color = color
        self.glowRadius = glowRadius
        self.glowColor = glowColor
    }

    /// Creates the picture that a state ends at: the frame's targets, the state's colour and its whole glow.
    ///
    /// - Parameters:
    ///   - input: The state, level and time of the moment.
    ///   - grid: The dots.
    public init(settled input: WallInput, grid: WallGrid = .standard) {
        self.init(
            input: input,
            frame: WallFrameGenerator(grid: grid).frame(for: input),
            color: input.state.color,
            glowRadius: input.state.glowRadius
        )
    }
}
