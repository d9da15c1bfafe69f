import TransportCore
import TransportHTTP

/// One version of a file on a server: how long it is, and what tells it from other versions.
struct Representation: Hashable, Sendable {
    /// The length in bytes.
    let total: Int
    /// The ETag field as it came, which may be weak or not even quoted.
    let tag: String?
    /// The Last-Modified field, if it is a date.
    let lastModified: String?
    /// Whether the date tells versions apart as surely as a strong tag.
    private let isDateStrong: Bool

    init(total: Int, headers: HTTPHeaders) {
        self.total = total
        tag = headers["ETag"]
        let date = headers["Last-Modified"].flatMap { HTTPDate($0) }
        lastModified = date == nil ? nil : headers["Last-Modified"]
        // A file that could still have been changed in the second of its date has no sure date (RFC 9110, section 8.8.2.2).
        let sent = headers["Date"].flatMap { HTTPDate($0) }
        isDateStrong = if let date, let sent { sent.seconds - date.seconds >= 60 } else { false }
    }

    /// What to make a request for another part conditional on; `nil` when nothing names the version surely.
    var condition: String? {
        if let tag { return EntityTag(tag).flatMap { $0.isWeak ? nil : $0.description } }
        return isDateStrong ? lastModified : nil
    }

    /// The tag that players get: the server's if it is strong, else one made of all that is known about the version.
    ///
    /// - Parameter id: What tells this file from others with the same properties.
    /// - Returns: A strong tag, which always can be made.
    func localTag(id: String) -> EntityTag? {
        // Bytes beyond ASCII are read differently by different players.
        if let tag = tag.flatMap({ EntityTag($0) }), !tag.isWeak, tag.value.utf8.allSatisfy({ $0 < 0x7F }) {
            return tag
        }
        let known = "\(id)\n\(total)\n\(tag ?? "")\n\(lastModified ?? "")"
        return EntityTag(value: SoftwareContentDigest().sha256Hex(Array(known.utf8)))
    }

    /// Whether another answer is, by all that both say, of the same version.
    func isSame(as other: Representation) -> Bool {
        guard total == other.total else { return false }
        if let tag, let otherTag = other.tag { return tag == otherTag }
        if let lastModified, let otherDate = other.lastModified { return lastModified == otherDate }
        return true
    }
}
