public import Foundation
public import TransportCore

/// What is to be played, by whichever name is known.
public enum MediaWish: Hashable, Sendable {
    /// A track of the library.
    case track(id: String)
    /// A search result that may not be in the library yet.
    case video(id: String)
    /// Whatever the server finds for these words.
    case query(String)
}

/// What a room's player is told through the server.
public enum MediaControl: Hashable, Sendable {
    /// Play on.
    case play
    /// Stay where it is.
    case pause
    /// Stop and let go of the track.
    case stop
    /// Go to a position in seconds.
    case seek(to: Double)
    /// Set the loudness, 0...1.
    case volume(Double)
}

/// The media server's API: each call sends one request and reads its answer.
///
/// Calls may overlap. Every error names first what was tried: `Could not add stream: url must be http(s) (HTTP 400)`.
public struct MediaAPI: Sendable {
    /// Makes the header fields that prove who asks, for a room or, with nil, for none.
    public typealias Headers = @Sendable (_ room: String?) async throws -> HTTPHeaders

    /// The room of whoever is in no conversation.
    public static let defaultRoom = "default"
    private static let maximumBytes = 4 * 1024 * 1024

    /// The server, which reads the answers.
    public let server: MediaServer
    private let client: any HTTPClient
    private let timeout: Duration
    private let headers: Headers

    /// Makes the API of a server.
    ///
    /// - Parameters:
    ///   - base: The server's base address.
    ///   - client: What sends the requests.
    ///   - timeout: How long the server may be silent.
    ///   - headers: The header fields that prove who asks; what it throws is told as the reason.
    public init(
        base: URL,
        client: any HTTPClient,
        timeout: Duration = .seconds(15),
        headers: @escaping Headers = { _ in [:] }
    ) {
        server = MediaServer(base: base)
        self.client = client
        self.timeout = timeout
        self.headers = headers
    }

    /// Reads what a room's player is to do.
    ///
    /// - Throws: `MediaAPIError`.
    public func state(room: String) async throws(MediaAPIError) -> MediaState {
        try await Self.trying("read the media state") { () async throws(MediaAPIError) in
            let answer = try await send("GET", "state?room=\(Self.encoded(room))", room: room)
            return try server.state(status: answer.status, body: answer.body)
        }
    }

    /// Tells the server what a player does.
    ///
    /// - Throws: `MediaAPIError`.
    public func report(_ report: PlaybackReport) async throws(MediaAPIError) {
        try await self.report(report, unless: { false })
    }

    /// Tells the server what a player does, unless it turns out right before sending that it is out of date.
    func report(_ report: PlaybackReport, unless isOutOfDate: () async -> Bool) async throws(MediaAPIError) {
        try await Self.trying("report the playback") { () async throws(MediaAPIError) in
            let answer = try await send("POST", "report", room: report.room, body: report.json, unless: isOutOfDate)
            try server.check(status: answer.status, body: answer.body)
        }
    }

    /// Asks the server to let a room play something.
    ///
    /// - Parameters:
    ///   - wish: What to play.
    ///   - room: Where.
    ///   - position: Where to begin, in seconds; nil leaves it to the server.
    ///   - startsPaused: Whether it waits for someone to start it.
    /// - Returns: The room's new state.
    /// - Throws: `MediaAPIError`.
    public func play(
        _ wish: MediaWish,
        room: String,
        at position: Double? = nil,
        startsPaused: Bool = false
    ) async throws(MediaAPIError) -> MediaState {
        try await Self.trying("play") { () async throws(MediaAPIError) in
            var members = [JSONValue.Member(name: "room", value: .string(room)), wish.member]
            if let position { members.append(JSONValue.Member(name: "position", value: .number(position))) }
            if startsPaused { members.append(JSONValue.Member(name: "start_paused", value: true)) }
            let answer = try await send("POST", "play", room: room, body: .object(members))
            return try server.state(status: answer.status, body: answer.body)
        }
    }

    /// Tells a room's player something through the server.
    ///
    /// - Returns: The room's new state.
    /// - Throws: `MediaAPIError`.
    public func control(_ control: MediaControl, room: String) async throws(MediaAPIError) -> MediaState {
        try await Self.trying(control.words) { () async throws(MediaAPIError) in
            let members = [JSONValue.Member(name: "room", value: .string(room))] + control.members
            let answer = try await send("POST", "control", room: room, body: .object(members))
            return try server.state(status: answer.status, body: answer.body)
        }
    }

    /// Searches for something to play.
    ///
    /// - Returns: What was found, in the server's order.
    /// - Throws: `MediaAPIError`.
    public func search(_ query: String) async throws(MediaAPIError) -> [MediaChoice] {
        try await Self.trying("search") { () async throws(MediaAPIError) in
            let answer = try await send("POST", "search", body: ["query": .string(query)])
            return try server.results(status: answer.status, body: answer.body)
        }
    }

