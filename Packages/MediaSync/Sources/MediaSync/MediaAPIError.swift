/// An answer of the media server that cannot be used.
public struct MediaAPIError: Error, Hashable, Sendable {
    /// The kind of failure, by which a program decides.
    public enum Code: Hashable, Sendable {
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
    /// The HTTP status.
    public let status: Int
    /// What went wrong: the server's own words where it has some, then the status, then the body's beginning.
    public let message: String

    init(code: Code, detail: String, status: Int, body: [UInt8]?) {
        self.code = code
        self.status = status
        let beginning = body.map { Self.shown(String(decoding: $0, as: UTF8.self)) } ?? ""
        message = "\(detail) (HTTP \(status))\(beginning.isEmpty ? "" : ": \(beginning)")"
    }

    /// Returns the message for people, which names the action first.
    ///
    /// - Parameter action: What was tried, as it follows "Could not": `add stream`.
    /// - Returns: For example `Could not add stream: url must be http(s) (HTTP 400)`.
    public func message(for action: String) -> String { "Could not \(action): \(message)" }

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
