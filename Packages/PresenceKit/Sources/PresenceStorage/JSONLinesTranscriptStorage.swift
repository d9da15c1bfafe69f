public import PresenceKit
import Synchronization

/// The transcript's history in a JSON Lines file that only its owner may read.
///
/// The path is the caller's, such as `$XDG_STATE_HOME/hope/history.jsonl`; folders that are missing are made. A file
/// that cannot be read as a history is renamed to `….unreadable`, and the notice says so.
public final class JSONLinesTranscriptStorage: Sendable {
    private let file: Mutex<OwnerOnlyFile>

    /// Makes a storage; nothing is read or written yet.
    ///
    /// - Parameter path: The file's path.
    public init(path: String) {
        file = Mutex(OwnerOnlyFile(path: path))
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONLinesTranscriptStorage: TranscriptStorage {
    public func load() throws(PresenceStorageError) -> LoadedTranscript {
        try file.withLock { file throws(PresenceStorageError) in
            let file = file
            return try LoadedTranscript(contents: try file.read(), place: file.path) {
                () throws(PresenceStorageError) in
                try file.setAside()
            }
        }
    }

    public func save(_ rows: [TranscriptRow]) throws(PresenceStorageError) {
        try file.withLock { file throws(PresenceStorageError) in try file.write(TranscriptHistory.write(rows)) }
    }

    public func clear() throws(PresenceStorageError) {
        try file.withLock { file throws(PresenceStorageError) in try file.remove() }
    }
}
