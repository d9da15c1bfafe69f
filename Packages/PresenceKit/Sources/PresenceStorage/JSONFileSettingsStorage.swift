public import PresenceKit
import Synchronization

/// Settings in a JSON file that only its owner may read.
///
/// The path is the caller's, such as `$XDG_CONFIG_HOME/hope/settings.json`; folders that are missing are made. A file
/// that cannot be read as settings is renamed to `….unreadable`, and the notice says so.
public final class JSONFileSettingsStorage: Sendable {
    private let file: Mutex<OwnerOnlyFile>

    /// Makes a storage; nothing is read or written yet.
    ///
    /// - Parameter path: The file's path.
    public init(path: String) {
        file = Mutex(OwnerOnlyFile(path: path))
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONFileSettingsStorage: SettingsStorage {
    public func load() throws(PresenceStorageError) -> LoadedSettings {
        try file.withLock { file throws(PresenceStorageError) in
            let file = file
            return try LoadedSettings(contents: try file.read(), place: file.path) { () throws(PresenceStorageError) in
                try file.setAside()
            }
        }
    }

    public func save(_ settings: Settings) throws(PresenceStorageError) {
        try file.withLock { file throws(PresenceStorageError) in try file.write(settings.json) }
    }
}
