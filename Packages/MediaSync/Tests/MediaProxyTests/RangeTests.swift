import Foundation
import MediaProxy
import MediaSync
import Testing
import TransportCore
import TransportHTTP

@Suite(.timeLimit(.minutes(1))) struct RangeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let range: String
        let status: Int
        let contentRange: String?
        var testDescription: String { range }

        init(_ range: String, _ status: Int, _ contentRange: String? = nil) {
            (self.range, self.status, self.contentRange) = (range, status, contentRange)
        }
    }

    // What RFC 9110, section 14 allows, by the cases that players and servers disagree about.
    static let cases: [Case] = [
        Case("bytes=0-1", 206, "bytes 0-1/10000"), Case("bytes=0-", 206, "bytes 0-9999/10000"),
        Case("bytes=9999-", 206, "bytes 9999-9999/10000"), Case("bytes=-500", 206, "bytes 9500-9999/10000"),
        Case("bytes=-20000", 206, "bytes 0-9999/10000"), Case("bytes=100-20000", 206, "bytes 100-9999/10000"),
        Case("bytes=10000-", 416, "bytes */10000"), Case("bytes=-0", 416, "bytes */10000"),
        Case("bytes=5-2", 200), Case("bytes=abc", 200), Case("items=0-1", 200), Case("bytes=+0-1", 200),
        Case("Bytes=0-1", 206, "bytes 0-1/10000"), Case("bytes=0-18446744073709551616", 206, "bytes 0-9999/10000"),
        Case("bytes=-100000000000000000000", 206, "bytes 0-9999/10000"),
        Case("bytes=123456789012345678901234567890-", 416, "bytes */10000"),
        Case("bytes=0-0,-1", 200), Case("bytes=0-5,20000-", 200), Case("bytes=0-5,3-8", 200),
    ]

    @Test("A range gets what RFC 9110 says, first time and again", arguments: cases, [false, true])
    func rfc(_ example: Case, ignoresRange: Bool) async throws {
        let content = Content.pattern(10_000)
        try await withProxy(
            .with {
                $0.content = content
                $0.ignoresRange = ignoresRange
            }
        ) { bench in
            let url = try await bench.share()
            for _ in 0..<2 {
                let answer = try await bench.range(url, example.range)
                #expect(answer.status == example.status)
                #expect(answer.headers["Content-Range"] == example.contentRange)
                let expected: [UInt8]
                switch example.status {
                case 200: expected = content.bytes(0, 9999)
                case 206:
                    let range = try #require(example.contentRange.flatMap { ContentRange($0)?.range })
                    expected = content.bytes(range.first, range.last)
                default: expected = []
                }
                #expect(answer.body == expected)
                #expect(answer.headers["Content-Length"] == "\(expected.count)")
            }
        }
    }

    @Test("P1 The total is known although the server hides it", arguments: [false, true])
    func hiddenTotal(refusesHEAD: Bool) async throws {
        try await withProxy(
            .with {
                $0.hidesTotal = true
                $0.refusesHEAD = refusesHEAD
            }
        ) { bench in
            let url = try await bench.share()
            for range in ["bytes=10-", "bytes=10-", "bytes=-99990"] {
                let answer = try await bench.range(url, range)
                #expect(answer.status == 206)
                #expect(answer.headers["Content-Range"] == "bytes 10-99999/100000")
                #expect(answer.body == bench.origin.content.bytes(10, 99_999))
            }
            let beyond = try await bench.range(url, "bytes=100000-")
            #expect(beyond.status == 416 && beyond.headers["Content-Range"] == "bytes */100000")
            // The whole is asked for only where HEAD does not help.
            let asksForAll = bench.origin.seen.contains { $0.method == "GET" && $0.headers["Range"] == nil }
            #expect(asksForAll == refusesHEAD)
        }
    }

    @Test("P2 A file without a length is refused with a reason, and one whose parts tell it is played")
    func noLength() async throws {
        try await withProxy(
            .with {
                $0.hidesLength = true
                $0.ignoresRange = true
            }
        ) { bench in
            let url = try await bench.share()
            for headers in [[:], ["Range": "bytes=0-"], ["Range": "bytes=5-"]] as [HTTPHeaders] {
                let answer = try await bench.get(url, headers)
                #expect(answer.status == 502)
                #expect(String(decoding: answer.body, as: UTF8.self).contains("how long"))
            }
            bench.origin.change { $0.ignoresRange = false }
            for _ in 0..<2 {
                let part = try await bench.range(url, "bytes=5-")
                #expect(part.headers["Content-Range"] == "bytes 5-99999/100000")
                #expect(part.headers["Content-Length"] == "99995")
                #expect(part.body == bench.origin.content.bytes(5, 99_999))
                let whole = try await bench.get(url)
                #expect(whole.status == 200 && whole.headers["Content-Length"] == "100000")
                #expect(whole.body.count == 100_000)
            }
        }
    }

    @Test("P3 Without Range comes 200 and all, with Range 206", arguments: [false, true], [nil, 1000])
    func wholeOrPart(ignoresRange: Bool, cap: Int?) async throws {
        try await withProxy(
            .with {
                $0.ignoresRange = ignoresRange
                $0.cap = cap
            }
        ) { bench in
            let url = try await bench.share()
            for _ in 0..<2 {
                let whole = try await bench.get(url)
                #expect(whole.status == 200 && whole.headers["Content-Range"] == nil)
                let part = try await bench.range(url, "bytes=0-")
                #expect(part.status == 206 && part.headers["Content-Range"] == "bytes 0-99999/100000")
                #expect(whole.body == bench.origin.content.bytes(0, 99_999) && part.body == whole.body)
            }
        }
    }

    @Test("P4 Just beyond the end is 416 with nothing in it, and the connection goes on")
    func beyondTheEnd() async throws {
        try await withProxy { bench in
            let url = try await bench.share()
            let path = try #require(URL(string: url)?.path())
            let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nRange: bytes="
            let answers = try await RawSocket.exchange(
                port: bench.proxy.port,
                request + "100000-\r\n\r\n" + request + "0-1\r\nConnection: close\r\n\r\n"
            )
            let parts = answers.components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 3)
            #expect(parts[0].hasPrefix("HTTP/1.1 416 ") && parts[0].contains("Content-Range: bytes */100000"))
            #expect(parts[0].contains("Content-Length: 0"))
            #expect(parts[1].hasPrefix("HTTP/1.1 206 "))
        }
    }

    @Test("P5 HEAD has the whole length whatever it asks for, and nothing has 200 and no bytes")
    func headAndEmpty() async throws {
        try await withProxy { bench in
            let url = try await bench.share()
            for range in ["bytes=0-1", "bytes=-0", "bytes=200000-"] {
                let head = try await bench.get(url, ["Range": range], method: "HEAD")
                #expect(head.status == 200 && head.headers["Content-Length"] == "100000" && head.body.isEmpty)
                #expect(head.headers["Content-Range"] == nil && head.headers["Accept-Ranges"] == "bytes")
            }
            // The server is seen to have been asked without Range, or for a byte.
            for request in bench.origin.seen where request.method == "HEAD" {
                #expect(request.headers["Range"] == nil)
            }
            bench.origin.change { $0.content = .bytes([]) }
            let empty = try await bench.share("/empty.mp3")
            for headers in [[:], ["Range": "bytes=0-"], ["Range": "bytes=-5"], ["Range": "bytes=7-"]] as [HTTPHeaders] {
                let answer = try await bench.get(empty, headers)
                #expect(answer.status == 200 && answer.headers["Content-Length"] == "0" && answer.body.isEmpty)
            }
            #expect(try await bench.get(empty, method: "HEAD").headers["Content-Length"] == "0")
        }
    }

    @Test("P6 Places beyond 4 GiB are found, and numbers of any length are no danger")
    func large() async throws {
        let content = Content.pattern(5 << 30)
        try await withProxy(.with { $0.content = content }) { bench in
            let url = try await bench.share()
            let part = try await bench.range(url, "bytes=4294967290-4294967300")
            #expect(part.headers["Content-Range"] == "bytes 4294967290-4294967300/5368709120")
            #expect(part.body == content.bytes(4_294_967_290, 4_294_967_300) && part.body.count == 11)
            let tail = try await bench.range(url, "bytes=5368709115-123456789012345678901234567890")
            #expect(tail.body == content.bytes(5_368_709_115, 5_368_709_119))
            #expect(try await bench.range(url, "bytes=123456789012345678901234567890-").status == 416)
            #expect(try await bench.get(url, method: "HEAD").headers["Content-Length"] == "5368709120")
        }
    }

    @Test(
        "P9 Players get a strong quoted tag that their If-Range and If-None-Match can use",
        arguments: ["\"strong\"", "W/\"weak\"", "unquoted", "\"broken", "", nil]
    )
    func tags(_ tag: String?) async throws {
        try await withProxy(.with { $0.tag = tag }) { bench in
            let url = try await bench.share()
            let first = try await bench.range(url, "bytes=0-1")
            let found = try #require(first.headers["ETag"])
            #expect(EntityTag(found)?.isWeak == false)
            if tag == "\"strong\"" { #expect(found == tag) }
            #expect(try await bench.get(url, method: "HEAD").headers["ETag"] == found)

            let same = try await bench.get(url, ["Range": "bytes=5-9", "If-Range": found])
            #expect(same.status == 206 && same.headers["ETag"] == found)
            #expect(same.body == bench.origin.content.bytes(5, 9))
            let other = try await bench.get(url, ["Range": "bytes=5-9", "If-Range": "\"other\""])
            #expect(other.status == 200 && other.body.count == 100_000)
            let weak = try await bench.get(url, ["Range": "bytes=5-9", "If-Range": "W/" + found])
            #expect(weak.status == 200)
            let unchanged = try await bench.get(url, ["Range": "bytes=5-9", "If-None-Match": found])
            #expect(unchanged.status == 304 && unchanged.body.isEmpty)
            let asked = bench.origin.seen.count
            let changed = try await bench.get(url, ["Range": "bytes=5-9", "If-None-Match": "\"other\""])
            #expect(changed.status == 206 && bench.origin.seen.count == asked + 1)
            #expect(try await bench.get(url, ["If-Match": "\"other\""]).status == 412)
        }
    }

    @Test("If-Range with the date of the file counts, another date does not")
    func dates() async throws {
        let date = "Sat, 30 Aug 2025 07:46:40 GMT"
        try await withProxy(
            .with {
                $0.tag = nil
                $0.lastModified = date
            }
        ) { bench in
            let url = try await bench.share()
            let same = try await bench.get(url, ["Range": "bytes=0-1", "If-Range": date])
            #expect(same.status == 206 && same.headers["Last-Modified"] == date)
            let older = try await bench.get(url, ["Range": "bytes=0-1", "If-Range": "Sat, 30 Aug 2025 07:46:39 GMT"])
            #expect(older.status == 200)
        }
    }

    @Test("A file that was replaced gets a new length and tag, and an old tag the whole of it")
    func replaced() async throws {
        try await withProxy { bench in
            let url = try await bench.share()
            let old = try #require(try await bench.range(url, "bytes=0-1").headers["ETag"])
            bench.origin.change {
                $0.content = .pattern(50_000)
                $0.tag = "\"v2\""
            }
            let answer = try await bench.get(url, ["Range": "bytes=100-", "If-Range": old])
            #expect(answer.status == 200 && answer.body.count == 50_000 && answer.headers["ETag"] == "\"v2\"")
            #expect(bench.origin.seen.count == 2)
            let part = try await bench.range(url, "bytes=49000-")
            #expect(part.headers["Content-Range"] == "bytes 49000-49999/50000")
            // It has grown, so what was beyond the end is not any more.
            bench.origin.change {
                $0.content = .pattern(60_000)
                $0.tag = "\"v3\""
            }
            #expect(try await bench.get(url, ["If-None-Match": "\"v2\""]).status == 200)
            bench.origin.change { $0.tag = "\"v4\"" }
            #expect(try await bench.get(url, method: "HEAD").headers["ETag"] == "\"v4\"")
            bench.origin.change { $0.content = .pattern(65_000) }
            let grown = try await bench.range(url, "bytes=60000-")
            #expect(grown.status == 206 && grown.headers["Content-Range"] == "bytes 60000-64999/65000")
        }
    }

    @Test("A server that ignores Range is skipped through, which the log tells")
    func ignoredRange() async throws {
        try await withProxy(.with { $0.ignoresRange = true }) { bench in
            let url = try await bench.share()
            let part = try await bench.range(url, "bytes=70000-70009")
            #expect(part.status == 206 && part.headers["Content-Range"] == "bytes 70000-70009/100000")
            #expect(part.body == bench.origin.content.bytes(70_000, 70_009))
            #expect(bench.log.all.contains(.rangeIgnored(id: "song", offset: 70_000)))
        }
    }

    @Test(
        "A server that gives parts of 30 kB is asked for all of them, with and without a tag",
        arguments: ["\"v1\"", nil]
    )
    func capped(tag: String?) async throws {
        try await withProxy(
            .with {
                $0.cap = 30_000
                $0.tag = tag
            }
        ) { bench in
            let url = try await bench.share()
            let part = try await bench.range(url, "bytes=100-")
            #expect(part.headers["Content-Range"] == "bytes 100-99999/100000")
            #expect(part.body == bench.origin.content.bytes(100, 99_999))
        }
    }

    @Test("A compressed file is refused, and identity is what is asked for")
    func compressed() async throws {
        try await withProxy(.with { $0.coding = "gzip" }) { bench in
            let url = try await bench.share()
            #expect(try await bench.get(url).status == 502)
            #expect(try await bench.range(url, "bytes=0-").status == 502)
            #expect(try await bench.get(url, method: "HEAD").status == 502)
            #expect(bench.origin.seen.allSatisfy { $0.headers.values(of: "Accept-Encoding") == ["identity"] })
        }
    }

    @Test(
        "A server's refusal becomes one that a player understands",
        arguments: [(404, 404), (410, 404), (401, 502), (403, 403), (500, 502), (503, 503), (204, 502), (300, 502)]
    )
    func refusals(_ status: Int, _ expected: Int) async throws {
        try await withProxy(.with { $0.status = status }) { bench in
            let url = try await bench.share()
            #expect(try await bench.get(url).status == expected)
            #expect(try await bench.range(url, "bytes=-5").status == expected)
            #expect(try await bench.get(url, method: "HEAD").status == expected)
        }
    }

    @Test("A live stream is passed on as it comes")
    func live() async throws {
        try await withProxy(
            .with {
                $0.hidesLength = true
                $0.ignoresRange = true
                $0.content = .pattern(700_000)
            }
        ) { bench in
            let url = try await bench.share("/radio.mp3", isLive: true)
            let answer = try await bench.range(url, "bytes=0-")
            #expect(answer.status == 200 && answer.headers["Accept-Ranges"] == "none")
            #expect(answer.headers["Content-Type"] == "audio/mpeg")
            #expect(answer.body == bench.origin.content.bytes(0, 699_999))
            #expect(try await bench.get(url, method: "HEAD").headers["Content-Length"] == nil)
            await bench.origin.wait { seen, open in seen == 2 && open == 0 }
        }
    }
}
