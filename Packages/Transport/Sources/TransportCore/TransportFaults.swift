/// What goes wrong on a ``FaultyTransport``.
///
/// Delay and jitter meet everything that comes in. Loss, duplication and reordering meet lossy packets, as they would
/// below a transport that keeps its promises; with ``breaksPromises`` they meet reliable packets too, which is for
/// testing what a program does with a transport that does not.
public struct TransportFaults: Hashable, Sendable {
    /// How an attempt to connect goes.
    public enum Connect: Hashable, Sendable {
        /// As the wrapped transport's.
        case passes
        /// After this long it throws the error, without the wrapped transport being asked.
        case fails(TransportError, after: Duration)
        /// It times out; if `lateConnected` is set, that long after it the events say `connected` all the same.
        case timesOut(lateConnected: Duration?)
    }

    /// How an attempt to connect goes.
    public var connect: Connect
    /// How long everything that comes in is late.
    public var delay: Duration
    /// How much longer than `delay` it may take, evenly distributed.
    public var jitter: Duration
    /// The probability that a packet is lost, `0 ... 1`.
    public var loss: Double
    /// The probability that a packet comes twice, `0 ... 1`.
    public var duplication: Double
    /// The probability that a packet is overtaken, by being ``reorderingDelay`` late, `0 ... 1`.
    public var reordering: Double
    /// How late a packet is that is overtaken.
    public var reorderingDelay: Duration
    /// Whether reliable packets are lost, doubled and reordered as well.
    public var breaksPromises: Bool
    /// After how many data packets, in and out together, the connection is cut for good.
    public var cutAfterPackets: Int?
    /// After how many data packets, in and out together, the signal is lost for ``outage``.
    public var reconnectAfterPackets: Int?
    /// How long the signal stays away.
    public var outage: Duration
    /// How many attempts to open the microphone fail before one succeeds.
    public var microphoneFailures: Int

    /// Creates faults; without arguments there are none.
    public init(
        connect: Connect = .passes,
        delay: Duration = .zero,
        jitter: Duration = .zero,
        loss: Double = 0,
        duplication: Double = 0,
        reordering: Double = 0,
        reorderingDelay: Duration = .milliseconds(50),
        breaksPromises: Bool = false,
        cutAfterPackets: Int? = nil,
        reconnectAfterPackets: Int? = nil,
        outage: Duration = .seconds(3),
        microphoneFailures: Int = 0
    ) {
        self.connect = connect
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
        self.duplication = duplication
        self.reordering = reordering
        self.reorderingDelay = reorderingDelay
        self.breaksPromises = breaksPromises
        self.cutAfterPackets = cutAfterPackets
        self.reconnectAfterPackets = reconnectAfterPackets
        self.outage = outage
        self.microphoneFailures = microphoneFailures
    }
}
