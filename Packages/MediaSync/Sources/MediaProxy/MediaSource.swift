public import Foundation
public import MediaSync
public import TransportCore

/// Something on a server that a local player is to play.
///
/// Printing it shows its name alone, since addresses and header fields can hold credentials.
public struct MediaSource: Sendable {
    /// The name that the local address ends in; anything but letters, digits, `-` and `_` becomes `-` there.
    public var id: String
    /// The address of the bytes, `http` or `https`.
    public var url: URL
    /// What the bytes are wrapped in; `nil` has it found out from the address, else from the server.
    public var container: MediaContainer?
    /// Whether it has no end, so that nothing can be sought in it.
    public var isLive: Bool
    /// Fields for every request to the origin of ``url``, such as Authorization; another origin never gets them.
    public var headers: HTTPHeaders

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - id: The name that the local address ends in.
    ///   - url: The address of the bytes, `http` or `https`.
    ///   - container: What the bytes are wrapped in.
    ///   - isLive: Whether it has no end.
    ///   - headers: Fields for every request to the origin of `url`.
    public init(
        id: String,
        url: URL,
        container: MediaContainer? = nil,
        isLive: Bool = false,
        headers: HTTPHeaders = [:]
    ) {
        self.id = id
        self.url = url
        self.container = container ?? MediaContainer(of: MediaTrack(id: id, title: "", audioURL: url))
        self.isLive = isLive
        self.headers = headers
    }

    /// Makes the source of a track; `nil` while the server is still preparing its bytes.
    ///
    /// A user name and password in the address, which radio stations are often given with, become a field `Authorization`
    /// (RFC 7617), unless there is one.
    ///
    /// - Parameters:
    ///   - track: The track, its address absolute.
    ///   - headers: Fields for every request to the origin of its address.
    public init?(_ track: MediaTrack, headers: HTTPHeaders = [:]) {
        guard let address = track.audioURL else { return nil }
        let (url, credentials) = Self.separated(address)
        var headers = headers
        if let credentials, headers["Authorization"] == nil {
            headers["Authorization"] = "Basic \(Data(credentials.utf8).base64EncodedString())"
        }
        self.init(
            id: track.id,
            url: url,
            container: MediaContainer(of: track),
            isLive: track.kind == .stream,
            headers: headers
        )
    }

    /// An address without the user name and password in it, and these as `name:password`.
    private static func separated(_ address: URL) -> (url: URL, credentials: String?) {
        guard address.user() != nil || address.password() != nil,
            var parts = URLComponents(url: address, resolvingAgainstBaseURL: true)
        else { return (address, nil) }
        let name = address.user(percentEncoded: false) ?? ""
        let credentials = "\(name):\(address.password(percentEncoded: false) ?? "")"
        parts.percentEncodedUser = nil
        parts.percentEncodedPassword = nil
        guard let url = parts.url else { return (address, nil) }
        return (url, credentials)
    }

    /// The name as it stands in paths and events.
    var name: String {
        let plain = id.utf8.prefix(64).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                byte
            default: UInt8(ascii: "-")
            }
        }
        return plain.isEmpty ? "media" : String(decoding: plain, as: UTF8.self)
    }
}

extension MediaSource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name alone.
    public var description: String { "MediaSource(\(name))" }

    /// The name alone.
    public var debugDescription: String { description }

    /// The name alone.
    public var customMirror: Mirror { Mirror(self, children: ["id": name]) }
}
