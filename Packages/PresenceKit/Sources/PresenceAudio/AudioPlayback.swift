import PresenceKit
import TransportCore

/// What the paced sources have in common.
final class AudioPlayback: Sendable {
    enum Origin: Sendable {
        case path(String)
        case bytes([UInt8])
        case descriptor(Int32)
    }

    private let origin: Origin
    private let container: AudioContainer
    private let name: String
    private let owner: AudioLevelOwner
    private let clock: any Clock<Duration>
    private let run: AudioLevelRun
    /// Bytes of a pipe come once, so what reads it outlives a stop.
    private let pipe: LevelFeed?

    init(
        _ origin: Origin,
        container: AudioContainer,
        name: String,
        owner: AudioLevelOwner,
        clock: any Clock<Duration>
    ) {
        self.origin = origin
        self.container = container
        self.name = name
        self.owner = owner
        self.clock = clock
        run = AudioLevelRun(name: name)
        if case .descriptor(let number) = origin {
            let feed = DescriptorFeed(Descriptor(borrowing: number, name: name))
            pipe = LevelFeed(.descriptor(feed), container: container, name: name)
        } else {
            pipe = nil
        }
    }

    func start() throws(AudioLevelSourceError) -> AudioLevelStream {
        let feed = try makeFeed()
        let (owner, clock) = (owner, Stopwatch(clock: clock))
        return try run.start { continuation throws(AudioLevelSourceError) in
            try await feed.play(as: owner, on: clock, into: continuation)
        }
    }

    func stop() async {
        await run.stop()
    }

    private func makeFeed() throws(AudioLevelSourceError) -> LevelFeed {
        if let pipe { return pipe }
        switch origin {
        case .path(let path):
            let feed = DescriptorFeed(try Descriptor(path: path))
            return LevelFeed(.descriptor(feed), container: container, name: name)
        case .bytes(let bytes):
            return LevelFeed(.memory(bytes), container: container, name: name)
        case .descriptor(let number):
            let feed = DescriptorFeed(Descriptor(borrowing: number, name: name))
            return LevelFeed(.descriptor(feed), container: container, name: name)
        }
    }
}
