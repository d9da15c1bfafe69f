/// Why audio could not be heard, in words for the person in front of it.
public struct AudioLevelSourceError: Error, Hashable, Sendable {
    /// The kind of a failure, for programs that decide what to do next.
    ///
    /// New kinds may be added: treat one you don't know like ``readFailed``.
    public struct Code: Hashable, Sendable, RawRepresentable {
        /// The stable name of the kind.
        public let rawValue: String

        /// Makes a kind of failure with a stable name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The person or the system does not allow it.
        public static let accessDenied = Self(rawValue: "access_denied")
        /// There is no such device, file or capture program.
        public static let deviceMissing = Self(rawValue: "device_missing")
        /// The audio has no channels, so there is nothing to measure.
        public static let noChannels = Self(rawValue: "no_channels")
        /// The bytes are not audio, or in a format that is not read here.
        public static let badFormat = Self(rawValue: "bad_format")
        /// The audio ends before the place its header promises.
        public static let truncated = Self(rawValue: "truncated")
        /// Reading failed on the way.
        public static let readFailed = Self(rawValue: "read_failed")
        /// The program that captures ended by itself.
        public static let captureEnded = Self(rawValue: "capture_ended")
        /// The source runs already.
        public static let alreadyStarted = Self(rawValue: "already_started")
        /// The start was cancelled by its caller.
        public static let cancelled = Self(rawValue: "cancelled")
    }

    /// The kind of failure.
    public let code: Code

    /// What failed: the name of a file, a device or a program.
    public let thing: String

    /// What is wrong with it, as the end of a sentence that begins with ``thing``.
    public let reason: String

    /// What to do about it, as a sentence of its own without its full stop; empty when there is nothing.
    public let remedy: String

    /// Makes an error from its parts.
    public init(_ code: Code, thing: String, reason: String, remedy: String = "") {
        self.code = code
        self.thing = thing
        self.reason = reason
        self.remedy = remedy
    }

    /// One sentence that names the thing, the reason and the way out.
    public var message: String {
        remedy.isEmpty ? "\(thing) \(reason)" : "\(thing) \(reason); \(remedy)"
    }

    /// Whether another attempt may succeed without a person changing something first.
    public var mayPassByItself: Bool {
        switch code {
        case .accessDenied, .deviceMissing, .noChannels, .badFormat, .truncated, .alreadyStarted, .cancelled: false
        default: true
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AudioLevelSourceError: CustomStringConvertible {
    public var description: String { message }
}
