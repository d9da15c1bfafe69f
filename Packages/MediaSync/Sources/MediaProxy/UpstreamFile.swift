import Foundation
import MediaSync
import Synchronization
import TransportCore
import TransportHTTP

/// One file on a server: asks for parts of it, follows redirects and checks every answer.
final class UpstreamFile: Sendable {
    private struct Target: Hashable, Sendable {
        var url: URL
        /// Whether the source's own fields go along; once another origin was on the way, they never do again.
        var isTrusted: Bool
    }

    let source: MediaSource
    private let client: any HTTPClient
    private let configuration: MediaProxyConfiguration
    private let report: @Sendable (MediaProxyEvent) -> Void
    /// Where the redirects led the last time.
    private let target = Mutex<Target?>(nil)

    init(
        _ source: MediaSource,
        client: any HTTPClient,
        configuration: MediaProxyConfiguration,
        report: @escaping @Sendable (MediaProxyEvent) -> Void
    ) {
        self.source = source
        self.client = client
        self.configuration = configuration
        self.report = report
    }

    // MARK: Parts

    /// Asks for bytes.
    ///
    /// - Parameters:
    ///   - first: The first byte.
    ///   - last: The last one, `nil` for all that follow.
    ///   - isRanged: Whether to ask for a range, which is not needed for the whole.
    ///   - known: The version that they should be of.
    /// - Returns: A body that begins at `first`, or at 0 where the server ignores ranges; its version may be another one.
    /// - Throws: Why there is none, or none that can be trusted.
    func open(
        from first: Int,
        through last: Int?,
        isRanged: Bool,
        known: Representation?
    ) async throws(UpstreamFailure) -> UpstreamAnswer {
        var fields: HTTPHeaders = [:]
        if isRanged {
            fields.append("Range", "bytes=\(first)-\(last.map { "\($0)" } ?? "")")
            if let condition = known?.condition { fields.append("If-Range", condition) }
        }
        let (response, host) = try await fetch("GET", fields)
        report(.opened(id: source.name, host: host, offset: first, status: response.status))
        do throws(UpstreamFailure) {
            switch response.status {
            case 200: return try await whole(response, host, first: first, isRanged: isRanged, known)
            case 206: return try await part(response, host, first: first, known)
            case 416 where isRanged:
                let total = Self.contentRange(response).flatMap { $0.range == nil ? $0.total : nil }
                response.body.cancel()
                return .unsatisfiable(total: total)
            default: throw UpstreamFailure(status: response.status, host: host)
            }
        } catch {
            response.body.cancel()
            throw error
        }
    }

    private func whole(
        _ response: HTTPStreamedResponse,
        _ host: String,
        first: Int,
        isRanged: Bool,
        _ known: Representation?
    ) async throws(UpstreamFailure) -> UpstreamAnswer {
        try Self.checkCoding(response, host)
        let length = Self.length(response)
        let version = try await version(response, host, total: length, known)
        if isRanged, version.total > 0, known.map({ $0.isSame(as: version) }) ?? true {
            report(.rangeIgnored(id: source.name, offset: first))
        }
        let leg = UpstreamLeg(body: response.body, first: 0, last: version.total - 1, endsByLength: length != nil)
        return .leg(leg, version)
    }

    private func part(
        _ response: HTTPStreamedResponse,
        _ host: String,
        first: Int,
        _ known: Representation?
    ) async throws(UpstreamFailure) -> UpstreamAnswer {
        try Self.checkCoding(response, host)
        guard let content = Self.contentRange(response), let range = content.range else {
            throw UpstreamFailure("\(host) sent a part without saying which")
        }
        guard range.first == first else {
            throw UpstreamFailure("\(host) sent bytes from \(range.first) on where \(first) was asked for")
        }
        let length = Self.length(response)
        guard length == nil || length == range.count else {
            throw UpstreamFailure("\(host) sent a part whose length is not that of its range")
        }
        let version = try await version(response, host, total: content.total, known)
        guard range.last < version.total else {
            throw UpstreamFailure("\(host) sent a part that ends beyond the end of the file")
        }
        let leg = UpstreamLeg(body: response.body, first: first, last: range.last, endsByLength: length != nil)
        return .leg(leg, version)
    }

