public import Foundation

/// The address of a stream as it is sent to the server: http or https, and nothing around it.
public struct StreamURL: Hashable, Sendable {
    /// The address with its scheme in lower case.
    public let url: URL

    /// The address as text.
    public var text: String { url.absoluteString }

    /// Checks what somebody typed.
    ///
    /// - Parameter input: The address; white space around it is cut off, the scheme may be in any case.
    /// - Throws: `StreamURLError` when the scheme is not http or https, or no host follows it.
    public init(_ input: String) throws(StreamURLError) {
        let trimmed = input.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let colon = trimmed.firstIndex(of: ":") else { throw .notHTTP }
        let scheme = trimmed[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { throw .notHTTP }
        let text = scheme + trimmed[colon...]
        guard !text.contains(where: \.isWhitespace), let url = URL(string: text), url.host()?.isEmpty == false else {
            throw .noHost
        }
        self.url = url
    }
}

/// Why an address cannot be a stream's.
public enum StreamURLError: Error, Hashable, Sendable {
    /// It does not begin with `http://` or `https://`.
    case notHTTP
    /// No host follows the scheme, or there is white space in it.
    case noHost

    /// The reason in the words of the server.
    public var message: String {
        switch self {
        case .notHTTP: "url must be http(s)"
        case .noHost: "url must name a host and have no spaces"
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension StreamURLError: CustomStringConvertible {
    public var description: String { message }
}
