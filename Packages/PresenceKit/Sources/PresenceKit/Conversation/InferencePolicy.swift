/// How eagerly a phase follows the levels.
public enum InferencePolicy: String, Hashable, Sendable, CaseIterable {
    /// Holds speaking through 200 ms of silence, and listens as soon as the session is ready.
    case steady
    /// Follows every level at once and stays connecting until something is heard, as the original web client does.
    case web

    /// The unbroken silence that must pass before speaking ends.
    public var hold: Duration {
        switch self {
        case .steady: .milliseconds(200)
        case .web: .zero
        }
    }
}
