internal import TransportCore

/// What was found out about the files of a folder, kept from one start to the next.
struct MediaIndex: Sendable {
    /// What is known of one file as long as its size and its time stay the same.
    struct Record: Sendable {
        var file: MediaFolder.File
        /// Nil for what turned out to be no media.
        var type: MediaFileType?
        /// Nil for what has not been looked into.
        var details: MediaDetails?
    }

    /// Changes when records would be read in another way.
    static let version = 1

    /// Reads the index; empty where there is none that can be used.
    static func read(_ file: AtomicFile) -> [Record] {
        guard let bytes = file.read(), let value = try? JSONValue(parsing: bytes), value["version"]?.intValue == version
        else { return [] }
        return (value["files"]?.elements ?? []).compactMap { record in
            guard let path = record["path"]?.stringValue, let size = record["size"]?.intValue,
                let modified = record["modified"]?.intValue
            else { return nil }
            var details: MediaDetails?
            if let known = record["details"], known.members != nil {
                details = MediaDetails(
                    title: known["title"]?.stringValue,
                    artist: known["artist"]?.stringValue,
                    duration: known["duration"]?.doubleValue,
                    codec: known["codec"]?.stringValue,
                    picture: known["picture"]?.stringValue.flatMap(Self.pictureName)
                )
            }
            return Record(
                file: MediaFolder.File(path: path, size: size, modified: modified),
                type: record["type"]?.stringValue.flatMap(MediaFileType.init(rawValue:)),
                details: details
            )
        }
    }

    static func bytes(_ records: [Record]) -> [UInt8] {
        let files = records.map { record in
            JSONValue.object([
                "path": .string(record.file.path), "size": .integer(record.file.size),
                "modified": .integer(record.file.modified), "type": .string(record.type?.rawValue),
                "details": record.details.map { details in
                    JSONValue.object([
                        "title": .string(details.title), "artist": .string(details.artist),
                        "duration": .number(details.duration), "codec": .string(details.codec),
                        "picture": .string(details.picture),
                    ])
                } ?? .null,
            ])
        }
        return JSONValue.object(["version": .integer(version), "files": .array(files)]).bytes
    }

    /// A name of a picture as this server gives them, which cannot lead anywhere else.
    private static func pictureName(_ text: String) -> String? {
        text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            ? text : nil
    }
}
