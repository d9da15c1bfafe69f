import Testing
import TransportCore
import TransportHTTP

struct HTTPSerializationTests {
    @Test func writesARequest() throws {
        let head = HTTPRequestHead(
            method: "POST",
            target: "/token",
            headers: ["Host": "hope.example:8443", "Content-Length": "2", "X-Name": "  Zoë "]
        )
        let text = "POST /token HTTP/1.1\r\nHost: hope.example:8443\r\nContent-Length: 2\r\nX-Name: Zoë\r\n\r\n"
        #expect(try head.serialized() == Array(text.utf8))
    }

    @Test func writesAnAnswer() throws {
        let head = HTTPResponseHead(status: 416, headers: ["Content-Range": "bytes */10", "Content-Length": "0"])
        let text = "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */10\r\nContent-Length: 0\r\n\r\n"
        #expect(try head.serialized() == Array(text.utf8))
    }

    static let injections: [(name: String, value: String)] = [
        ("A", "b\r\nSet-Cookie: x"), ("A", "b\nB: c"), ("A", "b\rB: c"), ("A", "b\0"), ("A", "b\u{7F}"),
        ("A", "\u{1B}[2J"),
        ("A: b\r\nC", "d"), ("A B", "c"), ("", "c"), ("A:", "c"), ("Ä", "c"),
    ]

    @Test(arguments: injections)
    func noHeaderCanBecomeTwo(_ name: String, _ value: String) {
        var headers: HTTPHeaders = ["Host": "x"]
        headers.append(name, value)
        let request = HTTPRequestHead(method: "GET", target: "/", headers: headers)
        #expect(throws: HTTPMessageError.self) { try request.serialized() }
        let response = HTTPResponseHead(status: 200, headers: headers)
        #expect(throws: HTTPMessageError.self) { try response.serialized() }
        var writer = HTTPBodyWriter(.chunked)
        #expect(throws: HTTPMessageError.self) {
            try writer.finish(trailers: HTTPHeaders([.init(name: name, value: value)]))
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nX: ", "/"), ("", "/"), ("G T", "/"), ("GET", "/ HTTP/1.1\r\nX: y"), ("GET", "/a b"),
        ("GET", ""),
        ("GET", "/\u{E4}"), ("GET", "*"), ("GET", "/%zz"),
    ])
    func noFirstLineCanBecomeTwo(_ method: String, _ target: String) {
        let request = HTTPRequestHead(method: method, target: target, headers: ["Host": "x"])
        #expect(throws: HTTPMessageError.self) { try request.serialized() }
    }

    @Test(arguments: [(200, "OK\r\nA: b"), (99, ""), (1000, ""), (-1, "")])
    func noStatusLineCanBecomeTwo(_ status: Int, _ reason: String) {
        let response = HTTPResponseHead(status: status, reason: reason, headers: ["Content-Length": "0"])
        #expect(throws: HTTPMessageError.self) { try response.serialized() }
    }

    @Test(arguments: [
        HTTPHeaders(), ["Host": "a", "host": "b"], ["Host": "a b"],
        ["Host": "x", "Content-Length": "1", "Content-length": "1"],
        ["Host": "x", "Content-Length": "1", "Transfer-Encoding": "chunked"], ["Host": "x", "Content-Length": "one"],
        ["Host": "x", "Transfer-Encoding": "gzip"], ["Host": "x", "Expect": "miracles"],
    ])
    func whatItsOwnParserWouldRefuseIsNotWritten(_ headers: HTTPHeaders) {
        let request = HTTPRequestHead(method: "POST", target: "/", headers: headers)
        #expect(throws: HTTPMessageError.self) { try request.serialized() }
    }

    @Test(arguments: [100, 101, 204])
    func anAnswerWithoutABodyHasNoLength(_ status: Int) throws {
        #expect(throws: HTTPMessageError.self) {
            try HTTPResponseHead(status: status, headers: ["Content-Length": "0"]).serialized()
        }
        #expect(throws: HTTPMessageError.self) {
            try HTTPResponseHead(status: status, headers: ["Transfer-Encoding": "chunked"]).serialized()
        }
        #expect(try !HTTPResponseHead(status: status).serialized().isEmpty)
    }

    // MARK: Bodies

    @Test func aBodyOfKnownLengthIsSentAsItIs() throws {
        var writer = HTTPBodyWriter(.length(5))
        #expect(try writer.encode([1, 2, 3]) == [1, 2, 3])
        #expect(throws: HTTPMessageError.self) { try writer.finish() }
        #expect(throws: HTTPMessageError.self) { try writer.encode([4, 5, 6]) }
        #expect(try writer.encode([4, 5]) == [4, 5])
        #expect(try writer.finish() == [])
        #expect(throws: HTTPMessageError.self) { try writer.encode([6]) }
    }

    @Test func chunksReadBackAsWritten() throws {
        var writer = HTTPBodyWriter(.chunked)
        var wire = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        wire += try writer.encode(Array("hello, ".utf8))
        wire += try writer.encode([])
        wire += try writer.encode(Array(String(repeating: "x", count: 300).utf8))
        wire += try writer.finish(trailers: ["X-Sum": "1"])
        #expect(String(decoding: wire, as: UTF8.self).contains("\r\n12c\r\nxxx"))
        let message = HTTPTranscript(responsesTo: ["GET"], [wire]).messages.first
        #expect(message?.text == "hello, " + String(repeating: "x", count: 300))
        #expect(message?.trailers?["x-sum"] == "1")
        #expect(throws: HTTPMessageError.self) { try writer.encode([1]) }
        #expect(try writer.finish() == [])
    }

    @Test func aMessageWithoutABodyTakesNone() throws {
        var writer = HTTPBodyWriter(.empty)
        #expect(throws: HTTPMessageError.self) { try writer.encode([1]) }
        #expect(try writer.finish() == [])
        var untilClose = HTTPBodyWriter(.untilClose)
        #expect(try untilClose.encode([1, 2]) == [1, 2])
        #expect(throws: HTTPMessageError.self) { try untilClose.finish(trailers: ["A": "b"]) }
    }

    static let framings: [(method: String, status: Int, headers: HTTPHeaders, framing: HTTPBodyFraming)] = [
        ("GET", 200, [:], .untilClose), ("GET", 200, ["Content-Length": "3"], .length(3)),
        ("GET", 200, ["Transfer-Encoding": "chunked"], .chunked), ("HEAD", 200, ["Content-Length": "3"], .empty),
        ("GET", 304, ["Content-Length": "3"], .empty), ("GET", 204, [:], .empty), ("GET", 101, [:], .empty),
        ("CONNECT", 200, [:], .empty), ("CONNECT", 403, ["Content-Length": "3"], .length(3)),
    ]

    @Test(arguments: framings)
    func theBodysEndDependsOnTheRequest(
        _ method: String,
        _ status: Int,
        _ headers: HTTPHeaders,
        _ framing: HTTPBodyFraming
    ) throws {
        #expect(try HTTPResponseHead(status: status, headers: headers).bodyFraming(answering: method) == framing)
    }
}
