import Foundation
import MediaSync
import Synchronization
import TransportCore

/// A media server on virtual time, as an HTTP client that answers by itself.
final class ScriptedMediaServer: HTTPClient {
    /// A request as it arrived.
    struct Received: Sendable {
        let time: Duration
        let method: String
        let path: String
        let body: JSONValue
        let headers: HTTPHeaders

        var name: String { "\(method) \(path.split(separator: "?").first ?? "")" }
        var isReport: Bool { path == "report" }
        var isPoll: Bool { path.hasPrefix("state") }
    }

    /// What goes wrong with one request.
    enum Fault: Sendable {
        case slow(Duration)
        case status(Int, String)
        case gone
        case garbage
    }

    struct State: Sendable {
        var rooms: [String: MediaState] = [:]
        var library: [MediaTrack] = []
        var volumes: [String: Double] = [:]
        var hintCount = 0
        var faults: [(path: String, fault: Fault)] = []
        var received: [Received] = []
        var inFlight: [String: Int] = [:]
        var mostInFlight: [String: Int] = [:]
        var wanted: Set<String> = []
        /// Whether the server knows nothing of tracks that wait for their start.
        var ignoresStartPaused = false
        /// Chooses faults by itself.
        var random: SeededRandom?
        var faultCount = 0
    }

    let state: Mutex<State>
    let stopwatch: Stopwatch
    let latency: Duration

    init(stopwatch: Stopwatch, latency: Duration = .milliseconds(20)) {
        self.stopwatch = stopwatch
        self.latency = latency
        state = Mutex(State())
    }

    /// Makes the server want something in a room.
    func want(
        _ track: MediaTrack?,
        _ desired: MediaState.Desired = .playing,
        hint: (Double, Double)? = nil,
        startPaused: Bool = false,
        in room: String = MediaAPI.defaultRoom
    ) {
        change(room) { state in
            state.track = track
            state.desired = desired
            state.startPaused = startPaused
            if let hint { state.seekHint = SeekHint(timestamp: hint.0, position: hint.1) }
        }
    }

    func change(_ room: String = MediaAPI.defaultRoom, _ change: (inout MediaState) -> Void) {
        state.withLock { server in
            var state = server.rooms[room] ?? MediaState(track: nil, desired: .stopped)
            change(&state)
            server.rooms[room] = state
            if let id = state.track?.id { server.wanted.insert("\(room)/\(id)") }
        }
    }

    /// Lets the next request whose path begins so go wrong.
    func fail(_ path: String, _ fault: Fault) {
        state.withLock { $0.faults.append((path, fault)) }
    }

    var received: [Received] { state.withLock { $0.received } }
    var polls: [Received] { received.filter(\.isPoll) }

    /// What was reported, with the time at which it arrived.
    var reports: [(time: Duration, report: PlaybackReport)] {
        received.filter(\.isReport).compactMap { received in
            (try? JSONDecoder().decode(PlaybackReport.self, from: Data(received.body.bytes))).map {
                (received.time, $0)
            }
        }
    }

    func requests(_ name: String) -> [Received] { received.filter { $0.name == name } }

    func open(_ request: HTTPRequest) async throws(TransportError) -> HTTPStreamedResponse {
        let path = request.url.components(separatedBy: "/media/api/").last ?? ""
        var body = JSONValue.null
        if case .bytes(let bytes) = request.body { body = (try? JSONValue(parsing: bytes)) ?? .null }
        let received = Received(
            time: stopwatch.elapsed,
            method: request.method,
            path: path,
            body: body,
            headers: request.headers
        )
        let kind = String(path.prefix(while: \.isLetter))
        let (fault, answer) = state.withLock { state in
            state.received.append(received)
            state.inFlight[kind, default: 0] += 1
            state.mostInFlight[kind] = max(state.mostInFlight[kind] ?? 0, state.inFlight[kind] ?? 0)
            let fault = state.takeFault(path)
            switch fault {
            case .gone, .status, .garbage:
                state.faultCount += 1
                return (fault, (200, [UInt8]()))
            default: return (fault, state.answer(received))
            }
        }
        defer { state.withLock { $0.inFlight[kind, default: 1] -= 1 } }
        var delay = latency
        if case .slow(let time) = fault { delay = time }
        do {
            try await stopwatch.sleep(until: received.time + delay)
        } catch {
            throw TransportError(.cancelled)
        }
        let (status, bytes): (Int, [UInt8])
        switch fault {
        case .gone: throw TransportError(.unreachable)
        case .status(let code, let text): (status, bytes) = (code, JSONValue.object(["error": .string(text)]).bytes)
        case .garbage: (status, bytes) = (200, Array("<html>".utf8))
        case .slow, nil: (status, bytes) = answer
        }
        return HTTPStreamedResponse(status: status, headers: [:], body: CannedBodyStream(bytes))
    }
}

