/// Something that happened in the proxy, for a log; never with an address, a token or a header field in it.
public enum MediaProxyEvent: Hashable, Sendable {
    /// A server answered a request for the bytes from `offset` on.
    case opened(id: String, host: String, offset: Int, status: Int)
    /// A server sent the proxy on to another one.
    case redirected(id: String, host: String)
    /// Where a redirect had led is no longer valid, so it is followed anew.
    case redirectExpired(id: String)
    /// A server sent everything although a range from `offset` on was asked for; what comes before is skipped.
    case rangeIgnored(id: String, offset: Int)
    /// A server broke off, and is asked for the rest from `offset` on.
    case resumed(id: String, offset: Int, attempt: Int, reason: String)
    /// The file on the server is not the one it was.
    case changed(id: String)
    /// A player was told that there is nothing for it, or its answer was cut short (status `nil`).
    case failed(id: String, status: Int?, reason: String)
    /// A player got all it asked for, so many bytes.
    case finished(id: String, bytes: Int)
    /// A player went away after so many bytes, or its path was revoked.
    case cancelled(id: String, bytes: Int)
    /// A request was turned away that was for nothing shared here, or not allowed.
    case refused(status: Int, reason: String)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MediaProxyEvent: CustomStringConvertible {
    public var description: String {
        switch self {
        case .opened(let id, let host, let offset, let status): "\(id): \(host) answered \(status), from byte \(offset)"
        case .redirected(let id, let host): "\(id): redirected to \(host)"
        case .redirectExpired(let id): "\(id): the redirect's target has expired"
        case .rangeIgnored(let id, let offset): "\(id): the server ignores Range; skipping \(offset) bytes"
        case .resumed(let id, let offset, let attempt, let reason):
            "\(id): resuming at byte \(offset), attempt \(attempt) (\(reason))"
        case .changed(let id): "\(id): the file has changed on the server"
        case .failed(let id, .some(let status), let reason): "\(id): answered \(status): \(reason)"
        case .failed(let id, nil, let reason): "\(id): cut short: \(reason)"
        case .finished(let id, let bytes): "\(id): sent \(bytes) bytes"
        case .cancelled(let id, let bytes): "\(id): the player went away after \(bytes) bytes"
        case .refused(let status, let reason): "refused with \(status): \(reason)"
        }
    }
}
