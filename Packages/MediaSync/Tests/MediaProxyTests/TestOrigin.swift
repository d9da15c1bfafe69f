import Foundation
import Synchronization
import TransportCore
import TransportHTTP
import TransportTLS

/// The bytes of a file that need not be in memory.
enum Content: Sendable {
    case bytes([UInt8])
    /// So many bytes whose content depends on where they are, so that one in the wrong place is noticed.
    case pattern(Int)
    /// So many bytes of nothing.
    case zeros(Int)

    // The length of the block is a prime, so no power of two leads from one place to an equal one.
    private static let block: [UInt8] = {
        var random = SeededRandom(seed: 7)
        return (0..<65_521).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }()
    private static let nothing = [UInt8](repeating: 0, count: 256 * 1024)

    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .pattern(let count), .zeros(let count): count
        }
    }

    /// The bytes from `first` on, at most `limit` of them.
    func bytes(from first: Int, atMost limit: Int) -> [UInt8] {
        let end = min(count, first + limit)
        guard first < end else { return [] }
        switch self {
        case .bytes(let bytes): return Array(bytes[first..<end])
        case .zeros: return end - first == Self.nothing.count ? Self.nothing : [UInt8](repeating: 0, count: end - first)
        case .pattern:
            var found: [UInt8] = []
            found.reserveCapacity(end - first)
            var position = first
            while position < end {
                let start = position % Self.block.count
                let piece = Self.block[start..<min(Self.block.count, start + end - position)]
                found += piece
                position += piece.count
            }
            return found
        }
    }

    /// All bytes from `first` to `last`.
    func bytes(_ first: Int, _ last: Int) -> [UInt8] { bytes(from: first, atMost: last - first + 1) }
}

