/// What a player can decode, known before it tries.
public struct PlayableFormats: Hashable, Sendable {
    /// Apple's AVPlayer: neither WebM, Matroska nor Ogg, whatever is in them.
    public static let avPlayer = PlayableFormats(player: "the iPhone's player", refused: [.webM, .matroska, .ogg])
    /// mpv: every container.
    public static let mpv = PlayableFormats(player: "mpv", refused: [])

    /// The player's name as it stands in the middle of a sentence.
    public let player: String
    /// The containers that the player cannot open; anything else, the unknown included, is worth a try.
    public let refused: Set<MediaContainer>

    /// Makes the formats of a player.
    ///
    /// - Parameters:
    ///   - player: The player's name as it stands in the middle of a sentence.
    ///   - refused: The containers that it cannot open.
    public init(player: String, refused: Set<MediaContainer>) {
        self.player = player
        self.refused = refused
    }

    /// Says in plain words why a track cannot be played.
    ///
    /// - Parameter track: The track.
    /// - Returns: A sentence, or nil for a track that can be played or has to be tried.
    public func refusal(of track: MediaTrack) -> String? {
        guard let container = MediaContainer(of: track), refused.contains(container) else { return nil }
        let type = track.mimeType.map { " (\(MediaAPIError.shown($0)))" } ?? ""
        let article = container == .ogg ? "an" : "a"
        let title = MediaAPIError.shown(track.title)
        return "“\(title)” is \(article) \(container.rawValue) file\(type), which \(player) cannot open."
    }
}