    /// The version that an answer is of; where it does not tell the length, another request has to.
    private func version(
        _ response: HTTPStreamedResponse,
        _ host: String,
        total: Int?,
        _ known: Representation?
    ) async throws(UpstreamFailure) -> Representation {
        if let total { return Representation(total: total, headers: response.headers) }
        if let known {
            let version = Representation(total: known.total, headers: response.headers)
            if known.isSame(as: version) { return version }
        }
        let found = try await discover()
        let version = Representation(total: found.total, headers: response.headers)
        guard found.isSame(as: version) else { throw UpstreamFailure("\(host) is changing the file", kind: .transient) }
        return version
    }

    // MARK: The length

    /// Finds out the length and what names the version, without the bytes.
    ///
    /// The first byte's Content-Range is asked first, since some servers answer GET alone; then HEAD; then the whole,
    /// of which nothing is read.
    func discover() async throws(UpstreamFailure) -> Representation {
        let (probe, host) = try await fetch("GET", ["Range": "bytes=0-0"])
        report(.opened(id: source.name, host: host, offset: 0, status: probe.status))
        if let version = try await version(ofProbe: probe, host) { return version }
        let (head, headHost) = try await fetch("HEAD", [:])
        _ = try? await head.body.next()
        // A length of 0 is what some servers say to any HEAD.
        if head.status == 200, let total = Self.length(head), total > 0, Self.isPlain(head) {
            report(.opened(id: source.name, host: headHost, offset: 0, status: head.status))
            return Representation(total: total, headers: head.headers)
        }
        let (all, allHost) = try await fetch("GET", [:])
        all.body.cancel()
        report(.opened(id: source.name, host: allHost, offset: 0, status: all.status))
        guard all.status == 200 else { throw UpstreamFailure(status: all.status, host: allHost) }
        try Self.checkCoding(all, allHost)
        guard let total = Self.length(all) else {
            throw UpstreamFailure("\(allHost) does not say how long the file is, so nothing can be sought in it")
        }
        return Representation(total: total, headers: all.headers)
    }

    private func version(
        ofProbe probe: HTTPStreamedResponse,
        _ host: String
    ) async throws(UpstreamFailure) -> Representation? {
        switch probe.status {
        case 206:
            // One byte is read for the sake of the connection; more than that is not what was asked for.
            let content = Self.contentRange(probe)
            if Self.length(probe) == 1 {
                while let bytes = try? await probe.body.next(), !bytes.isEmpty {}
            } else {
                probe.body.cancel()
            }
            try Self.checkCoding(probe, host)
            guard let content, content.range?.first == 0 else {
                throw UpstreamFailure("\(host) sent a part without saying which")
            }
            return content.total.map { Representation(total: $0, headers: probe.headers) }
        case 200:
            probe.body.cancel()
            try Self.checkCoding(probe, host)
            return Self.length(probe).map { Representation(total: $0, headers: probe.headers) }
        case 416:
            probe.body.cancel()
            return Self.contentRange(probe)?.total == 0 ? Representation(total: 0, headers: probe.headers) : nil
        default:
            probe.body.cancel()
            throw UpstreamFailure(status: probe.status, host: host)
        }
    }

    /// Opens the file as it comes, for what has no end.
    func openLive() async throws(UpstreamFailure) -> any HTTPBodyStream {
        let (response, host) = try await fetch("GET", [:])
        report(.opened(id: source.name, host: host, offset: 0, status: response.status))
        do throws(UpstreamFailure) {
            guard response.status == 200 else { throw UpstreamFailure(status: response.status, host: host) }
            try Self.checkCoding(response, host)
        } catch {
            response.body.cancel()
            throw error
        }
        return response.body
    }

    /// What the server and the first bytes say about the container.
    func signature() async throws(UpstreamFailure) -> (mediaType: String?, bytes: [UInt8]) {
        let last = MediaContainer.signatureBytes - 1
        let (response, host) = try await fetch("GET", ["Range": "bytes=0-\(last)"])
        guard response.status == 200 || response.status == 206 else {
            response.body.cancel()
            throw UpstreamFailure(status: response.status, host: host)
        }
        var bytes: [UInt8] = []
        while bytes.count < MediaContainer.signatureBytes, let more = try? await response.body.next() { bytes += more }
        response.body.cancel()
        return (response.headers["Content-Type"], Array(bytes.prefix(MediaContainer.signatureBytes)))
    }

