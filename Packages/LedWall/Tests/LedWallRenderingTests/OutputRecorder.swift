import Synchronization

/// Keeps every write of a renderer, and fails on demand.
final class OutputRecorder: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String { "the output is gone" }
    }

    private struct State {
        var writes: [[UInt8]] = []
        var isBroken = false
    }

    private let state = Mutex(State())

    var writes: [[UInt8]] { state.withLock { $0.writes } }
    var bytes: [UInt8] { writes.flatMap { $0 } }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func write(_ bytes: [UInt8]) throws {
        try state.withLock {
            if $0.isBroken { throw Failure() }
            $0.writes.append(bytes)
        }
    }

    func setBroken(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }
}
