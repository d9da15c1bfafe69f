public import TransportCore

/// A SHA-256 over everything a map package publishes; packages with the same fingerprint have the same content.
///
/// The text that is digested has one line for each published file in byte order of the paths,
/// `path NUL size NUL sha256-hex LF`, with `project.json` in canonical form without `revision`.
public struct DocumentFingerprint: Hashable, Sendable {
    /// The digest as 64 lower-case hexadecimal digits.
    public let sha256: String

    /// Makes a fingerprint from its digits, or nil when they are not 64 hexadecimal digits.
    ///
    /// - Parameter sha256: The digest; upper-case digits are accepted.
    public init?(sha256: String) {
        guard let digits = Self.normalized(sha256) else { return nil }
        self.sha256 = digits
    }

    /// Computes the fingerprint of a package.
    ///
    /// - Parameters:
    ///   - files: Every published file, in any order.
    ///   - digest: What computes SHA-256.
    /// - Throws: `DocumentStoreError` with the code `invalidPath` when a path occurs twice, byte for byte.
    public init(of files: [PublishedFile], digest: any ContentDigest) throws(DocumentStoreError) {
        // By bytes: Swift's < orders differently composed letters as the same.
        let sorted = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for (file, next) in zip(sorted, sorted.dropFirst()) where file.path.utf8.elementsEqual(next.path.utf8) {
            throw .invalidPath(file.path)
        }
        sha256 = digest.sha256Hex(sorted.flatMap(\.line))
    }

    static func normalized(_ text: String) -> String? {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            return nil
        }
        return text.lowercased()
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DocumentFingerprint: CustomStringConvertible {
    public var description: String { sha256 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DocumentFingerprint: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let fingerprint = DocumentFingerprint(sha256: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "A fingerprint has 64 hexadecimal digits."
            )
        }
        self = fingerprint
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(sha256)
    }
}
