/// A place that keeps the last finals between runs.
///
/// What was saved is loaded again, by this and by any later instance on the same place. Contents that cannot be read
/// are never overwritten: ``load()`` puts them aside under another name, begins a new history and says so in a notice
/// that names where the contents are now. A save is atomic. Calls may overlap and come from any thread; they may block
/// for the time of a small file access. An Apple backend would be a file in Application Support with file protection.
public protocol TranscriptStorage: Sendable {
    /// Reads what is stored.
    ///
    /// - Throws: `PresenceStorageError` when there is something that cannot be read or put aside; show it, go on with
    ///   an empty history.
    func load() throws(PresenceStorageError) -> LoadedTranscript

    /// Replaces what is stored.
    ///
    /// - Parameter rows: Finals, oldest first.
    /// - Throws: `PresenceStorageError` when they could not be written; the old ones are still there.
    func save(_ rows: [TranscriptRow]) throws(PresenceStorageError)

    /// Removes what is stored.
    ///
    /// - Throws: `PresenceStorageError` when it could not be removed.
    func clear() throws(PresenceStorageError)
}

/// A history as it was loaded, with what the person should know about it.
public struct LoadedTranscript: Hashable, Sendable {
    /// The stored finals, oldest first.
    public var rows: [TranscriptRow]
    /// A sentence for the person when the contents could not be read, else nil.
    public var notice: String?

    /// Makes a loaded history.
    public init(rows: [TranscriptRow], notice: String? = nil) {
        self.rows = rows
        self.notice = notice
    }

    /// Reads stored bytes, and puts them aside when they are no history.
    ///
    /// What every byte store does; a backend brings only the access.
    ///
    /// - Parameters:
    ///   - contents: What is stored, nil when there is nothing.
    ///   - place: The file or other place, for the notice.
    ///   - setAside: Puts the contents aside, and gives the name under which they are now.
    /// - Throws: What `setAside` throws.
    public init(
        contents: [UInt8]?,
        place: String,
        setAside: () throws(PresenceStorageError) -> String
    ) throws(PresenceStorageError) {
        guard let contents else {
            self.init(rows: [])
            return
        }
        if let rows = TranscriptHistory.read(contents) {
            self.init(rows: rows)
        } else {
            let other = try setAside()
            self.init(
                rows: [],
                notice: "The history in \(place) could not be read; it is now in \(other), and a new one begins."
            )
        }
    }
}