    /// Reads the library.
    ///
    /// - Returns: The tracks in the server's order.
    /// - Throws: `MediaAPIError`.
    public func library() async throws(MediaAPIError) -> [MediaTrack] {
        try await Self.trying("read the library") { () async throws(MediaAPIError) in
            let answer = try await send("GET", "library")
            return try server.library(status: answer.status, body: answer.body)
        }
    }

    /// Removes a track from the library.
    ///
    /// - Throws: `MediaAPIError`; `refused` with status 404 when it is not there.
    public func remove(trackID: String) async throws(MediaAPIError) {
        try await Self.trying("remove the track") { () async throws(MediaAPIError) in
            guard !["", ".", ".."].contains(trackID) else {
                throw MediaAPIError(code: .invalid, message: "“\(trackID)” is not the id of a track")
            }
            let answer = try await send("DELETE", "tracks/\(Self.encoded(trackID))")
            try server.check(status: answer.status, body: answer.body)
        }
    }

    /// Adds a live stream to the library.
    ///
    /// - Parameters:
    ///   - name: The title; white space around it is cut off, and one that is blank becomes the address's host.
    ///   - url: The address as somebody typed it; checked to be http(s) before it is sent.
    /// - Returns: The new track.
    /// - Throws: `MediaAPIError`; `invalid` for an address that cannot be a stream's.
    public func addStream(name: String, url: String) async throws(MediaAPIError) -> MediaTrack {
        try await Self.trying("add stream") { () async throws(MediaAPIError) in
            let address: StreamURL
            do throws(StreamURLError) {
                address = try StreamURL(url)
            } catch {
                throw MediaAPIError(code: .invalid, message: error.message)
            }
            let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
            let title = trimmed.isEmpty ? address.url.host() ?? address.text : trimmed
            let body: JSONValue = ["name": .string(title), "url": .string(address.text)]
            let answer = try await send("POST", "streams", body: body)
            return try server.track(status: answer.status, body: answer.body)
        }
    }

    private static func trying<Value>(
        _ action: String,
        _ call: () async throws(MediaAPIError) -> Value
    ) async throws(MediaAPIError) -> Value {
        do throws(MediaAPIError) {
            return try await call()
        } catch {
            throw error.during(action)
        }
    }

    private static func encoded(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
        )
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private func send(
        _ method: String,
        _ path: String,
        room: String? = nil,
        body: JSONValue? = nil,
        unless isOutOfDate: () async -> Bool = { false }
    ) async throws(MediaAPIError) -> HTTPResponse {
        var fields: HTTPHeaders
        do {
            fields = try await headers(room)
        } catch {
            throw MediaAPIError(code: Task.isCancelled ? .cancelled : .noAnswer, message: "\(error)")
        }
        fields["Accept"] = "application/json"
        // Servers ask for it in everything that changes something, since a foreign page cannot send it.
        if method != "GET" { fields["Content-Type"] = "application/json" }
        let request = HTTPRequest(
            method,
            "\(server.base.absoluteString)media/api/\(path)",
            headers: fields,
            body: body.map { .bytes($0.bytes) } ?? .none,
            timeout: timeout
        )
        if await isOutOfDate() || Task.isCancelled {
            throw MediaAPIError(code: .cancelled, message: "it is out of date")
        }
        do throws(TransportError) {
            return try await client.send(request, maximumBytes: Self.maximumBytes)
        } catch {
            let code: MediaAPIError.Code = error.code == .cancelled ? .cancelled : .noAnswer
            throw MediaAPIError(code: code, message: Self.continued(error.message))
        }
    }

    /// Returns a sentence as it stands after a colon.
    private static func continued(_ sentence: String) -> String {
        sentence.hasPrefix("The ") ? "t" + sentence.dropFirst() : sentence
    }
}

extension MediaWish {
    fileprivate var member: JSONValue.Member {
        switch self {
        case .track(let id): JSONValue.Member(name: "track_id", value: .string(id))
        case .video(let id): JSONValue.Member(name: "video_id", value: .string(id))
        case .query(let query): JSONValue.Member(name: "query", value: .string(query))
        }
    }
}

extension MediaControl {
    /// The action as it follows "Could not".
    fileprivate var words: String {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .stop: "stop"
        case .seek: "seek"
        case .volume: "set the volume"
        }
    }

    fileprivate var members: [JSONValue.Member] {
        func action(_ name: String) -> JSONValue.Member { JSONValue.Member(name: "action", value: .string(name)) }
        return switch self {
        case .play: [action("play")]
        case .pause: [action("pause")]
        case .stop: [action("stop")]
        case .seek(let position): [action("seek"), JSONValue.Member(name: "position", value: .number(position))]
        case .volume(let volume): [action("volume"), JSONValue.Member(name: "volume", value: .number(volume))]
        }
    }
}
