/// Why a renderer did not draw.
public enum WallRendererError: Error, Hashable, Sendable {
    /// The renderer has been finished; draw with a new one.
    case finished
    /// A picture is older than the one before it; leave it out or draw in order. Times in seconds.
    case timeWentBack(from: Double, to: Double)
    /// The output could not be written; the text says why.
    case output(String)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension WallRendererError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .finished:
            "The wall's renderer has been finished; make a new one to draw more."
        case .timeWentBack(let from, let to):
            "The wall's picture of \(to) s comes after that of \(from) s; draw pictures in the order of their times."
        case .output(let reason):
            "The wall cannot be drawn: \(reason)"
        }
    }
}
