public import TransportCore

/// A fingerprint that a server's certificate has to have.
public struct CertificatePin: Hashable, Sendable {
    /// What the fingerprint is taken of.
    public enum Subject: String, Hashable, Sendable, CaseIterable {
        /// The certificate's DER: ends with its renewal.
        case leaf
        /// The DER of its public key: survives a renewal with the same key.
        case publicKey = "spki"
        /// Either of them, for a fingerprint that somebody wrote down without saying which.
        case either
    }

    /// What the fingerprint is taken of.
    public let subject: Subject
    /// SHA-256, as 64 lower-case hexadecimal digits.
    public let sha256: String

    /// Reads a pin as people and tools write it.
    ///
    /// Understood are 64 hexadecimal digits in either case, with or without colons, spaces or dashes between the bytes
    /// (`openssl x509 -fingerprint`, browsers); the same behind `leaf:` or `spki:`; and `sha256/` or `sha256//` with
    /// Base64, which is a public key's (RFC 7469, curl).
    ///
    /// - Parameters:
    ///   - text: The pin.
    ///   - subject: What it is taken of, where the text does not say; `either` unless told.
    /// - Throws: `protocolViolation`, saying what is wrong.
    public init(_ text: String, of subject: Subject = .either) throws(TransportError) {
        var rest = Substring(text).trimmed
        var subject = subject
        let lowered = rest.lowercased()
        if lowered.hasPrefix("sha256/") {
            let encoded = rest.dropFirst(7)
            guard let bytes = Self.base64(encoded.hasPrefix("/") ? encoded.dropFirst() : encoded), bytes.count == 32
            else { throw Self.failure(text, "what follows “sha256/” is not the Base64 of 32 bytes.") }
            self.subject = .publicKey
            sha256 = bytes.lowerHex
            return
        }
        for named in [Subject.leaf, .publicKey] where lowered.hasPrefix(named.rawValue + ":") {
            subject = named
            rest = rest.dropFirst(named.rawValue.utf8.count + 1).trimmed
        }
        if let equals = rest.firstIndex(of: "="), rest[..<equals].lowercased().hasSuffix("fingerprint") {
            rest = rest[rest.index(after: equals)...].trimmed
        }
        let digits = rest.lowercased().filter { $0 != ":" && $0 != " " && $0 != "-" }
        guard digits.utf8.count == 64, digits.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else {
            throw Self.failure(
                text,
                digits.utf8.count == 40
                    ? "it looks like SHA-1; take the SHA-256 fingerprint." : "it has to be 64 hexadecimal digits."
            )
        }
        self.subject = subject
        sha256 = digits
    }

    /// Whether a certificate with these fingerprints satisfies this pin.
    public func matches(_ fingerprints: CertificateFingerprints) -> Bool {
        switch subject {
        case .leaf: sha256 == fingerprints.leaf
        case .publicKey: sha256 == fingerprints.publicKey
        case .either: sha256 == fingerprints.leaf || sha256 == fingerprints.publicKey
        }
    }

    private static func failure(_ text: String, _ reason: String) -> TransportError {
        let shown = text.count > 80 ? text.prefix(79) + "…" : Substring(text)
        return TransportError(.protocolViolation, "“\(shown)” is not a pin: \(reason)")
    }

    private static func base64(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text.utf8 {
            let value: UInt8
            switch byte {
            case 65...90: value = byte - 65
            case 97...122: value = byte - 71
            case 48...57: value = byte + 4
            case 43, 45: value = 62
            case 47, 95: value = 63
            case 61:
                padding += 1
                continue
            default: return nil
            }
            guard padding == 0 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(shift))) }
                bits = 0
            }
        }
        switch count % 4 {
        case 0: break
        case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return padding <= 2 ? bytes : nil
    }
}

extension CertificatePin: CustomStringConvertible {
    /// The pin in a form that ``init(_:of:)`` reads.
    public var description: String {
        subject == .either ? sha256 : "\(subject.rawValue):\(sha256)"
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
