import TransportCore

/// What is remembered about a working copy in a file beside it, outside the package: one JSON value a line.
///
/// The first line has the base. Each line behind it has what a feature was before it was first touched, and is safe on
/// the disk before the package is changed, so that after a stop at any moment the base can be told from the changes.
/// A line `staged` begins a second set of originals: what is changed while a publish runs is recorded against the state
/// that is being published. A line `publishing` says what the store has if the publish succeeds; `folded` puts both sets
/// together again after one that failed.
struct SessionRecord: Sendable {
    struct Base: Sendable {
        /// What identifies the session; never published.
        var id: String
        var source: DocumentSource
        var revision: DocumentRevision
        /// The folder of the package beside this file.
        var package: String
        var project: MapProject
        /// The published files as they were.
        var files: [PublishedFile]
        /// The digest of the database's content, or nil when it could not be computed.
        var contentDigest: String?
    }

    struct Stage: Sendable {
        var project: MapProject
        /// What is being published; nil until it is handed to the store.
        var publishing: Publishing?
        var originals = FeatureOriginals()
    }

    struct Publishing: Sendable {
        var revision: DocumentRevision
        var files: [PublishedFile]
    }

    var base: Base
    var originals = FeatureOriginals()
    var stage: Stage?

    /// The originals since the base, those since a stage included.
    var effectiveOriginals: FeatureOriginals {
        stage.map { originals.folding($0.originals) } ?? originals
    }

    /// The part of an original that has to be recorded before a feature is touched.
    func missing(of original: FeatureOriginal, for key: FeatureKey) -> FeatureOriginal? {
        (stage?.originals ?? originals).missing(of: original, for: key)
    }

    mutating func record(_ original: FeatureOriginal, of key: FeatureKey) {
        if stage != nil {
            stage?.originals.record(original, of: key)
        } else {
            originals.record(original, of: key)
        }
    }

    /// What the record is after a publish that failed.
    mutating func fold() {
        originals = effectiveOriginals
        stage = nil
    }

    /// Finds out how a publish ended that was stopped in its middle, by what the store has now; nil is nothing.
    mutating func settle(storeHas current: DocumentRevision?) {
        if let publishing = stage?.publishing, current?.isSameState(as: publishing.revision) == true {
            self = rebased(contentDigest: nil)
        } else {
            fold()
        }
    }

    /// Returns the record after the stage was published.
    func rebased(contentDigest: String?) -> SessionRecord {
        guard let stage, let publishing = stage.publishing else { return self }
        var base = base
        base.revision = publishing.revision
        base.project = stage.project
        base.files = publishing.files
        base.contentDigest = contentDigest
        return SessionRecord(base: base, originals: stage.originals)
    }
}

// MARK: Lines

extension SessionRecord {
    static let foldedLine: JSONValue = ["line": "folded"]

    static func stagedLine(_ project: MapProject) -> JSONValue {
        ["line": "staged", "project": project.json]
    }

    static func publishingLine(_ publishing: Publishing) -> JSONValue {
        ["line": "publishing", "revision": publishing.revision.json, "files": .array(publishing.files.map(\.json))]
    }

    /// The whole file.
    var bytes: [UInt8] {
        var lines = [base.json] + Self.lines(originals)
        if let stage {
            lines.append(Self.stagedLine(stage.project))
            if let publishing = stage.publishing { lines.append(Self.publishingLine(publishing)) }
            lines += Self.lines(stage.originals)
        }
        return lines.flatMap { $0.bytes + [0x0A] }
    }

    private static func lines(_ originals: FeatureOriginals) -> [JSONValue] {
        originals.keys.compactMap { key in originals[key]?.line(for: key) }
    }