/// Something that tasks wait at until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until it is open, or the task is cancelled.
    func wait() async {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isParked = state.withLock { state in
                    if state.isOpen || Task.isCancelled { return false }
                    state.waiters[number] = continuation
                    return true
                }
                if !isParked { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}

/// A server that misbehaves on command.
final class TestOrigin: Sendable {
    struct Behavior: Sendable {
        var content = Content.pattern(100_000)
        /// Another content for the answers after the first `changesAfter` ones.
        var changesAfter = Int.max
        var changedContent = Content.pattern(100_000)
        var changedTag: String? = "\"v2\""

        var type: String? = "text/plain"
        var tag: String? = "\"v1\""
        var lastModified: String?
        var date: String?
        var extraHeaders: HTTPHeaders = [:]

        var ignoresRange = false
        /// Whether parts have `*` in place of the length.
        var hidesTotal = false
        /// Whether the length of a body is not told.
        var hidesLength = false
        /// What the first byte of a part is off by.
        var shift = 0
        /// The first answer that is off.
        var shiftsAfter = 0
        var dropsAfter: Int?
        /// How many answers break off.
        var drops = Int.max
        /// The longest part that is given.
        var cap: Int?
        var coding: String?
        var refusesHEAD = false
        var status: Int?
        /// What is waited for before an answer begins.
        var gate: Gate?
        /// What is waited for after so many bytes of a body.
        var bodyGate: (after: Int, gate: Gate)?
        /// Where paths lead to.
        var redirects: [String: String] = [:]
        /// Paths that answer with a status.
        var statuses: [String: Int] = [:]
    }

    private struct State {
        var behavior = Behavior()
        var seen: [HTTPRequestHead] = []
        var open = 0
        var sent = 0
        var answers = 0
        var waiters: [(isEnough: @Sendable (Int, Int) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    init(_ behavior: Behavior = Behavior()) {
        state.withLock { $0.behavior = behavior }
    }

    /// Changes how it behaves from now on.
    func change(_ body: @Sendable (inout Behavior) -> Void) {
        state.withLock { body(&$0.behavior) }
    }

    var content: Content { state.withLock { $0.behavior.content } }
    /// The requests so far.
    var seen: [HTTPRequestHead] { state.withLock { $0.seen } }
    /// How many requests are being answered.
    var open: Int { state.withLock { $0.open } }
    /// How many bytes of bodies were produced.
    var sent: Int { state.withLock { $0.sent } }

    /// Waits until the numbers of requests that came and that are open satisfy a condition.
    func wait(until isEnough: @escaping @Sendable (_ seen: Int, _ open: Int) -> Bool) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isThere = state.withLock { state in
                if isEnough(state.seen.count, state.open) { return true }
                state.waiters.append((isEnough, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func update(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            let (seen, open) = (state.seen.count, state.open)
            defer { state.waiters.removeAll { $0.isEnough(seen, open) } }
            return state.waiters.filter { $0.isEnough(seen, open) }.map(\.continuation)
        }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: Answering

    func answer(_ request: HTTPServerRequest) async throws -> HTTPServerResponse {
        update {
            $0.seen.append(request.head)
            $0.open += 1
        }
        let behavior = state.withLock { $0.behavior }
        if let gate = behavior.gate {
            await gate.wait()
            if Task.isCancelled {
                update { $0.open -= 1 }
                throw CancellationError()
            }
        }
        let number = state.withLock { state in
            state.answers += 1
            return state.answers
        }
        let response = response(to: request, behavior, number: number)
        if case .stream = response.body, request.method != "HEAD" { return response }
        update { $0.open -= 1 }
        return response
    }

    private func response(to request: HTTPServerRequest, _ behavior: Behavior, number: Int) -> HTTPServerResponse {
        if let location = behavior.redirects[request.path] {
            return HTTPServerResponse(status: 302, headers: ["Location": location])
        }
        if let status = behavior.statuses[request.path] ?? behavior.status { return HTTPServerResponse(status: status) }
        if request.method == "HEAD", behavior.refusesHEAD { return HTTPServerResponse(status: 405) }
        let isChanged = number > behavior.changesAfter
        let content = isChanged ? behavior.changedContent : behavior.content
        let tag = isChanged ? behavior.changedTag : behavior.tag
        var headers = behavior.extraHeaders
        headers["Content-Type"] = behavior.type
        headers["ETag"] = tag
        headers["Last-Modified"] = behavior.lastModified
        headers["Date"] = behavior.date
        headers["Content-Encoding"] = behavior.coding
        let answer =
            behavior.ignoresRange
            ? .whole
            : RangeRequest.answer(
                to: request.head,
                length: content.count,
                entityTag: tag.flatMap { EntityTag($0) },
                lastModified: behavior.lastModified
            )
        var (first, last) = (0, content.count - 1)
        var status = 200
        switch answer {
        case .whole: break
        case .unsatisfiable:
            headers["Content-Range"] = behavior.hidesTotal ? nil : "bytes */\(content.count)"
            return HTTPServerResponse(status: 416, headers: headers)
        case .part(let range):
            (first, last) = (range.first, range.last)
            if let cap = behavior.cap { last = min(last, first + cap - 1) }
            if number > behavior.shiftsAfter {
                first += behavior.shift
                last = min(last + behavior.shift, content.count - 1)
            }
            status = 206
            headers["Content-Range"] = "bytes \(first)-\(last)/\(behavior.hidesTotal ? "*" : "\(content.count)")"
        }
        let length = last - first + 1
        let drop = number <= behavior.drops ? behavior.dropsAfter : nil
        let body = OriginBody(content, first: first, count: length, drop: drop, gate: behavior.bodyGate) {
            count,
            isOver in
            self.update {
                $0.sent += count
                if isOver { $0.open -= 1 }
            }
        }
        return HTTPServerResponse(
            status: status,
            headers: headers,
            body: .stream(body, length: behavior.hidesLength ? nil : length)
        )
    }
}

private final class OriginBody: HTTPBodyStream {
    private struct State {
        var position: Int
        var isOver = false
    }

    private let content: Content
    private let first: Int
    private let end: Int
    private let drop: Int?
    private let gate: (after: Int, gate: Gate)?
    private let report: @Sendable (_ count: Int, _ isOver: Bool) -> Void
    private let state: Mutex<State>

    init(
        _ content: Content,
        first: Int,
        count: Int,
        drop: Int?,
        gate: (after: Int, gate: Gate)?,
        report: @escaping @Sendable (Int, Bool) -> Void
    ) {
        self.content = content
        self.first = first
        end = first + count
        self.drop = drop
        self.gate = gate
        self.report = report
        state = Mutex(State(position: first))
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let position = state.withLock { $0.position }
        var limit = min(256 * 1024, end - position)
        if let gate, position - first < gate.after {
            limit = min(limit, gate.after - (position - first))
        } else if let gate {
            await gate.gate.wait()
        }
        if let drop {
            limit = min(limit, drop - (position - first))
            guard limit > 0 || position == end else {
                cancel()
                throw TransportError(.closed)
            }
        }
        guard limit > 0 else {
            cancel()
            return nil
        }
        let bytes = content.bytes(from: position, atMost: limit)
        state.withLock { $0.position += bytes.count }
        report(bytes.count, false)
        return bytes
    }

    func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { report(0, true) }
    }
}
