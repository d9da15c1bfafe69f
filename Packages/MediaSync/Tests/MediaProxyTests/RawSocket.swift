import Dispatch
import Foundation
import Glibc
import Synchronization

/// Plain sockets, for bytes that no client or server of ours would send.
enum RawSocket {
    struct Failure: Error {}

    /// Sends bytes to a port of this machine and returns everything that comes until the other side closes.
    static func exchange(port: Int, _ text: String) async throws -> String {
        // Not on a thread of the tasks, of which there are few.
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "raw-socket").async {
                continuation.resume(with: Result { try exchangeBlocking(port: port, text) })
            }
        }
    }

    private static func exchangeBlocking(port: Int, _ text: String) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure() }
        defer { close(descriptor) }
        limitWait(descriptor)
        var address = loopback(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure() }
        sendAll(descriptor, Array(text.utf8))
        return String(decoding: receive(descriptor) { _ in false }, as: UTF8.self)
    }

    fileprivate static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    fileprivate static func limitWait(_ descriptor: Int32) {
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    fileprivate static func sendAll(_ descriptor: Int32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    fileprivate static func receive(_ descriptor: Int32, until isEnough: ([UInt8]) -> Bool) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while !isEnough(all) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            all += buffer[..<count]
        }
        return all
    }
}

/// A server that answers every connection with the same bytes, whatever they are, and closes it.
final class RawOrigin: Sendable {
    let port: Int
    private let descriptor: Int32
    private let isOver = Atomic<Bool>(false)

    init(answer: String) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = RawSocket.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else {
            close(descriptor)
            throw RawSocket.Failure()
        }
        self.descriptor = descriptor
        port = Int(in_port_t(bigEndian: address.sin_port))
        DispatchQueue(label: "raw-origin").async { self.serve(answer) }
    }

    private func serve(_ answer: String) {
        while !isOver.load(ordering: .relaxed) {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            RawSocket.limitWait(connection)
            _ = RawSocket.receive(connection) { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
            RawSocket.sendAll(connection, Array(answer.utf8))
            close(connection)
        }
    }

    func stop() {
        isOver.store(true, ordering: .relaxed)
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}
