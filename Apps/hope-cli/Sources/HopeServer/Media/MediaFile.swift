internal import Glibc
internal import TransportCore
internal import TransportHTTP

/// An open file of which parts are sent; closed with the last reader.
final class MediaFile: Sendable {
    let descriptor: Int32
    let length: Int
    /// Changes whenever the bytes do: strong in the sense of RFC 9110, section 8.8.1.
    let entityTag: EntityTag?
    let lastModified: String

    /// Takes over a descriptor; nil, and the descriptor is closed, when it is no plain file's.
    init?(descriptor: Int32) {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        self.descriptor = descriptor
        length = Int(status.st_size)
        let parts = [
            UInt64(status.st_ino), UInt64(status.st_size),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)),
        ]
        entityTag = EntityTag(value: parts.map { String($0, radix: 16) }.joined(separator: "-"))
        lastModified = HTTPDate.text(status.st_mtim.tv_sec)
    }

    deinit {
        close(descriptor)
    }

    /// The first bytes, at most so many.
    func head(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = max(0, pread(descriptor, buffer.baseAddress, count, 0))
        }
    }

    func body(_ range: ByteRange?) -> HTTPRequestBody {
        guard length > 0 else { return .bytes([]) }
        let first = range?.first ?? 0
        let count = range?.count ?? length
        return .stream(MediaFileBody(self, first: first, count: count), length: count)
    }
}
