public import TransportCore

/// Asks a server's token endpoint for tokens, in Hope's format or LiveKit's.
public struct HTTPTokenProvider: TokenProvider {
    private let client: any HTTPClient
    private let url: String
    private let format: TokenEndpointFormat
    private let headers: HTTPHeaders
    private let timeout: Duration

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - client: What asks, with the pins of the server.
    ///   - url: The endpoint, as ``ServerConfig/tokenURL`` names it.
    ///   - format: The format to ask in; an answer may be in either.
    ///   - headers: Fields to add, such as credentials.
    ///   - timeout: How long the server may be silent.
    public init(
        client: any HTTPClient,
        url: String,
        format: TokenEndpointFormat = .hope,
        headers: HTTPHeaders = [:],
        timeout: Duration = .seconds(15)
    ) {
        self.client = client
        self.url = url
        self.format = format
        self.headers = headers
        self.timeout = timeout
    }

    /// Asks for a token.
    ///
    /// - Throws: `unauthorized` for 401 and 403, `refused` for any other status that is no success, `protocolViolation` for an
    ///   answer that cannot be read, and what the client throws.
    public func token(for request: TokenRequest) async throws(TransportError) -> RoomToken {
        var headers = headers
        headers["Content-Type"] = "application/json"
        headers["Accept"] = "application/json"
        let body = TokenEndpointRequest(request, format: format).body
        let answer = try await client.send(
            HTTPRequest("POST", url, headers: headers, body: .bytes(body), timeout: timeout),
            maximumBytes: TokenEndpointAnswer.maximumBytes
        )
        switch answer.status {
        case 200..<300: return try TokenEndpointAnswer.token(from: answer.body)
        case 401, 403:
            let reason = Self.reason(in: answer.body) ?? "check who you are signed in as."
            throw TransportError(.unauthorized, "The server gives no token: \(reason)")
        case let status:
            let reason = Self.reason(in: answer.body) ?? "check its address."
            throw TransportError(
                .refused(status: status),
                "The token endpoint answered with status \(status): \(reason)"
            )
        }
    }

    /// What the server says about its refusal, where it says it as Hope's servers do; at most 300 characters.
    private static func reason(in body: [UInt8]) -> String? {
        let message = (try? JSONValue(parsing: body))?["error"]?["message"]?.stringValue
        return message.flatMap { $0.isEmpty ? nil : String($0.prefix(300)) }
    }
}
