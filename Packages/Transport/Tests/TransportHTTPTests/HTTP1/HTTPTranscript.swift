import TransportCore
import TransportHTTP

/// Everything a parser said about some bytes, with the pieces of each body put together.
struct HTTPTranscript: Equatable {
    struct Message: Equatable {
        var start: String
        var headers: HTTPHeaders
        var body: [UInt8] = []
        var trailers: HTTPHeaders?

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    var messages: [Message] = []
    var error: HTTPMessageError.Code?

    /// Reads requests from bytes in pieces.
    init(requests pieces: [[UInt8]], limits: HTTPLimits = HTTPLimits(), ends: Bool = false) {
        var parser = HTTPRequestParser(limits: limits)
        do throws(HTTPMessageError) {
            for piece in pieces {
                parser.push(piece)
                while let event = try parser.next() { add(event) }
            }
            if ends { parser.pushEnd() }
            while let event = try parser.next() { add(event) }
        } catch {
            self.error = error.code
        }
    }

    /// Reads answers to requests with these methods from bytes in pieces.
    init(
        responsesTo methods: [String],
        _ pieces: [[UInt8]],
        limits: HTTPLimits = HTTPLimits(),
        ends: Bool = false
    ) {
        var parser = HTTPResponseParser(limits: limits)
        for method in methods { parser.expect(method) }
        do throws(HTTPMessageError) {
            for piece in pieces {
                parser.push(piece)
                while let event = try parser.next() { add(event) }
            }
            if ends { parser.pushEnd() }
            while let event = try parser.next() { add(event) }
        } catch {
            self.error = error.code
        }
    }

    private mutating func add(_ event: HTTPRequestEvent) {
        switch event {
        case .head(let head):
            messages.append(
                Message(start: "\(head.method) \(head.target) \(head.version.rawValue)", headers: head.headers)
            )
        case .body(let bytes): addBody(bytes)
        case .end(let trailers): addEnd(trailers)
        }
    }

    private mutating func add(_ event: HTTPResponseEvent) {
        switch event {
        case .interim(let head):
            messages.append(Message(start: "interim \(head.status)", headers: head.headers, trailers: [:]))
        case .head(let head):
            messages.append(
                Message(start: "\(head.version.rawValue) \(head.status) \(head.reason)", headers: head.headers)
            )
        case .body(let bytes): addBody(bytes)
        case .end(let trailers): addEnd(trailers)
        }
    }

    private mutating func addBody(_ bytes: ArraySlice<UInt8>) {
        guard let last = messages.indices.last, !bytes.isEmpty else { return }
        messages[last].body += bytes
    }

    private mutating func addEnd(_ trailers: HTTPHeaders) {
        guard let last = messages.indices.last else { return }
        messages[last].trailers = trailers
    }

    /// One line a message: the first line, the body, and whether the end was seen.
    var summary: [String] {
        messages.map { message in
            message.start + (message.body.isEmpty ? "" : " [\(message.text)]") + (message.trailers == nil ? " …" : "")
        }
    }
}
