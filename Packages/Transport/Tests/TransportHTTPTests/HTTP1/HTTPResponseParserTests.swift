import Testing
import TransportCore
import TransportHTTP

struct HTTPResponseParserTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var methods = ["GET"]
        let wire: String
        var ends = false
        let summary: [String]
        var error: HTTPMessageError.Code?
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "a length",
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
            summary: ["HTTP/1.1 200 OK [hi]"]
        ),
        Case(
            name: "chunks",
            wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n",
            summary: ["HTTP/1.1 200 OK [hi]"]
        ),
        Case(
            name: "a body until the connection is closed",
            wire: "HTTP/1.1 200 OK\r\n\r\nhi there",
            ends: true,
            summary: ["HTTP/1.1 200 OK [hi there]"]
        ),
        Case(
            name: "a body that goes on until the connection is closed",
            wire: "HTTP/1.1 200 OK\r\n\r\nhi",
            summary: ["HTTP/1.1 200 OK [hi] …"]
        ),
        Case(
            name: "no reason, and not even a space before it",
            wire: "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n",
            summary: ["HTTP/1.1 404 "]
        ),
        Case(
            name: "a reason of several words",
            wire: "HTTP/1.1 404 Not  Found!\r\nContent-Length: 0\r\n\r\n",
            summary: ["HTTP/1.1 404 Not  Found!"]
        ),
        Case(
            name: "HEAD has a length and no body",
            methods: ["HEAD", "GET"],
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
            summary: ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK [a]"]
        ),
        Case(
            name: "204 and 304 have none either",
            methods: ["GET", "GET", "GET"],
            wire: "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
            summary: ["HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified", "HTTP/1.1 200 OK [a]"]
        ),
        Case(
            name: "interim answers come first",
            methods: ["POST"],
            wire: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
            summary: ["interim 100", "interim 103", "HTTP/1.1 200 OK [hi]"]
        ),
        Case(
            name: "nothing is read behind Connection: close",
            methods: ["GET", "GET"],
            wire: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\n\r\n",
            summary: ["HTTP/1.1 200 OK [a]"]
        ),
        Case(
            name: "a tunnel has no body",
            methods: ["CONNECT"],
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n\u{1}\u{2}",
            summary: ["HTTP/1.1 200 OK"]
        ),
        Case(
            name: "an answer nobody asked for",
            methods: [],
            wire: "HTTP/1.1 408 Request Timeout\r\n\r\n",
            summary: [],
            error: .unexpectedResponse
        ),
        Case(
            name: "more than was asked for",
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab",
            summary: ["HTTP/1.1 200 OK [a]"],
            error: .unexpectedResponse
        ),
        Case(
            name: "interim answers without end",
            wire: String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 17),
            summary: Array(repeating: "interim 100", count: 16),
            error: .unexpectedResponse
        ),
        Case(
            name: "an end before the first byte",
            wire: "",
            ends: true,
            summary: [],
            error: .closedBeforeResponse
        ),
        Case(name: "an end in the head", wire: "HTTP/1.1 200", ends: true, summary: [], error: .truncated),
        Case(
            name: "an end in the body",
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
            ends: true,
            summary: ["HTTP/1.1 200 OK [ab] …"],
            error: .truncated
        ),
        Case(
            name: "an end among chunks",
            wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
            ends: true,
            summary: ["HTTP/1.1 200 OK [ab] …"],
            error: .truncated
        ),
        Case(
            name: "two lengths",
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            summary: [],
            error: .ambiguousLength
        ),
        Case(
            name: "length with chunked",
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nab",
            summary: [],
            error: .ambiguousLength
        ),
        Case(name: "another protocol", wire: "220 mail.example.com\r\n", summary: [], error: .invalidStartLine),
        Case(name: "a status of four digits", wire: "HTTP/1.1 2000 OK\r\n\r\n", summary: [], error: .invalidStartLine),
        Case(name: "a status below 100", wire: "HTTP/1.1 099 OK\r\n\r\n", summary: [], error: .invalidStartLine),
        Case(name: "HTTP/2", wire: "HTTP/2.0 200 OK\r\n\r\n", summary: [], error: .unsupportedVersion),
        Case(name: "a line feed alone", wire: "HTTP/1.1 200 OK\n\n", summary: [], error: .invalidLineEnd),
    ]

    @Test(arguments: cases)
    func readsTheSameInEverySplit(_ example: Case) {
        for pieces in Splits.all(of: Array(example.wire.utf8)) {
            let transcript = HTTPTranscript(responsesTo: example.methods, pieces, ends: example.ends)
            #expect(transcript.summary == example.summary)
            #expect(transcript.error == example.error)
        }
    }

    @Test func aBodyWithoutAnEndHasALimit() {
        let wire = Array("HTTP/1.1 200 OK\r\n\r\nabcdef".utf8)
        for pieces in Splits.all(of: wire) {
            let transcript = HTTPTranscript(responsesTo: ["GET"], pieces, limits: HTTPLimits(bodyBytes: 5), ends: true)
            #expect(transcript.summary == ["HTTP/1.1 200 OK [abcde] …"])
            #expect(transcript.error == .bodyTooLarge)
        }
    }

    @Test func trailersAreKeptApartFromHeaders() {
        let wire = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: 1\r\n\r\n0\r\nA: 2\r\n\r\n"
        let message = HTTPTranscript(responsesTo: ["GET"], [Array(wire.utf8)]).messages.first
        #expect(message?.headers.values(of: "A") == ["1"])
        #expect(message?.trailers?.values(of: "A") == ["2"])
    }

    @Test func saysWhenTheConnectionCanBeUsedAgain() throws {
        var parser = HTTPResponseParser()
        #expect(parser.isReusable)
        parser.expect("GET")
        #expect(!parser.isReusable)
        parser.push(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        while try parser.next() != nil {}
        #expect(parser.isReusable)
        parser.expect("GET")
        parser.push(Array("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8))
        while try parser.next() != nil {}
        #expect(!parser.isReusable)
    }

    @Test func leavesTheBytesOfTheNextProtocolAlone() throws {
        let wire = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\u{1}\u{2}"
        var parser = HTTPResponseParser()
        parser.expect("GET")
        parser.push(Array(wire.utf8))
        while try parser.next() != nil {}
        #expect(parser.takeUnread() == [1, 2])
        #expect(!parser.isReusable)
    }
}
