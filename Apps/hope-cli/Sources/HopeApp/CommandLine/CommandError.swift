/// Why a command ended without doing its work: a code, an exit status, and one sentence with what to do next.
public struct CommandError: Error, Sendable, Hashable {
    /// The kinds of failure, each with the exit status that scripts see.
    public enum Code: String, Sendable, Hashable {
        /// The thing is there but unusable, or the work failed.
        case failed
        /// A bad option or value.
        case usage
        /// Somebody else's change stands in the way.
        case conflict
        /// The named thing is not there.
        case notFound = "not_found"
        /// A server, store or tool is missing or does not answer.
        case unavailable
        /// Interrupted by a signal.
        case interrupted
        /// Nobody reads the output any more; there is nothing to say to anybody.
        case outputClosed = "output_closed"

        /// The exit status.
        public var exitStatus: Int32 {
            switch self {
            case .failed: 1
            case .usage: 2
            case .conflict: 3
            case .notFound: 4
            case .unavailable: 5
            case .interrupted: 130
            case .outputClosed: 141
            }
        }
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person: the thing, the reason, and the way out.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// An error of which everything has been told already; only the exit status is left.
    init(told code: Code) {
        self.init(code, "")
    }

    /// Whether there is nothing left to tell.
    var isTold: Bool { message.isEmpty }

    static func badUsage(_ reason: String, see path: [String]) -> Self {
        // A reason that comes from elsewhere may be a whole sentence.
        let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
        return Self(.usage, "\(reason); see \(path.joined(separator: " ")) --help")
    }
}

extension CommandError: CustomStringConvertible {
    /// The sentence.
    public var description: String { message }
}

/// Text from outside as it may stand in a sentence: in quotes, on one line, of bounded length, without control bytes.
func quoted(_ text: String) -> String {
    let bounded = text.count > 120 ? "\(text.prefix(100))…" : text
    let visible = bounded.unicodeScalars.map { scalar in
        scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            ? "\u{FFFD}" : String(scalar)
    }
    return "“\(visible.joined())”"
}