    /// Reads a file.
    ///
    /// - Parameter bytes: The whole file; a last line that was cut off is passed over.
    /// - Returns: The record, and whether the file ends with a line that was cut off; nil when there is no base.
    /// - Throws: `MapSessionError` with the code `damaged` when a line in the middle cannot be read.
    static func read(_ bytes: [UInt8]) throws(MapSessionError) -> (record: SessionRecord, isCut: Bool)? {
        var record: SessionRecord?
        for line in JSONLines(bytes) {
            let isCut = line.range.upperBound == bytes.count
            guard !isCut else { return record.map { ($0, true) } }
            do {
                let json = try JSONValue(parsing: bytes[line.range])
                if record == nil {
                    record = Base(json: json).map { SessionRecord(base: $0) }
                    guard record != nil else { return nil }
                } else {
                    guard record?.take(json) == true else { throw damaged(line.number, "it is none of its lines") }
                }
            } catch let error as JSONSyntaxError {
                throw damaged(line.number, error.reason)
            } catch {
                throw MapSessionError(error)
            }
        }
        return record.map { ($0, false) }
    }

    private static func damaged(_ line: Int, _ reason: String) -> MapSessionError {
        MapSessionError(
            code: .damaged,
            subject: "session.jsonl",
            message: "The list of changes of this working copy is damaged at line \(line): \(reason). The changes are "
                + "still in the working copy; discard it to fetch the project again."
        )
    }

    /// Takes in a line behind the first; false when it is not one.
    private mutating func take(_ json: JSONValue) -> Bool {
        switch json["line"]?.stringValue {
        case "original":
            guard let (key, original) = FeatureOriginal.read(json) else { return false }
            record(original, of: key)
        case "staged":
            guard let project = json["project"].flatMap({ try? MapProject(json: $0) }) else { return false }
            if stage != nil { fold() }
            stage = Stage(project: project)
        case "publishing":
            guard let revision = json["revision"].flatMap(DocumentRevision.init(json:)) else { return false }
            stage?.publishing = Publishing(revision: revision, files: PublishedFile.list(json["files"]))
        case "folded": fold()
        default: return false
        }
        return true
    }
}

extension SessionRecord.Base {
    fileprivate var json: JSONValue {
        [
            "line": "base",
            "id": .string(id),
            "source": [
                "store": .string(source.store), "name": .string(source.name.fileName), "local": .bool(source.isLocal),
            ],
            "revision": revision.json,
            "package": .string(package),
            "files": .array(files.map(\.json)),
            "content_digest": .string(contentDigest),
            "project": project.json,
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard json["line"]?.stringValue == "base", let id = json["id"]?.stringValue, let source = json["source"],
            let store = source["store"]?.stringValue, let file = source["name"]?.stringValue,
            let name = try? DocumentName(fileName: file),
            let revision = json["revision"].flatMap(DocumentRevision.init(json:)),
            let package = json["package"]?.stringValue, !package.contains("/"),
            let project = json["project"].flatMap({ try? MapProject(json: $0) })
        else { return nil }
        self.init(
            id: id,
            source: DocumentSource(store: store, name: name, isLocal: source["local"]?.boolValue ?? false),
            revision: revision,
            package: package,
            project: project,
            files: PublishedFile.list(json["files"]),
            contentDigest: json["content_digest"]?.stringValue
        )
    }
}

extension DocumentRevision {
    fileprivate var json: JSONValue {
        [
            "number": .integer(number), "fingerprint": .string(fingerprint.sha256),
            "published_at": .number(publishedAt), "published_by": .string(publishedBy),
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard let number = json["number"]?.intValue,
            let fingerprint = json["fingerprint"]?.stringValue.flatMap(DocumentFingerprint.init(sha256:))
        else { return nil }
        self.init(
            number: number,
            fingerprint: fingerprint,
            publishedAt: json["published_at"]?.doubleValue,
            publishedBy: json["published_by"]?.stringValue
        )
    }
}

extension PublishedFile {
    fileprivate var json: JSONValue { [.string(path), .integer(size), .string(sha256)] }

    fileprivate static func list(_ json: JSONValue?) -> [PublishedFile] {
        (json?.elements ?? []).compactMap { entry in
            guard let parts = entry.elements, parts.count == 3, let path = parts[0].stringValue,
                let size = parts[1].intValue, let sha256 = parts[2].stringValue
            else { return nil }
            return try? PublishedFile(path: path, size: size, sha256: sha256)
        }
    }
}
