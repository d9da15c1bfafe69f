import CTransportLinux
import Glibc

/// An address and port that the system understands.
struct SocketAddress: Sendable {
    var storage: sockaddr_storage
    var length: socklen_t

    /// Reads an address that is written as a number, or looks a name up, which may take seconds.
    ///
    /// - Returns: The addresses in the order to try them; empty when the name is not known.
    static func resolve(host: String, port: Int, numericOnly: Bool) -> [SocketAddress] {
        var storages = [sockaddr_storage](repeating: sockaddr_storage(), count: 16)
        var lengths = [socklen_t](repeating: 0, count: 16)
        let count = hope_resolve(host, Int32(port), numericOnly ? 1 : 0, &storages, &lengths, 16)
        guard count > 0 else { return [] }
        return (0..<Int(count)).map { SocketAddress(storage: storages[$0], length: lengths[$0]) }
    }

    /// The address of a descriptor's own end.
    static func own(_ descriptor: Int32) -> SocketAddress {
        var storage = sockaddr_storage()
        _ = hope_socket_own_address(descriptor, &storage)
        return SocketAddress(storage: storage, length: socklen_t(MemoryLayout<sockaddr_storage>.size))
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// The address as a number and the port; an IPv6 address without brackets.
    var parts: (host: String, port: Int) {
        var storage = storage
        var text = [CChar](repeating: 0, count: 64)
        let port = hope_socket_address_text(&storage, &text, 64)
        guard port >= 0 else { return ("", 0) }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (String(decoding: bytes, as: UTF8.self), Int(port))
    }

    /// The address and the port, such as `127.0.0.1:80` or `[::1]:80`.
    var text: String {
        let (host, port) = parts
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
