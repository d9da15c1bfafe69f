/// A place that keeps the settings between runs.
///
/// Conformers must pass every `SettingsStorageLaw`:
///
/// - What was saved is loaded again, by this and by any later instance on the same place, additional settings included.
/// - A place where nothing was saved loads the default settings, without a notice.
/// - Contents that cannot be read as settings are never overwritten: ``load()`` puts them aside under another name,
///   loads the defaults and says so in a notice that names where the contents are now. One setting of the wrong kind is
///   no reason to lose the others: it has its default, and a notice names it.
/// - A save is atomic: a reader sees the settings before or after it, whole.
///
/// Calls may overlap and come from any thread; they may block for the time of a small file access. An Apple backend
/// would be a file in Application Support, or `UserDefaults` with the JSON object under one key.
public protocol SettingsStorage: Sendable {
    /// Reads what is stored.
    ///
    /// - Throws: `PresenceStorageError` when there is something that cannot be read or put aside; go on with default
    ///   settings, show the error, and save nothing until the person changes something.
    func load() throws(PresenceStorageError) -> LoadedSettings

    /// Replaces what is stored.
    ///
    /// - Parameter settings: The new settings, whole.
    /// - Throws: `PresenceStorageError` when they could not be written; the old ones are still there.
    func save(_ settings: Settings) throws(PresenceStorageError)
}

/// Settings as they were loaded, with what the person should know about it.
public struct LoadedSettings: Hashable, Sendable {
    /// The settings to use.
    public var settings: Settings
    /// Sentences for the person: what could not be read, and where it is now; none when all was well.
    public var notices: [String]

    /// Makes loaded settings.
    public init(settings: Settings, notices: [String] = []) {
        self.settings = settings
        self.notices = notices
    }

    /// Reads stored bytes, and puts them aside when they are no settings.
    ///
    /// What every byte store does; a backend brings only the access.
    ///
    /// - Parameters:
    ///   - contents: What is stored, nil when there is nothing.
    ///   - place: The file or other place, for the notices.
    ///   - setAside: Puts the contents aside, and gives the name under which they are now.
    /// - Throws: What `setAside` throws.
    public init(
        contents: [UInt8]?,
        place: String,
        setAside: () throws(PresenceStorageError) -> String
    ) throws(PresenceStorageError) {
        guard let contents else {
            self.init(settings: Settings())
            return
        }
        guard let (settings, unreadable) = Settings.read(contents) else {
            let other = try setAside()
            self.init(
                settings: Settings(),
                notices: ["The settings in \(place) could not be read; they are now in \(other), and new ones begin."]
            )
            return
        }
        self.init(
            settings: settings,
            notices: unreadable.map { "The setting “\($0)” in \(place) could not be read; it has its default value." }
        )
    }
}
