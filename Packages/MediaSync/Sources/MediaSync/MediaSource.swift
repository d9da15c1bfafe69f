public import Foundation

/// The bytes of a track as the server names them, to be turned into an address that the player can open.
public struct MediaSource: Hashable, Sendable {
    /// The track.
    public let trackID: String
    /// Where the bytes are.
    public let url: URL
    /// Their media type, if known.
    public let mimeType: String?

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - trackID: The track.
    ///   - url: Where the bytes are.
    ///   - mimeType: Their media type.
    public init(trackID: String, url: URL, mimeType: String?) {
        self.trackID = trackID
        self.url = url
        self.mimeType = mimeType
    }
}
