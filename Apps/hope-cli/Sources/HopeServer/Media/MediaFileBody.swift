internal import Glibc
internal import Synchronization
internal import TransportCore

/// A part of a file, read piece by piece as the reader asks: one piece is in memory, however long the file.
final class MediaFileBody: HTTPBodyStream {
    /// Large enough for the disk and the socket, small enough for thousands of listeners.
    static let pieceBytes = 128 * 1024

    private struct State {
        var file: MediaFile?
        var offset: Int
        var remaining: Int
    }

    private let state: Mutex<State>

    init(_ file: MediaFile, first: Int, count: Int) {
        state = Mutex(State(file: file, offset: first, remaining: count))
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let piece: [UInt8]? = state.withLock { state in
            guard state.remaining > 0, let file = state.file else { return nil }
            let count = min(Self.pieceBytes, state.remaining)
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
                used = max(0, pread(file.descriptor, buffer.baseAddress, count, off_t(state.offset)))
            }
            state.offset += bytes.count
            state.remaining -= bytes.count
            if state.remaining == 0 { state.file = nil }
            return bytes
        }
        // A file that has become shorter cannot keep what the head promised; the listener has to notice.
        guard piece?.isEmpty != true else { throw TransportError(.closed, "The file has become shorter.") }
        return piece
    }

    func cancel() {
        state.withLock { $0.file = nil }
    }
}
