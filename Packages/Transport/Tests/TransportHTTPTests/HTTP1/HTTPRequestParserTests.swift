import Testing
import TransportCore
import TransportHTTP

struct HTTPRequestParserTests {
    struct Good: CustomTestStringConvertible, Sendable {
        let name: String
        let wire: String
        let summary: [String]
        var testDescription: String { name }
    }

    static let good: [Good] = [
        Good(
            name: "a plain GET",
            wire: "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n",
            summary: ["GET /a?b=c HTTP/1.1"]
        ),
        Good(
            name: "a body of known length, then another request behind it",
            wire: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /2 HTTP/1.1\r\nHost: x\r\n\r\n",
            summary: ["POST / HTTP/1.1 [hello]", "GET /2 HTTP/1.1"]
        ),
        Good(
            name: "chunks with extensions, a leading zero, capitals and trailers",
            wire: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "5;a=b;c=\"d\"\r\nhello\r\n00A ;x\r\n, wonderfu\r\n1\r\nl\r\n0\r\nX-Sum: 7\r\n\r\n",
            summary: ["POST / HTTP/1.1 [hello, wonderful]"]
        ),
        Good(
            name: "an empty body of length 0",
            wire: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
            summary: ["POST / HTTP/1.1"]
        ),
        Good(
            name: "an empty chunked body",
            wire: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            summary: ["POST / HTTP/1.1"]
        ),
        Good(
            name: "one empty line before a request",
            wire: "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n",
            summary: ["GET / HTTP/1.1", "GET /2 HTTP/1.1"]
        ),
        Good(
            name: "nothing is read behind Connection: close",
            wire: "GET / HTTP/1.1\r\nHost: x\r\nConnection: foo, Close\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n",
            summary: ["GET / HTTP/1.1"]
        ),
        Good(
            name: "HTTP/1.0 ends the connection, and needs no Host",
            wire: "GET / HTTP/1.0\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
            summary: ["GET / HTTP/1.0"]
        ),
        Good(
            name: "HTTP/1.0 with keep-alive",
            wire: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
            summary: ["GET / HTTP/1.0", "GET /2 HTTP/1.0"]
        ),
        Good(
            name: "a later minor version",
            wire: "GET / HTTP/1.7\r\nHost: x\r\n\r\n",
            summary: ["GET / HTTP/1.1"]
        ),
        Good(
            name: "an absolute target with the same host",
            wire: "GET http://X:80/p HTTP/1.1\r\nHost: x:80\r\n\r\n",
            summary: ["GET http://X:80/p HTTP/1.1"]
        ),
        Good(
            name: "OPTIONS for the server itself",
            wire: "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
            summary: ["OPTIONS * HTTP/1.1"]
        ),
        Good(
            name: "CONNECT with host and port",
            wire: "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n",
            summary: ["CONNECT x:443 HTTP/1.1"]
        ),
        Good(
            name: "a request that is not whole yet",
            wire: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel",
            summary: ["POST / HTTP/1.1 [hel] …"]
        ),
    ]

    @Test(arguments: good)
    func readsTheSameInEverySplit(_ message: Good) {
        for pieces in Splits.all(of: Array(message.wire.utf8)) {
            let transcript = HTTPTranscript(requests: pieces)
            #expect(transcript.summary == message.summary)
            #expect(transcript.error == nil)
        }
    }

    struct Bad: CustomTestStringConvertible, Sendable {
        let name: String
        let wire: String
        let code: HTTPMessageError.Code
        var testDescription: String { name }

        init(_ name: String, _ code: HTTPMessageError.Code, _ wire: String) {
            self.name = name
            self.code = code
            self.wire = wire
        }

        /// With this behind the Host field of a POST.
        init(_ name: String, _ code: HTTPMessageError.Code, fields: String, body: String = "") {
            self.init(name, code, "POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n\(body)")
        }

        /// With these chunks.
        init(_ name: String, _ code: HTTPMessageError.Code, chunks: String) {
            self.init(name, code, fields: "Transfer-Encoding: chunked", body: chunks)
        }
    }