    // MARK: Requests

    /// Sends a request to where the file was found the last time, else to its address.
    private func fetch(
        _ method: String,
        _ fields: HTTPHeaders
    ) async throws(UpstreamFailure) -> (HTTPStreamedResponse, host: String) {
        if let known = target.withLock({ $0 }) {
            do throws(UpstreamFailure) {
                let answer = try await follow(method, fields, from: known)
                // Addresses that redirects lead to are often signed for a while only.
                guard [401, 403, 404, 410].contains(answer.0.status) else { return answer }
                answer.0.body.cancel()
            } catch {
                guard error.kind == .transient else { throw error }
            }
            target.withLock { if $0 == known { $0 = nil } }
            report(.redirectExpired(id: source.name))
        }
        return try await follow(method, fields, from: Target(url: source.url, isTrusted: true))
    }

    private func follow(
        _ method: String,
        _ fields: HTTPHeaders,
        from start: Target
    ) async throws(UpstreamFailure) -> (HTTPStreamedResponse, host: String) {
        var current = start
        for _ in 0...max(0, configuration.maximumRedirects) {
            let host = current.url.host() ?? "the server"
            var headers = current.isTrusted ? source.headers : [:]
            headers.append("Accept-Encoding", "identity")
            for field in fields.fields { headers.append(field.name, field.value) }
            let request = HTTPRequest(
                method,
                current.url.absoluteString,
                headers: headers,
                timeout: configuration.serverTimeout,
                followsRedirects: false
            )
            let response: HTTPStreamedResponse
            do throws(TransportError) {
                response = try await client.open(request)
            } catch {
                throw UpstreamFailure(error, host: host)
            }
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"]
            else {
                if current != start, (200..<300).contains(response.status) {
                    let found = current
                    target.withLock { $0 = found }
                }
                return (response, host)
            }
            // An empty body is read for the sake of the connection.
            if method == "HEAD" || response.headers["Content-Length"] == "0" { _ = try? await response.body.next() }
            response.body.cancel()
            current = try Self.next(location, from: current)
            report(.redirected(id: source.name, host: current.url.host() ?? ""))
        }
        throw UpstreamFailure("\(current.url.host() ?? "the server") redirects without end")
    }

    private static func next(_ location: String, from current: Target) throws(UpstreamFailure) -> Target {
        let host = current.url.host() ?? "the server"
        guard let url = URL(string: location, relativeTo: current.url)?.absoluteURL, let origin = Origin(url) else {
            throw UpstreamFailure("\(host) redirects to what is no address")
        }
        guard origin.isSecure || current.url.scheme?.lowercased() != "https" else {
            throw UpstreamFailure("\(host) redirects from https to http, which is not followed")
        }
        return Target(url: url, isTrusted: current.isTrusted && origin == Origin(current.url))
    }

    // MARK: Answers

    private static func contentRange(_ response: HTTPStreamedResponse) -> ContentRange? {
        let values = response.headers.values(of: "Content-Range")
        return values.count == 1 ? ContentRange(values[0]) : nil
    }

    private static func length(_ response: HTTPStreamedResponse) -> Int? {
        guard response.headers["Transfer-Encoding"] == nil else { return nil }
        return response.headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func isPlain(_ response: HTTPStreamedResponse) -> Bool {
        response.headers.values(of: "Content-Encoding").allSatisfy { $0.isEmpty || $0.lowercased() == "identity" }
    }

    /// Bytes that are compressed on the way are not those that ranges count.
    private static func checkCoding(_ response: HTTPStreamedResponse, _ host: String) throws(UpstreamFailure) {
        guard isPlain(response) else {
            throw UpstreamFailure("\(host) compressed the file although that was declined")
        }
    }
}

/// What credentials belong to.
struct Origin: Hashable, Sendable {
    let isSecure: Bool
    let host: String
    let port: Int

    /// The origin of an absolute `http` or `https` address without a user name; `nil` for any other.
    init?(_ url: URL) {
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", let host = url.host(), !host.isEmpty, url.user() == nil,
            url.password() == nil
        else { return nil }
        isSecure = scheme == "https"
        self.host = host.lowercased()
        port = url.port ?? (isSecure ? 443 : 80)
    }
}