extension ScriptedMediaServer.State {
    fileprivate mutating func takeFault(_ path: String) -> ScriptedMediaServer.Fault? {
        if let index = faults.firstIndex(where: { path.hasPrefix($0.path) }) { return faults.remove(at: index).fault }
        guard var random else { return nil }
        defer { self.random = random }
        switch random.nextInt(below: 20) {
        case 0: return .gone
        case 1: return .status(503, "busy")
        case 2: return .garbage
        case 3...6: return .slow(.milliseconds(random.nextInt(below: 6000)))
        default: return nil
        }
    }

    fileprivate mutating func answer(_ request: ScriptedMediaServer.Received) -> (Int, [UInt8]) {
        switch request.name {
        case "GET state":
            let room = request.path.components(separatedBy: "room=").last?.removingPercentEncoding ?? ""
            return json(rooms[room] ?? MediaState(track: nil, desired: .stopped))
        case "POST report": return (200, Array("{}".utf8))
        case "POST play": return play(request.body)
        case "POST control": return control(request.body)
        case "GET library": return json(["tracks": library])
        case "POST search":
            let found = library.map { MediaChoice(id: $0.id, title: $0.title, isInLibrary: true) }
            return json(["results": found])
        case "POST streams":
            let track = MediaTrack(
                id: "s\(library.count)",
                title: request.body["name"]?.stringValue ?? "",
                audioURL: request.body["url"]?.stringValue.flatMap { URL(string: $0) },
                kind: .stream
            )
            library.append(track)
            return json(track)
        default:
            guard request.method == "DELETE", let id = request.path.components(separatedBy: "/").last,
                let index = library.firstIndex(where: { $0.id == id })
            else { return (404, JSONValue.object(["error": "no such track"]).bytes) }
            library.remove(at: index)
            return (200, [])
        }
    }

    private func json(_ value: some Encodable) -> (Int, [UInt8]) {
        (200, (try? JSONEncoder().encode(value)).map { Array($0) } ?? [])
    }

    private mutating func play(_ body: JSONValue) -> (Int, [UInt8]) {
        let room = body["room"]?.stringValue ?? ""
        guard let id = (body["track_id"] ?? body["video_id"])?.stringValue,
            let track = library.first(where: { $0.id == id })
        else {
            return (404, JSONValue.object(["error": "no such track"]).bytes)
        }
        var state = rooms[room] ?? MediaState(track: nil, desired: .playing)
        state.track = track
        state.desired = .playing
        hintCount += 1
        state.seekHint = SeekHint(timestamp: 1000 + Double(hintCount), position: body["position"]?.doubleValue ?? 0)
        state.startPaused = !ignoresStartPaused && body["start_paused"]?.boolValue == true
        rooms[room] = state
        wanted.insert("\(room)/\(id)")
        return json(state)
    }

    private mutating func control(_ body: JSONValue) -> (Int, [UInt8]) {
        let room = body["room"]?.stringValue ?? ""
        var state = rooms[room] ?? MediaState(track: nil, desired: .stopped)
        switch body["action"]?.stringValue {
        case "play":
            state.desired = .playing
            state.startPaused = false
        case "pause": state.desired = .paused
        case "stop": state.desired = .stopped
        case "seek":
            hintCount += 1
            state.seekHint = SeekHint(timestamp: 1000 + Double(hintCount), position: body["position"]?.doubleValue ?? 0)
        case "volume": state.volume = body["volume"]?.doubleValue
        default: return (400, JSONValue.object(["error": "no such action"]).bytes)
        }
        rooms[room] = state
        return json(state)
    }
}