    static let bad: [Bad] = [
        Bad("two lengths", .ambiguousLength, fields: "Content-Length: 5\r\nContent-Length: 6", body: "hello"),
        Bad("the same length twice", .ambiguousLength, fields: "Content-Length: 5\r\ncontent-length: 5", body: "hello"),
        Bad("a list of lengths", .invalidLength, fields: "Content-Length: 5, 5", body: "hello"),
        Bad("a length with a sign", .invalidLength, fields: "Content-Length: +5", body: "hello"),
        Bad("a negative length", .invalidLength, fields: "Content-Length: -5", body: "hello"),
        Bad("a length in hexadecimal", .invalidLength, fields: "Content-Length: 0x5", body: "hello"),
        Bad("an empty length", .invalidLength, fields: "Content-Length: ", body: "hello"),
        Bad("a length beyond all limits", .bodyTooLarge, fields: "Content-Length: 99999999999999999999", body: "hello"),
        Bad("length with chunked", .ambiguousLength, fields: "Content-Length: 5\r\nTransfer-Encoding: chunked"),
        Bad("chunked twice", .unsupportedTransferCoding, fields: "Transfer-Encoding: chunked, chunked"),
        Bad(
            "chunked in two fields",
            .unsupportedTransferCoding,
            fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"
        ),
        Bad("another coding below chunked", .unsupportedTransferCoding, fields: "Transfer-Encoding: gzip, chunked"),
        Bad("identity", .unsupportedTransferCoding, fields: "Transfer-Encoding: identity"),
        Bad("chunked with something before it", .unsupportedTransferCoding, fields: "Transfer-Encoding: xchunked"),
        Bad("chunked behind a vertical tab", .invalidHeader, fields: "Transfer-Encoding: \u{B}chunked"),
        Bad(
            "chunked in HTTP/1.0",
            .ambiguousLength,
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        Bad("a folded line", .invalidHeader, fields: "A: b\r\n c"),
        Bad("a line folded with a tab", .invalidHeader, fields: "A: b\r\n\tc"),
        Bad("a folded line before any field", .invalidHeader, "GET / HTTP/1.1\r\n Host: x\r\n\r\n"),
        Bad("a space before the colon", .invalidHeader, fields: "Content-Length : 5"),
        Bad("a tab before the colon", .invalidHeader, fields: "A\t: 5"),
        Bad("no colon", .invalidHeader, fields: "just words"),
        Bad("no name", .invalidHeader, fields: ": value"),
        Bad("a name in quotes", .invalidHeader, fields: "\"A\": value"),
        Bad("a name beyond ASCII", .invalidHeader, fields: "Ä: value"),
        Bad("a zero byte in a value", .invalidHeader, fields: "A: b\0c"),
        Bad("a delete character in a value", .invalidHeader, fields: "A: b\u{7F}c"),
        Bad("a line feed alone behind the first line", .invalidLineEnd, "GET / HTTP/1.1\nHost: x\r\n\r\n"),
        Bad("a line feed alone behind a field", .invalidLineEnd, fields: "A: b\nB: c"),
        Bad("a line feed alone at the end", .invalidLineEnd, "GET / HTTP/1.1\r\nHost: x\r\n\n"),
        Bad("a carriage return in a value", .invalidLineEnd, fields: "A: b\rContent-Length: 5"),
        Bad("two carriage returns", .invalidLineEnd, "GET / HTTP/1.1\r\nHost: x\r\r\n\r\n"),
        Bad("no Host", .hostCount, "GET / HTTP/1.1\r\n\r\n"),
        Bad("two Hosts", .hostCount, "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n"),
        Bad("two Hosts in HTTP/1.0", .hostCount, "GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n"),
        Bad("an empty Host", .invalidHost, "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        Bad("a user in Host", .invalidHost, "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"),
        Bad("a path in Host", .invalidHost, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Bad("a list of Hosts", .invalidHost, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
        Bad("a port that is none", .invalidHost, "GET / HTTP/1.1\r\nHost: a:70000\r\n\r\n"),
        Bad("another host in the target", .invalidHost, "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n"),
        Bad("no version", .invalidStartLine, "GET /\r\nHost: x\r\n\r\n"),
        Bad("two spaces", .invalidStartLine, "GET  / HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("a space in the target", .invalidStartLine, "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("a space behind the version", .invalidStartLine, "GET / HTTP/1.1 \r\nHost: x\r\n\r\n"),
        Bad("a tab between the parts", .invalidStartLine, "GET\t/\tHTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("two empty lines before the request", .invalidStartLine, "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("a version in small letters", .invalidStartLine, "GET / http/1.1\r\nHost: x\r\n\r\n"),
        Bad("a version with two digits", .invalidStartLine, "GET / HTTP/1.10\r\nHost: x\r\n\r\n"),
        Bad("HTTP/2", .unsupportedVersion, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Bad("HTTP/0.9 in disguise", .unsupportedVersion, "GET / HTTP/0.9\r\nHost: x\r\n\r\n"),
        Bad("a method that is no token", .invalidMethod, "G@T / HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("an empty method", .invalidMethod, " / HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("the beginning of a TLS handshake", .invalidStartLine, "\u{16}\u{3}\u{1}\u{2}\0\u{1}\r\n\r\n"),
        Bad("a control character in the target", .invalidTarget, "GET /\u{1} HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("a target beyond ASCII", .invalidTarget, "GET /ä HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("a fragment", .invalidTarget, "GET /#a HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("half a percent-encoding", .invalidTarget, "GET /%4 HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("a target without a slash", .invalidTarget, "GET a HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("another scheme", .invalidTarget, "GET file:///etc HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("GET *", .invalidTarget, "GET * HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("CONNECT without a port", .invalidTarget, "CONNECT x HTTP/1.1\r\nHost: x\r\n\r\n"),
        Bad("another expectation", .unsupportedExpectation, fields: "Expect: 200-ok"),
        Bad("a chunk size with a prefix", .invalidChunk, chunks: "0x5\r\nhello\r\n0\r\n\r\n"),
        Bad("a chunk size with a sign", .invalidChunk, chunks: "+5\r\nhello\r\n0\r\n\r\n"),
        Bad("a negative chunk size", .invalidChunk, chunks: "-5\r\nhello\r\n0\r\n\r\n"),
        Bad("a space before a chunk size", .invalidChunk, chunks: " 5\r\nhello\r\n0\r\n\r\n"),
        Bad("a space behind a chunk size", .invalidChunk, chunks: "5 \r\nhello\r\n0\r\n\r\n"),
        Bad("no chunk size", .invalidChunk, chunks: "\r\nhello\r\n0\r\n\r\n"),
        Bad("an extension without a size", .invalidChunk, chunks: ";a=b\r\nhello\r\n0\r\n\r\n"),
        Bad("a zero byte in an extension", .invalidChunk, chunks: "5;\0\r\nhello\r\n0\r\n\r\n"),
        Bad("a line feed alone behind a chunk size", .invalidLineEnd, chunks: "5\nhello\r\n0\r\n\r\n"),
        Bad("a line feed alone in an extension", .invalidLineEnd, chunks: "5;a\nhello\r\n0\r\n\r\n"),
        Bad("a chunk longer than its size", .invalidChunk, chunks: "4\r\nhello\r\n0\r\n\r\n"),
        Bad("a line feed alone behind a chunk", .invalidLineEnd, chunks: "5\r\nhello\n0\r\n\r\n"),
        Bad("a chunk size beyond all limits", .bodyTooLarge, chunks: "fffffffffffffffffffff\r\n"),
        Bad("a length among the trailers", .invalidHeader, chunks: "0\r\nContent-Length: 5\r\n\r\n"),
        Bad("a folded trailer", .invalidHeader, chunks: "0\r\nA: b\r\n c\r\n\r\n"),
    ]

    @Test(arguments: bad)
    func refusesTheSameInEverySplit(_ message: Bad) {
        let wire = Array(message.wire.utf8)
        let whole = HTTPTranscript(requests: [wire])
        #expect(whole.error == message.code)
        for pieces in Splits.all(of: wire) {
            #expect(HTTPTranscript(requests: pieces) == whole)
        }
    }

    @Test func aRefusalIsFinal() {
        var parser = HTTPRequestParser()
        parser.push(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(throws: HTTPMessageError.self) { try parser.next() }
        parser.push(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(throws: HTTPMessageError.self) { try parser.next() }
    }

    @Test func everyRefusalHasAStatusOfAServer() {
        for code in HTTPMessageError.Code.allCases {
            let status = HTTPMessageError(code, "").status
            #expect([400, 413, 414, 417, 431, 501, 505].contains(status))
        }
        #expect(HTTPMessageError(.startLineTooLong, "").status == 414)
        #expect(HTTPMessageError(.headersTooLarge, "").status == 431)
        #expect(HTTPMessageError(.bodyTooLarge, "").status == 413)
        #expect(HTTPMessageError(.unsupportedTransferCoding, "").status == 501)
        #expect(HTTPMessageError(.unsupportedVersion, "").status == 505)
    }

    @Test func noRefusalQuotesAFieldsValue() throws {
        let wire = "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer s3cret\u{1}\r\n\r\n"
        var parser = HTTPRequestParser()
        parser.push(Array(wire.utf8))
        let error = #expect(throws: HTTPMessageError.self) { try parser.next() }
        let message = try #require(error).message
        #expect(message.contains("Authorization"))
        #expect(!message.contains("s3cret"))
    }

    // MARK: Limits

    @Test(arguments: [(8192, nil as HTTPMessageError.Code?), (8193, .startLineTooLong)])
    func theRequestLineHasALimit(_ bytes: Int, _ code: HTTPMessageError.Code?) {
        let target = "/" + String(repeating: "a", count: bytes - "GET / HTTP/1.1".utf8.count)
        let wire = Array("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        for pieces in Splits.few(of: wire) {
            #expect(HTTPTranscript(requests: pieces).error == code)
        }
    }

    @Test func aRequestLineWithoutAnEndIsRefusedAtTheLimit() {
        var parser = HTTPRequestParser()
        parser.push([UInt8](repeating: UInt8(ascii: "A"), count: 8193))
        #expect(throws: HTTPMessageError.self) { try parser.next() }
    }

    @Test(arguments: [(65536, nil as HTTPMessageError.Code?), (65537, .headersTooLarge)])
    func theHeadersHaveALimit(_ bytes: Int, _ code: HTTPMessageError.Code?) {
        let fields = "Host: x\r\nA: \r\n".utf8.count
        let wire = "GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "b", count: bytes - fields))\r\n\r\n"
        for pieces in Splits.few(of: Array(wire.utf8)) {
            #expect(HTTPTranscript(requests: pieces).error == code)
        }
    }

    @Test(arguments: [(128, nil as HTTPMessageError.Code?), (129, .headersTooLarge)])
    func theNumberOfFieldsHasALimit(_ count: Int, _ code: HTTPMessageError.Code?) {
        let fields = String(repeating: "A: b\r\n", count: count - 1)
        let wire = Array("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n".utf8)
        #expect(HTTPTranscript(requests: [wire]).error == code)
    }

    @Test(arguments: [(128, nil as HTTPMessageError.Code?), (129, .headersTooLarge)])
    func theNumberOfTrailersHasALimit(_ count: Int, _ code: HTTPMessageError.Code?) {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        let wire = Array((head + String(repeating: "A: b\r\n", count: count) + "\r\n").utf8)
        #expect(HTTPTranscript(requests: [wire]).error == code)
    }

    @Test func theLineBeforeAChunkHasALimit() {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        let wire = Array((head + "5;" + String(repeating: "x", count: 1023)).utf8)
        for pieces in Splits.few(of: wire) {
            #expect(HTTPTranscript(requests: pieces).error == .invalidChunk)
        }
    }

    @Test(arguments: [
        "Content-Length: 6\r\n\r\nabcdef", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n",
    ])
    func theBodysLimitIsTheRoutes(_ rest: String) throws {
        let wire = Array("POST / HTTP/1.1\r\nHost: x\r\n\(rest)".utf8)
        for pieces in Splits.all(of: wire) {
            #expect(HTTPTranscript(requests: pieces, limits: HTTPLimits(bodyBytes: 6)).error == nil)
            #expect(HTTPTranscript(requests: pieces, limits: HTTPLimits(bodyBytes: 5)).error == .bodyTooLarge)
        }
        var parser = HTTPRequestParser(limits: HTTPLimits(bodyBytes: 1))
        parser.push(wire)
        _ = try parser.next()
        parser.bodyLimit = 6
        var body: [UInt8] = []
        while case .body(let bytes) = try parser.next() { body += bytes }
        #expect(body == Array("abcdef".utf8))
        #expect(parser.bodyLimit == 6)
    }

    @Test(.timeLimit(.minutes(1)))
    func singleBytesCostNoMoreThanBlocks() {
        // At a cost that grows with the square of the line's length this takes minutes.
        let value = [UInt8](repeating: UInt8(ascii: "v"), count: 400_000)
        let wire = Array("GET / HTTP/1.1\r\nHost: x\r\nA: ".utf8) + value + Array("\r\n\r\n".utf8)
        let transcript = HTTPTranscript(requests: wire.map { [$0] }, limits: HTTPLimits(headerBytes: 500_000))
        #expect(transcript.messages.first?.headers["A"]?.utf8.count == 400_000)
    }

    // MARK: The connection

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", nil as HTTPMessageError.Code?), ("", nil), ("G", .truncated),
        ("GET / HTTP/1.1\r\n", .truncated), ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na", .truncated),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", .truncated),
    ])
    func theEndOfTheConnectionEndsNoRequest(_ wire: String, _ code: HTTPMessageError.Code?) {
        for pieces in Splits.all(of: Array(wire.utf8)) {
            #expect(HTTPTranscript(requests: pieces, ends: true).error == code)
        }
    }

    @Test func saysWhenItIsIdle() throws {
        var parser = HTTPRequestParser()
        #expect(parser.isIdle)
        parser.push([UInt8(ascii: "G")])
        _ = try parser.next()
        #expect(!parser.isIdle)
        parser.push(Array("ET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        _ = try parser.next()
        #expect(!parser.isIdle)
        #expect(try parser.next() == .end(trailers: [:]))
        #expect(parser.isIdle)
    }

    @Test func leavesTheBytesOfTheNextProtocolAlone() throws {
        let wire =
            "GET /rtc HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\r\n\u{1}\u{2}"
        for pieces in Splits.all(of: Array(wire.utf8)) {
            var parser = HTTPRequestParser()
            var upgrades: [String] = []
            var hasEnded = false
            for piece in pieces {
                parser.push(piece)
                while !hasEnded, let event = try parser.next() {
                    if case .head(let head) = event { upgrades = head.upgrades }
                    if case .end = event { hasEnded = true }
                }
            }
            #expect(upgrades == ["websocket"])
            #expect(parser.takeUnread() == [1, 2])
            #expect(try parser.next() == nil)
        }
    }

    @Test func anUpgradeHasToBeNamedByConnection() {
        let head = HTTPRequestHead(method: "GET", target: "/", headers: ["Host": "x", "Upgrade": "websocket"])
        #expect(head.upgrades == [])
    }

    @Test(arguments: [("HTTP/1.1", "100-Continue", true), ("HTTP/1.0", "100-continue", false)])
    func saysWhenTheClientWaitsForContinue(_ version: String, _ expectation: String, _ expected: Bool) throws {
        var parser = HTTPRequestParser()
        parser.push(Array("POST / \(version)\r\nHost: x\r\nExpect: \(expectation)\r\nContent-Length: 3\r\n\r\n".utf8))
        guard case .head(let head) = try parser.next() else {
            Issue.record("no head")
            return
        }
        #expect(head.expectsContinue == expected)
        #expect(try parser.next() == nil)
    }

    @Test func valuesAreTrimmedAndKeepBytesBeyondASCII() throws {
        var wire = Array("GET / HTTP/1.1\r\nHost:\t x \r\nA: caf\u{E9}\r\nB: caf".utf8)
        wire += [0xE9]
        wire += Array("\r\n\r\n".utf8)
        let message = try #require(HTTPTranscript(requests: [wire]).messages.first)
        #expect(message.headers["host"] == "x")
        #expect(message.headers["a"] == "café")
        #expect(message.headers["b"] == "café")
    }
}
