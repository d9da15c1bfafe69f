/// Why a call of the media server did not do what it was to.
public struct MediaAPIError: Error, Hashable, Sendable {
    /// The kind of failure, by which a program decides.
    public enum Code: Hashable, Sendable {
        /// What was to be sent cannot be sent like this.
        case invalid
        /// There was no answer: the connection, the time limit or the credentials are at fault.
        case noAnswer
        /// The task was cancelled.
        case cancelled
        /// The server answered with a status other than 200...299.
        case refused
        /// The body is not JSON.
        case notJSON
        /// The body is JSON, but not of the kind that was asked for.
        case unexpected
    }

    /// The most characters of a body that are shown.
    public static let shownCharacters = 200

    /// The kind of failure.
    public let code: Code
    /// The HTTP status, or nil where there was no answer.
    public let status: Int?
    /// What went wrong: the action where it is known, the server's own words where it has some, the status, the body.
    public let message: String

    init(code: Code, detail: String, status: Int, body: [UInt8]?) {
        self.code = code
        self.status = status
        let beginning = body.map { Self.shown(String(decoding: $0, as: UTF8.self)) } ?? ""
        message = "\(detail) (HTTP \(status))\(beginning.isEmpty ? "" : ": \(beginning)")"
    }

    init(code: Code, message: String, status: Int? = nil) {
        self.code = code
        self.status = status
        self.message = message
    }

    /// Returns the message for people, which names the action first.
    ///
    /// - Parameter action: What was tried, as it follows "Could not": `add stream`.
    /// - Returns: For example `Could not add stream: url must be http(s) (HTTP 400)`.
    public func message(for action: String) -> String { "Could not \(action): \(message)" }

    /// Returns the same error with the action named in its message.
    func during(_ action: String) -> MediaAPIError {
        MediaAPIError(code: code, message: message(for: action), status: status)
    }

    /// Returns the beginning of a foreign text, without characters that a terminal would act on.
    static func shown(_ text: String) -> String {
        // By scalars, since one character can carry any number of combining marks.
        let scalars = text.unicodeScalars.prefix(shownCharacters).map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: scalars)
        return String(shown)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MediaAPIError: CustomStringConvertible {
    public var description: String { message }
}
