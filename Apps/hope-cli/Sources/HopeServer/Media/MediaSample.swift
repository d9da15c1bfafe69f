/// A track that is in memory: what a demonstration or a test plays without any file.
public struct MediaSample: Hashable, Sendable {
    /// The file name that it would have; its ending says what the bytes are where they do not tell.
    public var name: String
    /// The title to show.
    public var title: String
    /// Who published it.
    public var channel: String?
    /// The length in seconds.
    public var duration: Double?
    /// The bytes of the media file.
    public var bytes: [UInt8]

    /// Makes a sample.
    ///
    /// - Parameters:
    ///   - name: The file name that it would have, from which its id is made.
    ///   - title: The title to show.
    ///   - channel: Who published it.
    ///   - duration: The length in seconds.
    ///   - bytes: The bytes of the media file.
    public init(name: String, title: String, channel: String? = nil, duration: Double? = nil, bytes: [UInt8]) {
        self.name = name
        self.title = title
        self.channel = channel
        self.duration = duration
        self.bytes = bytes
    }
}
