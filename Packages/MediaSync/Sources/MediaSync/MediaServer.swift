public import Foundation

/// Reads the answers of one media server.
public struct MediaServer: Hashable, Sendable {
    /// The server's base, ending in a slash, against which relative addresses are resolved.
    public let base: URL

    /// Makes the reader for a server.
    ///
    /// - Parameter base: The server's base; a path without a final slash is taken as a folder.
    public init(base: URL) {
        self.base = base.hasDirectoryPath ? base : base.appending(path: "", directoryHint: .isDirectory)
    }

    /// Reads the answer to a request for the state, to play and to control.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - body: The answer's body.
    /// - Returns: The state, its addresses absolute.
    /// - Throws: `MediaAPIError` when the server refused, or the body is not JSON or no state.
    public func state(status: Int, body: [UInt8]) throws(MediaAPIError) -> MediaState {
        try read(MediaState.self, status: status, body: body)
    }

    /// Reads the answer to adding a stream.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - body: The answer's body.
    /// - Returns: The new track, its addresses absolute.
    /// - Throws: `MediaAPIError` when the server refused, or the body is not JSON or no track.
    public func track(status: Int, body: [UInt8]) throws(MediaAPIError) -> MediaTrack {
        try read(MediaTrack.self, status: status, body: body)
    }

    /// Reads the answer to a request for the library.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - body: The answer's body.
    /// - Returns: The tracks in the server's order.
    /// - Throws: `MediaAPIError` when the server refused, or the body is not JSON or no library.
    public func library(status: Int, body: [UInt8]) throws(MediaAPIError) -> [MediaTrack] {
        try read(Library.self, status: status, body: body).tracks
    }

    /// Reads the answer to a search.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - body: The answer's body.
    /// - Returns: What was found, in the server's order.
    /// - Throws: `MediaAPIError` when the server refused, or the body is not JSON or no results.
    public func results(status: Int, body: [UInt8]) throws(MediaAPIError) -> [MediaChoice] {
        try read(Results.self, status: status, body: body).results
    }

    /// Checks an answer of which only the status matters: to a report, or to removing a track.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - body: The answer's body, read for the server's words when it refused.
    /// - Throws: `MediaAPIError` when the status is not 200...299.
    public func check(status: Int, body: [UInt8]) throws(MediaAPIError) {
        guard !(200...299).contains(status) else { return }
        if let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(body)), !refusal.error.isEmpty {
            throw MediaAPIError(code: .refused, detail: MediaAPIError.shown(refusal.error), status: status, body: nil)
        }
        throw MediaAPIError(code: .refused, detail: "the server refused", status: status, body: body)
    }

    private struct Library: Decodable { var tracks: [MediaTrack] }
    private struct Results: Decodable { var results: [MediaChoice] }
    private struct Refusal: Decodable { var error: String }

    private func read<Value: Decodable>(
        _ type: Value.Type,
        status: Int,
        body: [UInt8]
    ) throws(MediaAPIError) -> Value {
        try check(status: status, body: body)
        let decoder = JSONDecoder()
        if let key = CodingUserInfoKey.mediaServerBase { decoder.userInfo[key] = base }
        do {
            return try decoder.decode(Value.self, from: Data(body))
        } catch {
            let (code, detail) = Self.reason(error)
            throw MediaAPIError(code: code, detail: detail, status: status, body: body)
        }
    }

    private static func reason(_ error: any Error) -> (MediaAPIError.Code, String) {
        func place(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context):
            return (.unexpected, "the answer lacks “\(place(context.codingPath + [key]))”")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let place = place(context.codingPath)
            return (.unexpected, place.isEmpty ? "the answer is no object" : "the answer has no usable “\(place)”")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return (.unexpected, "the answer \(MediaAPIError.shown(context.debugDescription))")
        default:
            return (.notJSON, "the answer is not JSON")
        }
    }
}
