public import LedWall

/// A renderer under test together with a way to see what it has put out.
public struct WallRendererSubject: Sendable {
    /// The renderer, new and unused.
    public let renderer: any WallRenderer

    /// Everything that the renderer has put out so far, in order; compared, never interpreted.
    public let output: @Sendable () -> [UInt8]

    /// Makes the renderer's output fail, or work again; nil where the output cannot fail.
    public let breakOutput: (@Sendable (_ isBroken: Bool) -> Void)?

    /// Creates a subject.
    ///
    /// - Parameters:
    ///   - renderer: A new renderer.
    ///   - output: Everything that the renderer has put out so far.
    ///   - breakOutput: Makes the renderer's output fail (true), or work again (false); nil where it cannot fail.
    public init(
        renderer: any WallRenderer,
        output: @escaping @Sendable () -> [UInt8],
        breakOutput: (@Sendable (_ isBroken: Bool) -> Void)? = nil
    ) {
        self.renderer = renderer
        self.output = output
        self.breakOutput = breakOutput
    }
}
