import MediaSync
import Synchronization
import TransportCore
import TransportHTTP

/// A file that players can ask for under one path, until it is revoked.
final class SharedFile: Sendable {
    private struct State {
        /// The version that the server had the last time.
        var version: Representation?
        /// What is being sent to players.
        var bodies: [UInt64: any HTTPBodyStream] = [:]
        var nextNumber: UInt64 = 0
        var isRevoked = false
    }

    /// The path, which nobody guesses.
    let path: String
    private let mediaType: String?
    private let file: UpstreamFile
    private let configuration: MediaProxyConfiguration
    private let stopwatch: Stopwatch
    private let report: @Sendable (MediaProxyEvent) -> Void
    private let state = Mutex(State())

    init(
        _ file: UpstreamFile,
        path: String,
        mediaType: String?,
        configuration: MediaProxyConfiguration,
        stopwatch: Stopwatch,
        report: @escaping @Sendable (MediaProxyEvent) -> Void
    ) {
        self.file = file
        self.path = path
        self.mediaType = mediaType
        self.configuration = configuration
        self.stopwatch = stopwatch
        self.report = report
    }

    /// Ends what is being sent, and sends nothing any more.
    func revoke() {
        let bodies = state.withLock { state in
            state.isRevoked = true
            defer { state.bodies = [:] }
            return state.bodies.sorted { $0.key < $1.key }.map(\.value)
        }
        for body in bodies { body.cancel() }
    }

    // MARK: Answering

    /// Answers a GET or HEAD request.
    func answer(_ head: HTTPRequestHead) async throws(UpstreamFailure) -> HTTPServerResponse {
        do throws(UpstreamFailure) {
            let response = file.source.isLive ? try await live(head) : try await part(of: head)
            return response
        } catch {
            if error.kind != .cancelled {
                report(.failed(id: file.source.name, status: error.status, reason: error.reason))
            }
            throw error
        }
    }

    private func part(of head: HTTPRequestHead) async throws(UpstreamFailure) -> HTTPServerResponse {
        var head = head
        let spec = Self.spec(of: head)
        // Several ranges are answered with the whole, as if none had been asked for.
        if spec == nil { head.headers["Range"] = nil }

        var known = state.withLock { $0.version }
        var isFresh = false
        if known == nil, Self.needsVersion(head, spec) {
            known = try await discover()
            isFresh = true
        }
        // A file may be replaced while it is being asked for, but not every time.
        for _ in 0..<3 {
            let wanted: (first: Int, last: Int?, isRanged: Bool)
            switch known.map({ evaluate(head, $0) }) {
            case .answer(let response):
                // What is said without a look at the server's bytes has to hold now, not when they were looked at last.
                if isFresh { return response }
                known = try await discover()
                isFresh = true
                continue
            case .part(let range, let total):
                wanted = (range.first, range.last == total - 1 ? nil : range.last, true)
            case .whole: wanted = (0, nil, false)
            case nil:
                if case .from(let first, let last) = spec {
                    wanted = (first, last, true)
                } else {
                    wanted = (0, nil, false)
                }
            }
            let answer = try await file.open(
                from: wanted.first,
                through: wanted.last,
                isRanged: wanted.isRanged,
                known: known
            )
            switch answer {
            case .unsatisfiable:
                known = try await discover()
                isFresh = true
            case .leg(let leg, let version):
                state.withLock { $0.version = version }
                if let known, !known.isSame(as: version) { report(.changed(id: file.source.name)) }
                if let response = try send(leg, version, to: head) { return response }
                leg.body.cancel()
                known = version
                isFresh = true
            }
        }
        throw UpstreamFailure("the file is being changed on the server again and again")
    }

    /// The answer with the bytes that a leg brings; `nil` when the request is to be answered with other ones.
    private func send(
        _ leg: UpstreamLeg,
        _ version: Representation,
        to head: HTTPRequestHead
    ) throws(UpstreamFailure) -> HTTPServerResponse? {
        var headers = fields(version)
        let status: Int
        let range: ByteRange?
        switch evaluate(head, version) {
        case .answer: return nil
        case .whole:
            status = 200
            range = ByteRange(first: 0, last: version.total - 1)
        case .part(let part, let total):
            status = 206
            range = part
            headers["Content-Range"] = ContentRange(part, total: total)?.description
        }
        guard let range else {
            leg.body.cancel()
            return HTTPServerResponse(status: status, headers: headers)
        }
        // From the beginning everything can be reached, also where a replaced file is now wanted from elsewhere.
        guard leg.first == 0 || leg.first == range.first else { return nil }
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let body = ResumingBody(
            file,
            version: version,
            first: range.first,
            last: range.last,
            leg: leg,
            configuration: configuration,
            stopwatch: stopwatch,
            report: report,
            didEnd: { [weak self] in self?.forget(number) }
        )
        try keep(body, number)
        return HTTPServerResponse(status: status, headers: headers, body: .stream(body, length: range.count))
    }

