internal import Synchronization
internal import TransportCore
internal import TransportHTTP

/// Reaches a media service within the process.
struct EmbeddedMediaClient: HTTPClient {
    let service: MediaService

    func open(_ request: HTTPRequest) async throws(TransportError) -> HTTPStreamedResponse {
        let target: HTTPTarget
        do throws(HTTPMessageError) {
            target = try HTTPTarget(request.url, method: request.method)
        } catch {
            throw TransportError(.invalidURL, error.message)
        }
        let body = request.body
        let asked = MediaRequest(
            head: HTTPRequestHead(method: request.method, target: request.url, headers: request.headers),
            target: target,
            caller: .local,
            readBody: { try await Self.bytes(of: body) }
        )
        do {
            return Self.streamed(try await service.answer(asked), isHead: request.method == "HEAD")
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(Task.isCancelled ? .cancelled : .unavailable, "The media service failed to answer.")
        }
    }

    private static func bytes(of body: HTTPRequestBody) async throws(TransportError) -> [UInt8] {
        switch body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .stream(let stream, _):
            var all: [UInt8] = []
            while let bytes = try await stream.next() {
                all += bytes
                if all.count > MediaRequest.maximumBodyBytes {
                    throw TransportError(.payloadTooLarge(limit: MediaRequest.maximumBodyBytes))
                }
            }
            return all
        }
    }

    private static func streamed(_ response: HTTPServerResponse, isHead: Bool) -> HTTPStreamedResponse {
        var headers = response.headers
        var body: any HTTPBodyStream = WholeBody([])
        switch response.body {
        case .none: headers["Content-Length"] = "0"
        case .bytes(let bytes):
            headers["Content-Length"] = "\(bytes.count)"
            body = WholeBody(bytes)
        case .stream(let stream, let length):
            headers["Content-Length"] = length.map { "\($0)" }
            body = stream
        }
        if isHead {
            body.cancel()
            body = WholeBody([])
        }
        return HTTPStreamedResponse(status: response.status, headers: headers, body: body)
    }
}

/// A body that is there already.
private final class WholeBody: HTTPBodyStream {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) {
        self.bytes = Mutex(bytes)
    }

    func next() async throws(TransportError) -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
    }

    func cancel() {
        bytes.withLock { $0 = [] }
    }
}
