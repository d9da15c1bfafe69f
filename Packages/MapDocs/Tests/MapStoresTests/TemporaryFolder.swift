import Foundation
import MapDocs
import TransportTLS

/// Gives a body a folder of its own on the real file system, and removes it afterwards.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mapstores-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}

/// Packages of which tests can tell whether they are whole.
struct TestPackage {
    static let digest = OpenSSLContentDigest()

    let data: String
    var extra: [String: [UInt8]] = [:]

    var files: [String: [UInt8]] {
        let files: [String: [UInt8]] = [
            "data.gpkg": Array(String(repeating: data, count: 200).utf8),
            "project.json": Array(#"{"format":"gispad","version":1}"#.utf8),
            "tiles/1/a.pbf": Array(data.utf8),
        ]
        return files.merging(extra) { $1 }
    }

    func staged(_ number: Int) throws -> StagedDocument {
        let contents = try InMemoryDocumentContents(files, digest: Self.digest)
        let fingerprint = try DocumentFingerprint(of: contents.files, digest: Self.digest)
        return StagedDocument(
            revision: DocumentRevision(number: number, fingerprint: fingerprint),
            contents: contents
        )
    }
}

extension FileSystem {
    /// Writes a file as another program does, making its folder.
    func put(_ bytes: [UInt8], at path: String) throws {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        if !folder.isEmpty { try createDirectories(String(folder)) }
        try remove(path)
        let file = try create(path, isPrivate: false)
        try file.write(bytes)
        try file.close()
    }

    func bytes(of path: String) throws -> [UInt8] {
        let file = try openForReading(path)
        defer { file.close() }
        return try file.read(from: 0, count: 1 << 24)
    }
}