    private func live(_ head: HTTPRequestHead) async throws(UpstreamFailure) -> HTTPServerResponse {
        var headers: HTTPHeaders = [
            "Accept-Ranges": "none", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        ]
        headers["Content-Type"] = mediaType
        let stream = try await file.openLive()
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let body = LiveBody(stream, id: file.source.name, report: report) { [weak self] in self?.forget(number) }
        try keep(body, number)
        return HTTPServerResponse(headers: headers, body: .stream(body, length: nil))
    }

    private func keep(_ body: any HTTPBodyStream, _ number: UInt64) throws(UpstreamFailure) {
        let isRevoked = state.withLock { state in
            if !state.isRevoked { state.bodies[number] = body }
            return state.isRevoked
        }
        guard isRevoked else { return }
        body.cancel()
        throw UpstreamFailure("the path has been revoked", status: 404)
    }

    private func forget(_ number: UInt64) {
        _ = state.withLock { $0.bodies.removeValue(forKey: number) }
    }

    private func discover() async throws(UpstreamFailure) -> Representation {
        let version = try await file.discover()
        state.withLock { $0.version = version }
        return version
    }

    // MARK: Deciding

    private enum Evaluation {
        /// Nothing of the file is needed.
        case answer(HTTPServerResponse)
        case part(ByteRange, total: Int)
        case whole
    }

    /// The one range that a GET asks for; `nil` when it has none, several, or one that has to be ignored.
    private static func spec(of head: HTTPRequestHead) -> RangeRequest.Spec? {
        let ranges = head.headers.values(of: "Range")
        guard head.method == "GET", ranges.count == 1, let specs = RangeRequest(ranges[0])?.specs, specs.count == 1
        else { return nil }
        return specs[0]
    }

    /// Whether the length and the tag have to be known before the server can be asked for bytes.
    private static func needsVersion(_ head: HTTPRequestHead, _ spec: RangeRequest.Spec?) -> Bool {
        let conditions = ["If-Match", "If-None-Match", "If-Range"]
        if head.method == "HEAD" || conditions.contains(where: { head.headers[$0] != nil }) { return true }
        switch spec {
        case .suffix: return true
        // What does not fit into a number is certainly beyond the end, but of what?
        case .from(let first, _): return first == Int.max
        case nil: return false
        }
    }

    private func evaluate(_ head: HTTPRequestHead, _ version: Representation) -> Evaluation {
        let tag = version.localTag(id: path)
        var headers = fields(version)
        if let match = head.headers["If-Match"], tag?.isNamed(by: match) != true {
            return .answer(HTTPServerResponse(status: 412, headers: headers))
        }
        if let match = head.headers["If-None-Match"], tag?.isNamed(by: match) == true {
            return .answer(HTTPServerResponse(status: 304, headers: headers))
        }
        if head.method == "HEAD" {
            headers["Content-Length"] = "\(version.total)"
            return .answer(HTTPServerResponse(headers: headers))
        }
        let answer = RangeRequest.answer(
            to: head,
            length: version.total,
            entityTag: tag,
            lastModified: version.lastModified
        )
        switch answer {
        case .whole: return .whole
        case .part(let range): return .part(range, total: version.total)
        case .unsatisfiable:
            headers["Content-Range"] = ContentRange(unsatisfiableTotal: version.total).description
            headers["Content-Type"] = nil
            return .answer(HTTPServerResponse(status: 416, headers: headers))
        }
    }

    private func fields(_ version: Representation) -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        headers["Content-Type"] = mediaType
        headers["Accept-Ranges"] = "bytes"
        headers["ETag"] = version.localTag(id: path)?.description
        headers["Last-Modified"] = version.lastModified
        headers["Cache-Control"] = "private, no-cache"
        headers["X-Content-Type-Options"] = "nosniff"
        return headers
    }
}

/// What comes from a server without an end, passed on as it comes.
private final class LiveBody: HTTPBodyStream {
    private struct State {
        var count = 0
        var isCancelled = false
        var isOver = false
    }

    private let stream: any HTTPBodyStream
    private let id: String
    private let report: @Sendable (MediaProxyEvent) -> Void
    private let didEnd: @Sendable () -> Void
    private let state = Mutex(State())

    init(
        _ stream: any HTTPBodyStream,
        id: String,
        report: @escaping @Sendable (MediaProxyEvent) -> Void,
        didEnd: @escaping @Sendable () -> Void
    ) {
        self.stream = stream
        self.id = id
        self.report = report
        self.didEnd = didEnd
    }

    func next() async throws(TransportError) -> [UInt8]? {
        if state.withLock({ $0.isCancelled }) { throw TransportError(.cancelled) }
        let bytes: [UInt8]?
        do throws(TransportError) {
            bytes = try await stream.next()
        } catch {
            if error.code != .cancelled { end { _ in .failed(id: id, status: nil, reason: "the server broke off") } }
            throw error
        }
        if let bytes {
            state.withLock { $0.count += bytes.count }
        } else {
            end { .finished(id: id, bytes: $0) }
        }
        return bytes
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        stream.cancel()
        end { .cancelled(id: id, bytes: $0) }
    }

    private func end(_ event: (Int) -> MediaProxyEvent) {
        let (isFirst, count) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.count)
        }
        guard isFirst else { return }
        report(event(count))
        didEnd()
    }
}
