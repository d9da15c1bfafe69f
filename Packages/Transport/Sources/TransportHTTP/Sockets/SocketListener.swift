import CTransportLinux
import Glibc
import Synchronization
package import TransportCore

/// A socket that others connect to.
package final class SocketListener: Sendable {
    private struct State: Sendable {
        var descriptor: Int32
        var identifier: UInt64 = 0
        /// Kept to be given up when there are no more descriptors, so that a caller can be turned away at all.
        var spare: Int32
        var mayAccept = true
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// Where it listens, with the port that the system chose.
    package let host: String
    /// The port.
    package let port: Int
    private let group: SocketLoopGroup
    private let loop: SocketLoop
    private let state: Mutex<State>

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - host: An address of this machine as a number, or `localhost`.
    ///   - port: The port; 0 lets the system choose.
    ///   - backlog: How many callers the system keeps waiting.
    ///   - group: Whose threads to use.
    /// - Throws: `unavailable` when the address cannot be listened at, `invalidURL` when it is none.
    package init(host: String, port: Int, backlog: Int, group: SocketLoopGroup) throws(TransportError) {
        let number = host == "localhost" ? "127.0.0.1" : host
        guard let address = SocketAddress.resolve(host: number, port: port, numericOnly: true).first else {
            throw TransportError(
                .invalidURL,
                "“\(host)” is no address to listen at; write one such as 127.0.0.1 or ::1."
            )
        }
        let descriptor = hope_socket_create(address.family)
        var storage = address.storage
        guard descriptor >= 0, hope_socket_bind(descriptor, &storage, address.length) == 0,
            listen(descriptor, Int32(clamping: backlog)) == 0
        else {
            let code = errno
            if descriptor >= 0 { Glibc.close(descriptor) }
            let reason =
                code == EADDRINUSE
                ? "something else listens there; choose another port, or 0 for any" : String(cString: strerror(code))
            throw TransportError(.unavailable, "\(address.text) cannot be listened at: \(reason).")
        }
        (self.host, self.port) = SocketAddress.own(descriptor).parts
        self.group = group
        loop = group.nextLoop()
        state = Mutex(State(descriptor: descriptor, spare: open("/dev/null", O_RDONLY | O_CLOEXEC)))
        guard let identifier = loop.add(descriptor, for: self) else {
            close()
            throw TransportError(.unavailable, "The system watches no more sockets; close some connections.")
        }
        state.withLock { $0.identifier = identifier }
    }

    deinit {
        close()
    }

    /// Waits for the next connection; `nil` once it is closed or the task is cancelled.
    package func accept() async -> SocketConnection? {
        while !Task.isCancelled {
            switch tryAccept() {
            case .connection(let connection): return connection
            case .closed: return nil
            case .wait: await waitForCaller()
            }
        }
        return nil
    }

    private enum Attempt {
        case connection(SocketConnection)
        case wait
        case closed
    }

    private func tryAccept() -> Attempt {
        while true {
            let accepted = state.withLock { state -> (descriptor: Int32, address: SocketAddress)? in
                guard state.descriptor >= 0 else { return (-1, Self.nobody) }
                guard state.mayAccept else { return nil }
                var storage = sockaddr_storage()
                let descriptor = hope_socket_accept(state.descriptor, &storage)
                if descriptor >= 0 {
                    return (descriptor, SocketAddress(storage: storage, length: 0))
                }
                switch errno {
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: Self.turnAway(&state)
                case EAGAIN, EWOULDBLOCK: state.mayAccept = false
                default: break
                }
                return (-2, Self.nobody)
            }
            guard let accepted else { return .wait }
            if accepted.descriptor == -1 { return .closed }
            if accepted.descriptor < 0 { continue }
            hope_socket_send_at_once(accepted.descriptor)
            let connection = SocketConnection(
                accepted.descriptor,
                group: group,
                loop: group.nextLoop(),
                peer: accepted.address.text
            )
            if (try? connection.watch()) != nil { return .connection(connection) }
        }
    }

    private static var nobody: SocketAddress { SocketAddress(storage: sockaddr_storage(), length: 0) }

    /// Takes one caller with the spare descriptor and hangs up, since a caller that is left waiting is never told about
    /// again.
    private static func turnAway(_ state: inout State) {
        guard state.spare >= 0 else {
            state.mayAccept = false
            return
        }
        Glibc.close(state.spare)
        var storage = sockaddr_storage()
        let caller = hope_socket_accept(state.descriptor, &storage)
        if caller >= 0 { Glibc.close(caller) } else { state.mayAccept = false }
        state.spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    private func waitForCaller() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isParked = state.withLock { state in
                    if state.mayAccept || state.descriptor < 0 || Task.isCancelled { return false }
                    state.waiter = continuation
                    return true
                }
                if !isParked { continuation.resume() }
            }
        } onCancel: {
            takeWaiter()?.resume()
        }
    }

    private func takeWaiter() -> CheckedContinuation<Void, Never>? {
        state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
    }

    /// Stops listening; those who wait to be accepted are refused.
    package func close() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            loop.remove(state.identifier)
            Glibc.close(state.descriptor)
            if state.spare >= 0 { Glibc.close(state.spare) }
            state.descriptor = -1
            state.spare = -1
        }
        takeWaiter()?.resume()
    }
}

extension SocketListener: SocketEventTarget {
    func socketDidChange(_ events: SocketEvents) {
        guard events.contains(.input) else { return }
        state.withLock { $0.mayAccept = true }
        takeWaiter()?.resume()
    }
}
