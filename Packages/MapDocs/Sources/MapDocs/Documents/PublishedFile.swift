public import TransportCore

/// One file of a map package as it enters the package's fingerprint.
public struct PublishedFile: Hashable, Sendable {
    /// The name of the file that describes the project.
    public static let projectPath = "project.json"

    /// The path inside the package, with `/` between its parts.
    public let path: String
    /// The number of bytes; for `project.json` those of its canonical form without `revision`.
    public let size: Int
    /// The SHA-256 of those bytes, as 64 lower-case hexadecimal digits.
    public let sha256: String

    /// Makes an entry whose size and digest are known.
    ///
    /// - Parameters:
    ///   - path: The path inside the package.
    ///   - size: The number of bytes, not negative.
    ///   - sha256: 64 hexadecimal digits.
    /// - Throws: `DocumentStoreError` with the code `invalidPath` when the path is empty, absolute, has an empty part,
    ///   `.` or `..`, or a NUL; with `damaged` when size or digest cannot be.
    public init(path: String, size: Int, sha256: String) throws(DocumentStoreError) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !path.utf8.contains(0) else {
            throw .invalidPath(path)
        }
        guard size >= 0 else { throw .damaged(path, reason: "its size is given as \(size)") }
        guard let digest = DocumentFingerprint.normalized(sha256) else {
            throw .damaged(path, reason: "its SHA-256 is not 64 hexadecimal digits")
        }
        self.path = path
        self.size = size
        self.sha256 = digest
    }

    /// Makes the entry of a file that is at hand.
    ///
    /// `project.json` is taken in canonical form (RFC 8785) without `revision`, so that a fingerprint can stand in the
    /// file it describes and a change of white space is no change.
    ///
    /// - Parameters:
    ///   - path: The path inside the package.
    ///   - contents: All bytes of the file.
    ///   - digest: What computes SHA-256.
    /// - Throws: `DocumentStoreError` with the code `invalidPath`, or `damaged` when `project.json` is not JSON.
    public init(path: String, contents: [UInt8], digest: any ContentDigest) throws(DocumentStoreError) {
        var bytes = contents
        if path == Self.projectPath {
            do {
                bytes = try CanonicalJSON.canonicalize(contents, omitting: ["revision"])
            } catch {
                throw .damaged(path, reason: error.message)
            }
        }
        try self.init(path: path, size: bytes.count, sha256: digest.sha256Hex(bytes))
    }

    /// The line of the file in the text whose SHA-256 is the fingerprint: `path NUL size NUL sha256-hex LF`.
    var line: [UInt8] {
        Array(path.utf8) + [0] + Array("\(size)".utf8) + [0] + Array(sha256.utf8) + [0x0A]
    }
}
