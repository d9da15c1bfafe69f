/// What a virtual player finds behind an address: how long it is, and what goes wrong with it.
public struct VirtualTrack: Hashable, Sendable {
    /// What is wrong with the bytes.
    public enum Fault: Hashable, Sendable {
        /// They cannot be fetched.
        case unreachable
        /// They are of a kind that nothing can decode.
        case undecodable
        /// There are none, which only shows after loading has seemed to succeed.
        case empty
        /// They end at this position in seconds, though there should be more.
        case breaksOff(at: Double)
    }

    /// A place at which the bytes come too slowly.
    public struct Starvation: Hashable, Sendable {
        /// The position in seconds at which there are no more bytes for now.
        public var position: Double
        /// How long it takes until there are.
        public var length: Duration

        /// Makes a place of starvation.
        ///
        /// - Parameters:
        ///   - position: The position in seconds.
        ///   - length: How long it takes until there are bytes.
        public init(at position: Double, for length: Duration) {
            self.position = position
            self.length = length
        }
    }

    /// The length in seconds, at which it ends; nil for a live stream, which neither ends nor can be sought in.
    public var duration: Double?
    /// The length in seconds that the player says it measured; it need not be the true one.
    public var reportedDuration: Double?
    /// How long it takes from the address to the first sound.
    public var loadDelay: Duration
    /// How long a seek takes; the player buffers meanwhile.
    public var seekDelay: Duration
    /// Whether the player can only seek once it has loaded, and so begins with a seek where another begins in place.
    public var refusesEarlySeek: Bool
    /// How long the player does not know its position after loading, playing on and seeking.
    public var positionDelay: Duration
    /// Where it starves.
    public var starvations: [Starvation]
    /// What is wrong with it, or nil.
    public var fault: Fault?

    /// Makes a track.
    ///
    /// - Parameters:
    ///   - duration: The length in seconds, or nil for a live stream.
    ///   - reportedDuration: The length in seconds that the player says it measured; nil for the true one.
    ///   - loadDelay: How long it takes from the address to the first sound.
    ///   - seekDelay: How long a seek takes.
    ///   - refusesEarlySeek: Whether the player can only seek once it has loaded.
    ///   - positionDelay: How long the player does not know its position after loading, playing on and seeking.
    ///   - starvations: Where it starves.
    ///   - fault: What is wrong with it.
    public init(
        duration: Double?,
        reportedDuration: Double? = nil,
        loadDelay: Duration = .milliseconds(100),
        seekDelay: Duration = .zero,
        refusesEarlySeek: Bool = false,
        positionDelay: Duration = .zero,
        starvations: [Starvation] = [],
        fault: Fault? = nil
    ) {
        self.duration = duration
        self.reportedDuration = reportedDuration ?? duration
        self.loadDelay = loadDelay
        self.seekDelay = seekDelay
        self.refusesEarlySeek = refusesEarlySeek
        self.positionDelay = positionDelay
        self.starvations = starvations
        self.fault = fault
    }
}
