import Synchronization

/// The levels of one capture, for one reader, of which only the newest of each owner waits to be read.
///
/// The stream ends when capture ends, throws when capture failed, and ends early when the reading task is cancelled.
/// Cancelling the reader does not stop the source: whoever started it stops it.
public struct AudioLevelStream: Sendable {
    fileprivate let channel: Channel

    /// Makes a stream and the hand that feeds it.
    public static func makeStream() -> (stream: AudioLevelStream, continuation: Continuation) {
        let channel = Channel()
        return (AudioLevelStream(channel: channel), Continuation(channel: channel))
    }

    /// The hand that feeds a stream.
    public struct Continuation: Sendable {
        fileprivate let channel: Channel

        /// Offers a level, which replaces an unread one of the same owner; never waits.
        public func yield(_ level: AudioLevel) {
            channel.offer(level)
        }

        /// Ends the stream after what is still unread; the first call decides.
        public func finish(throwing error: AudioLevelSourceError? = nil) {
            channel.finish(error)
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AudioLevelStream: AsyncSequence {
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(channel: channel)
    }

    /// Reads the levels in the order in which they were measured.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let channel: Channel

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(AudioLevelSourceError) -> AudioLevel? {
            let channel = channel
            let delivery = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    channel.park(continuation)
                }
            } onCancel: {
                channel.release()
            }
            return try delivery.get()
        }
    }
}

extension AudioLevelStream {
    fileprivate typealias Delivery = Result<AudioLevel?, AudioLevelSourceError>

    fileprivate final class Channel: Sendable {
        private struct State {
            var unread: [AudioLevel] = []
            var reader: CheckedContinuation<Delivery, Never>?
            var ending: Delivery?
        }

        private let state = Mutex(State())

        func offer(_ level: AudioLevel) {
            let reader = state.withLock { state -> CheckedContinuation<Delivery, Never>? in
                guard state.ending == nil else { return nil }
                if let reader = state.reader {
                    state.reader = nil
                    return reader
                }
                state.unread.removeAll { $0.source == level.source }
                state.unread.append(level)
                return nil
            }
            reader?.resume(returning: .success(level))
        }

        func finish(_ error: AudioLevelSourceError?) {
            let ending: Delivery = error.map { .failure($0) } ?? .success(nil)
            let reader = state.withLock { state -> CheckedContinuation<Delivery, Never>? in
                guard state.ending == nil else { return nil }
                state.ending = ending
                guard let reader = state.reader else { return nil }
                state.reader = nil
                // The failure is told once; whoever asks again gets the end.
                state.ending = .success(nil)
                return reader
            }
            reader?.resume(returning: ending)
        }

        func park(_ continuation: CheckedContinuation<Delivery, Never>) {
            // A reader that is cancelled before it parks would otherwise wait for a level that need not come.
            if Task.isCancelled {
                continuation.resume(returning: .success(nil))
                return
            }
            let (displaced, delivery) = state.withLock { state -> (CheckedContinuation<Delivery, Never>?, Delivery?) in
                if !state.unread.isEmpty {
                    return (nil, .success(state.unread.removeFirst()))
                }
                if let ending = state.ending {
                    state.ending = .success(nil)
                    return (nil, ending)
                }
                let displaced = state.reader
                state.reader = continuation
                return (displaced, nil)
            }
            displaced?.resume(returning: .success(nil))
            if let delivery {
                continuation.resume(returning: delivery)
            }
        }

        func release() {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: .success(nil))
        }
    }
}
