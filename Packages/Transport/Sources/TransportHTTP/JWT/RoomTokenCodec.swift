import TransportCore

/// Computes HMAC-SHA-256 (RFC 2104): the key, then the message, give 32 bytes.
public typealias HMACSHA256 = @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]

/// Makes and checks room tokens: JSON Web Tokens signed with HS256 (RFC 7519, RFC 7515).
///
/// Nothing but HS256 is accepted whatever the token asks for, claims are looked at only once the signature is right, and
/// what could be read in two ways is refused: a key twice in an object, padding, loose bits at the end of a part.
public struct RoomTokenCodec: Sendable {
    /// The longest token that is accepted, in bytes.
    public static let maximumBytes = 16 * 1024

    /// How many seconds the clocks of the two sides may differ.
    public static let leeway = 60.0

    private static let header: JSONValue = ["alg": "HS256", "typ": "JWT"]

    private let hmac: HMACSHA256

    /// Creates a codec.
    public init(hmac: @escaping HMACSHA256) {
        self.hmac = hmac
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - claims: What it says; its issuer is replaced by the key's name.
    ///   - key: The key that signs it.
    /// - Returns: The token; the same claims and key give the same one.
    /// - Throws: `invalidClaim` for a time that is no number or an empty secret, `tooLarge`.
    public func token(for claims: RoomTokenClaims, key: RoomTokenKey) throws(RoomTokenError) -> String {
        guard claims.expires.isFinite, claims.notBefore?.isFinite ?? true else {
            throw RoomTokenError(.invalidClaim, "A token's times have to be numbers.")
        }
        guard !key.secret.isEmpty else {
            throw RoomTokenError(.invalidClaim, "The key “\(key.id)” has an empty secret; give it 32 random bytes.")
        }
        var claims = claims
        claims.issuer = key.id
        let signed = Base64.encode(Self.header.bytes, .urlSafe) + "." + Base64.encode(claims.payload, .urlSafe)
        let token = signed + "." + Base64.encode(hmac(key.secret, Array(signed.utf8)), .urlSafe)
        guard token.utf8.count <= Self.maximumBytes else {
            throw RoomTokenError(.tooLarge, "The token would be larger than \(Self.maximumBytes) bytes.")
        }
        return token
    }

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - keys: The keys that may have signed it; the token's issuer has to be the name of the one that did.
    ///   - now: The time in seconds since 1970.
    /// - Returns: What the token says.
    /// - Throws: Why it is refused.
    public func verify(
        _ token: String,
        keys: [RoomTokenKey],
        now: Double
    ) throws(RoomTokenError) -> RoomTokenClaims {
        let parts = try Self.parts(of: token)
        guard let signature = Base64.decode(parts.signature, .urlSafe) else { throw Self.malformed }
        let signed = Array(parts.signed)
        // All keys are tried, so that the time taken does not tell which one it was.
        var signer: RoomTokenKey?
        for key in keys where !key.secret.isEmpty {
            let isRight = Self.isEqual(hmac(key.secret, signed), signature)
            if isRight, signer == nil { signer = key }
        }
        guard let signer else {
            throw RoomTokenError(.badSignature, "The token is not signed with a key of this server; ask for a new one.")
        }
        let claims = try RoomTokenClaims(payload: parts.payload)
        guard claims.issuer == signer.id else {
            throw RoomTokenError(.invalidClaim, "The token names another key than the one it is signed with.")
        }
        // RFC 7519, section 4.1.4: valid before the time, not at it.
        guard now < claims.expires + Self.leeway else {
            throw RoomTokenError(.expired, "The token has expired; ask for a new one.")
        }
        if let notBefore = claims.notBefore, now < notBefore - Self.leeway {
            throw RoomTokenError(.notYetValid, "The token is not valid yet; check the clocks of both sides.")
        }
        return claims
    }

    /// Reads a token without checking its signature or its times, which a client needs to know when to renew its own.
    ///
    /// - Parameter token: A token from a source that is trusted.
    /// - Returns: What the token says.
    /// - Throws: `tooLarge`, `malformed`, `unsupportedAlgorithm` or `invalidClaim`.
    public static func claims(unverified token: String) throws(RoomTokenError) -> RoomTokenClaims {
        try RoomTokenClaims(payload: parts(of: token).payload)
    }

    private static var malformed: RoomTokenError {
        RoomTokenError(.malformed, "The token is not three parts in base64url.")
    }

    private static func parts(
        of token: String
    ) throws(RoomTokenError) -> (signed: Substring.UTF8View, payload: [UInt8], signature: Substring.UTF8View) {
        guard token.utf8.count <= maximumBytes else {
            throw RoomTokenError(.tooLarge, "The token is larger than \(maximumBytes) bytes.")
        }
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let headerBytes = Base64.decode(parts[0], .urlSafe),
            let payload = Base64.decode(parts[1], .urlSafe)
        else { throw malformed }
        try checkHeader(headerBytes)
        return (token.utf8[..<parts[1].endIndex], payload, parts[2])
    }

    private static func checkHeader(_ bytes: [UInt8]) throws(RoomTokenError) {
        let algorithm: String?
        let type: String?
        let demands: [JSONValue]?
        do throws(JSONFields.Mismatch) {
            let header = try JSONFields(parsing: bytes)
            algorithm = try header.string("alg")
            type = try header.string("typ")
            demands = try header.list("crit")
        } catch {
            throw RoomTokenError(.malformed, "The token's header cannot be read.")
        }
        guard algorithm == "HS256" else {
            throw RoomTokenError(.unsupportedAlgorithm, "The token is not signed with HS256.")
        }
        guard type.map({ $0.uppercased() == "JWT" }) ?? true, demands == nil else {
            throw RoomTokenError(.unsupportedAlgorithm, "The token is of another type, or demands an extension.")
        }
    }

    /// Compares in a time that depends on the lengths only.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == 32, right.count == left.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
