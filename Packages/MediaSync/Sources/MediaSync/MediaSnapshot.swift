/// Everything that the media panel is drawn from.
public struct MediaSnapshot: Hashable, Sendable {
    /// The room that is acted on.
    public var room: String
    /// What the server wants in that room, or nil while it has not said so.
    public var state: MediaState?
    /// What is loaded here, and what was found to be unplayable.
    public var playback: LocalPlayback
    /// What is loaded, as the server last described it.
    public var track: MediaTrack?
    /// The loudness, 0...1.
    public var volume: Double
    /// The library, or nil while it has not been read.
    public var library: [MediaTrack]?
    /// What the last search found, or nil when there was none.
    public var results: [MediaChoice]?
    /// Whether a search is on its way.
    public var isSearching: Bool
    /// Whether the library is being read.
    public var isRefreshing: Bool
    /// What went wrong last, in words.
    public var error: String?

    /// Makes a snapshot.
    ///
    /// - Parameters:
    ///   - room: The room that is acted on.
    ///   - state: What the server wants in that room.
    ///   - playback: What is loaded here.
    ///   - track: What is loaded, as the server last described it.
    ///   - volume: The loudness, 0...1.
    ///   - library: The library.
    ///   - results: What the last search found.
    ///   - isSearching: Whether a search is on its way.
    ///   - isRefreshing: Whether the library is being read.
    ///   - error: What went wrong last, in words.
    public init(
        room: String = MediaAPI.defaultRoom,
        state: MediaState? = nil,
        playback: LocalPlayback,
        track: MediaTrack? = nil,
        volume: Double = 1,
        library: [MediaTrack]? = nil,
        results: [MediaChoice]? = nil,
        isSearching: Bool = false,
        isRefreshing: Bool = false,
        error: String? = nil
    ) {
        self.room = room
        self.state = state
        self.playback = playback
        self.track = track
        self.volume = volume
        self.library = library
        self.results = results
        self.isSearching = isSearching
        self.isRefreshing = isRefreshing
        self.error = error
    }
}
