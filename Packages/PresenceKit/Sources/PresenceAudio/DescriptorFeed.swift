import Dispatch
import PresenceKit

/// Reads a descriptor without holding a thread while nothing comes.
struct DescriptorFeed: Sendable {
    private let descriptor: Descriptor
    private let pieceSize: Int

    init(_ descriptor: Descriptor, pieceSize: Int = 16 * 1024) {
        self.descriptor = descriptor
        self.pieceSize = pieceSize
    }

    /// The next bytes that come, empty at the end.
    func next() async throws(AudioLevelSourceError) -> [UInt8] {
        if descriptor.canBeWaitedFor {
            await waitUntilReadable()
        }
        guard !Task.isCancelled else {
            throw AudioLevelSourceError(.cancelled, thing: "The audio", reason: "is not wanted any more")
        }
        var buffer = [UInt8](repeating: 0, count: pieceSize)
        let count = try descriptor.read(into: &buffer)
        buffer.removeLast(buffer.count - count)
        return buffer
    }

    /// Returns when bytes or the end have come, or the task is cancelled.
    private func waitUntilReadable() async {
        let source = ReadSource(descriptor.number)
        await withTaskCancellationHandler {
            await source.wait()
        } onCancel: {
            source.cancel()
        }
    }
}

/// One wait for a descriptor.
private final class ReadSource: Sendable {
    // Dispatch sources may be used from any thread, which their type does not say on every platform.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    init(_ descriptor: Int32) {
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global(qos: .userInteractive))
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            // Readable and cancelled both end in the one cancel handler, so the wait is ended exactly once.
            source.setEventHandler { [self] in source.cancel() }
            source.setCancelHandler { continuation.resume() }
            source.activate()
        }
    }

    func cancel() {
        source.cancel()
    }
}
