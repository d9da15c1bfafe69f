import MapDocs
import TransportCore

/// A package as it lies in a store's folder.
struct PackageFolder {
    /// A state of a package that was read in one piece.
    struct Reading {
        let revision: DocumentRevision
        let scan: PackageFolderScan
    }

    /// How often a package that changes under one's hands is read again before giving up.
    static let mostAttempts = 16

    let path: String
    let name: DocumentName
    let fileSystem: any FileSystem
    let digest: any ContentDigest

    /// Reads every byte and says which revision it is.
    func read() throws(DocumentStoreError) -> Reading {
        for _ in 0..<Self.mostAttempts {
            do throws(DocumentStoreError) {
                let scan = try PackageFolderScan(path, in: fileSystem)
                let project = try FolderDocumentContents.project(of: path, in: fileSystem)
                let contents = try FolderDocumentContents(path, scan: scan, in: fileSystem, digest: digest)
                let fingerprint = try DocumentFingerprint(of: contents.files, digest: digest)
                if try PackageFolderScan(path, in: fileSystem) == scan {
                    return Reading(revision: try revision(project, fingerprint: fingerprint), scan: scan)
                }
            } catch {
                switch error.code {
                case .cancelled: throw .cancelled(name)
                case .damaged: throw unknown(error.message)
                // Gone while it was read: somebody replaced it.
                case .storage where hasChanged: continue
                default: throw error
                }
            }
        }
        throw unknown("Another program keeps changing it.")
    }

    /// Says which revision a package claims to be, without its files.
    func claimedNumber() throws(DocumentStoreError) -> Int? {
        guard let project = try FolderDocumentContents.project(of: path, in: fileSystem) else { return nil }
        return try? Self.claim(in: project)?.number
    }

    func revision(
        _ project: [UInt8]?,
        fingerprint: DocumentFingerprint
    ) throws(DocumentStoreError) -> DocumentRevision {
        guard let project else { throw unknown("It has no \(PublishedFile.projectPath).") }
        guard let claim = try Self.claim(in: project) else {
            throw unknown("Its \(PublishedFile.projectPath) has a revision without a number.")
        }
        return DocumentRevision(
            number: claim.number,
            fingerprint: fingerprint,
            publishedAt: claim.publishedAt,
            publishedBy: claim.publishedBy
        )
    }

    func unknown(_ reason: String) -> DocumentStoreError {
        DocumentStoreError(
            code: .revisionUnknown,
            subject: name.fileName,
            message: "The store cannot tell which revision of “\(name.title)” it has: \(reason) Nothing was written; "
                + "try again later."
        )
    }

    /// Whether the folder has just been replaced, so that what could not be found in it may be there now.
    private var hasChanged: Bool {
        (try? fileSystem.entry(at: path))??.kind == .directory
    }

    // MARK: The revision in project.json

    private struct Claim {
        var number = 0
        var publishedAt: Double?
        var publishedBy: String?
    }

    /// Returns what `project.json` says about its revision: number 0 when it says nothing, nil when it makes no sense.
    private static func claim(in project: [UInt8]) throws(DocumentStoreError) -> Claim? {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: project)
        } catch {
            throw .damaged(PublishedFile.projectPath, reason: error.message)
        }
        guard value.members != nil else { return nil }
        guard let revision = value["revision"], revision != .null else { return Claim() }
        guard let number = revision["number"]?.intValue, number >= 0 else { return nil }
        return Claim(
            number: number,
            publishedAt: revision["published_at"]?.doubleValue,
            publishedBy: revision["published_by"]?.stringValue
        )
    }

    /// Returns `project.json` with a revision in it: the same bytes when it is there already.
    static func project(_ bytes: [UInt8], stating revision: DocumentRevision) throws(DocumentStoreError) -> [UInt8] {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw .damaged(PublishedFile.projectPath, reason: error.message)
        }
        guard let members = value.members else {
            throw .damaged(PublishedFile.projectPath, reason: "it is not a JSON object")
        }
        let stated = with(
            with(
                with(
                    with(value["revision"]?.members ?? [], "number", .integer(revision.number)),
                    "fingerprint",
                    .string(revision.fingerprint.sha256)
                ),
                "published_at",
                revision.publishedAt.flatMap { JSONNumber($0) }.map { JSONValue.number($0) }
            ),
            "published_by",
            revision.publishedBy.map { JSONValue.string($0) }
        )
        if value["revision"]?.members == stated { return bytes }
        return Array((JSONValue.object(with(members, "revision", .object(stated))).indentedText + "\n").utf8)
    }

    private static func with(
        _ members: [JSONValue.Member],
        _ name: String,
        _ value: JSONValue?
    ) -> [JSONValue.Member] {
        var members = members
        let index = members.firstIndex { $0.name == name }
        guard let value else {
            if let index { members.remove(at: index) }
            return members
        }
        if let index { members[index].value = value } else { members.append(.init(name: name, value: value)) }
        return members
    }
}
