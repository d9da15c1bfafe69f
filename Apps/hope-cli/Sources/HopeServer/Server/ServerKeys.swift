public import TransportCore
public import TransportHTTP
public import TransportTLS

/// The keys of a server: taken from the environment, else made once and kept in a folder, in files of the owner's alone.
///
/// A server that is started again so knows the tokens it gave out, and keeps its certificate.
public struct ServerKeys: Sendable {
    /// The fewest bytes of a secret that other machines may rely on (RFC 7518, section 3.2).
    public static let minimumSecretBytes = 32

    private let folder: String
    private let environment: [String: String]

    /// Names the places where keys are.
    ///
    /// - Parameters:
    ///   - folder: Where keys are kept; made when something is.
    ///   - environment: The process's environment variables.
    public init(folder: String, environment: [String: String] = [:]) {
        self.folder = folder
        self.environment = environment
    }

    /// The file of the server's certificate and its key.
    public var certificateFile: TLSIdentityFile { TLSIdentityFile(path: folder + "/server.pem") }

    /// What callers prove themselves with who have no room token, from `HOPE_SERVER_KEY`.
    public var serverKey: String? { value("HOPE_SERVER_KEY") }

    /// Finds the key that signs room tokens, or makes it.
    ///
    /// `HOPE_TOKEN_KEY` is the secret itself; `LIVEKIT_API_KEY` and `LIVEKIT_API_SECRET` are understood as LiveKit does.
    ///
    /// - Parameters:
    ///   - isPublic: Whether other machines can reach the server, so that a short secret is refused.
    ///   - generator: What a new key is drawn from.
    /// - Returns: The same key for the same folder and environment.
    /// - Throws: `unavailable` when the file cannot be read or written or others can read it, or for a short secret.
    public func tokenKey(
        isPublic: Bool = false,
        using generator: inout some RandomNumberGenerator
    ) throws(TransportError) -> RoomTokenKey {
        if let secret = value("HOPE_TOKEN_KEY") {
            return try key("hope", secret, from: "HOPE_TOKEN_KEY", isPublic: isPublic)
        }
        if let id = value("LIVEKIT_API_KEY"), let secret = value("LIVEKIT_API_SECRET") {
            return try key(id, secret, from: "LIVEKIT_API_SECRET", isPublic: isPublic)
        }
        let file = OwnerOnlyFile(path: folder + "/token.key")
        if let kept = try file.read() { return try key("hope", Self.line(kept), from: file.path, isPublic: true) }
        var secret = ""
        for _ in 0..<4 {
            let digits = String(generator.next(), radix: 16)
            secret += String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        // Another server that was started at the same moment may have been first, and its key is the one that counts.
        if try file.create(Array("\(secret)\n".utf8)) { return RoomTokenKey(id: "hope", secret: Array(secret.utf8)) }
        let kept = try file.read() ?? []
        return try key("hope", Self.line(kept), from: file.path, isPublic: true)
    }

    /// Finds the key that signs room tokens, or draws one from the system's random numbers.
    ///
    /// - Parameter isPublic: Whether other machines can reach the server, so that a short secret is refused.
    /// - Returns: The same key for the same folder and environment.
    /// - Throws: As ``tokenKey(isPublic:using:)``.
    public func tokenKey(isPublic: Bool = false) throws(TransportError) -> RoomTokenKey {
        var generator = SystemRandomNumberGenerator()
        return try tokenKey(isPublic: isPublic, using: &generator)
    }

    private func value(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func line(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }

    private func key(
        _ id: String,
        _ secret: String,
        from place: String,
        isPublic: Bool
    ) throws(TransportError) -> RoomTokenKey {
        guard !secret.isEmpty, !isPublic || secret.utf8.count >= Self.minimumSecretBytes else {
            throw TransportError(
                .unavailable,
                "The token key from \(place) has fewer than \(Self.minimumSecretBytes) characters, which can be guessed; "
                    + "take one from openssl rand -hex 32."
            )
        }
        return RoomTokenKey(id: id, secret: Array(secret.utf8))
    }
}
