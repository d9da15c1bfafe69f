import Foundation
import MediaProxy
import Testing
import TransportCore
import TransportHTTP

@Suite(.timeLimit(.minutes(1))) struct ResumeTests {
    private func resumptions(_ bench: ProxyBench) -> [Int] {
        bench.log.all.compactMap { if case .resumed(_, let offset, _, _) = $0 { offset } else { nil } }
    }

    @Test("P7 A server that breaks off every 400 kB gives one whole body", arguments: [false, true])
    func drops(ignoresRange: Bool) async throws {
        let content = Content.pattern(ignoresRange ? 1_000_000 : 4_000_000)
        try await withProxy(
            .with {
                $0.content = content
                $0.dropsAfter = 400_000
                // A server without ranges starts over each time, so it has to get through once.
                $0.drops = ignoresRange ? 3 : Int.max
                $0.ignoresRange = ignoresRange
            }
        ) { bench in
            let url = try await bench.share()
            let whole = try await bench.get(url)
            #expect(whole.status == 200 && whole.body == content.bytes(0, content.count - 1))
            #expect(bench.log.all.contains(.finished(id: "song", bytes: content.count)))
            guard !ignoresRange else { return }
            #expect(resumptions(bench) == (1...9).map { $0 * 400_000 })
            let conditions = bench.origin.seen.dropFirst().map { $0.headers["If-Range"] }
            #expect(conditions.allSatisfy { $0 == "\"v1\"" })
            let part = try await bench.range(url, "bytes=100-1999999")
            #expect(part.body == content.bytes(100, 1_999_999))
        }
    }

    @Test(
        "Without a strong tag or a sure date nothing is put together; the player sees that it is not all",
        arguments: [nil, "W/\"v1\"", "v1"],
        // Each was sent within the minute in which the file could still have been changed.
        [
            ("Sat, 30 Aug 2025 07:46:40 GMT", "Sat, 30 Aug 2025 07:47:39 GMT"),
            ("Sun, 31 Dec 2023 23:59:30 GMT", "Mon, 01 Jan 2024 00:00:20 GMT"),
            ("Tue, 28 Feb 2023 23:59:59 GMT", "Wed, 01 Mar 2023 00:00:30 GMT"),
        ]
    )
    func noValidator(_ tag: String?, _ dates: (modified: String, sent: String)) async throws {
        try await withProxy(
            .with {
                $0.tag = tag
                $0.dropsAfter = 40_000
                $0.lastModified = dates.modified
                $0.date = dates.sent
            }
        ) { bench in
            let (bytes, isWhole) = try await bench.read(try await bench.share())
            #expect(!isWhole && bytes == bench.origin.content.bytes(0, 39_999))
            #expect(bench.origin.seen.count == 1)
        }
    }

    @Test(
        "A date that is older than the answer by a minute is as good as a tag",
        arguments: [
            ("Sat, 30 Aug 2025 07:46:40 GMT", "Sat, 30 Aug 2025 07:47:40 GMT"),
            ("Sun, 31 Dec 2023 23:59:30 GMT", "Mon, 01 Jan 2024 00:00:30 GMT"),
            ("Wed, 28 Feb 2024 23:59:59 GMT", "Thu, 29 Feb 2024 00:00:59 GMT"),
        ]
    )
    func dateValidator(_ modified: String, _ sent: String) async throws {
        try await withProxy(
            .with {
                $0.tag = nil
                $0.dropsAfter = 40_000
                $0.lastModified = modified
                $0.date = sent
            }
        ) { bench in
            let (bytes, isWhole) = try await bench.read(try await bench.share())
            #expect(isWhole && bytes == bench.origin.content.bytes(0, 99_999))
            #expect(bench.origin.seen.last?.headers["If-Range"] == modified)
        }
    }

    @Test(
        "A file that was replaced while it is read ends short, without a byte of the new one",
        arguments: [false, true],
        [("\"v2\"", 100_000), ("\"v1\"", 90_000)]
    )
    func changes(_ ignoresRange: Bool, _ new: (tag: String, count: Int)) async throws {
        try await withProxy(
            .with {
                $0.dropsAfter = 40_000
                $0.drops = 1
                $0.changesAfter = 1
                $0.changedContent = .zeros(new.count)
                $0.changedTag = new.tag
                $0.ignoresRange = ignoresRange
            }
        ) { bench in
            let url = try await bench.share()
            let (bytes, isWhole) = try await bench.read(url)
            #expect(!isWhole && bytes == bench.origin.content.bytes(0, 39_999))
            #expect(bench.log.all.contains(.changed(id: "song")))
        }
    }

    @Test("A server that brings nothing is asked three times again and no more")
    func givesUp() async throws {
        try await withProxy(
            .with {
                $0.dropsAfter = 40_000
                $0.drops = 1
            }
        ) { bench in
            let url = try await bench.share()
            bench.origin.change {
                $0.drops = Int.max
                $0.bodyGate = nil
            }
            // The first answer brings 40 kB, the ones after it nothing.
            let gate = Gate()
            bench.origin.change { $0.bodyGate = (40_000, gate) }
            async let read = bench.read(url)
            await bench.origin.wait { seen, _ in seen == 1 }
            bench.origin.change { $0.dropsAfter = 0 }
            gate.open()
            let (bytes, isWhole) = try await read
            #expect(!isWhole && bytes == bench.origin.content.bytes(0, 39_999))
            #expect(resumptions(bench) == [40_000, 40_000, 40_000])
            #expect(bench.origin.seen.count == 4)
        }
    }

    @Test("Attempts after the first wait longer and longer, on the clock that was given")
    func waits() async throws {
        let clock = ManualClock()
        try await withProxy(
            .with {
                $0.dropsAfter = 0
                $0.drops = 3
            },
            configuration: MediaProxyConfiguration(),
            clock: clock
        ) { bench in
            let url = try await bench.share()
            async let read = bench.read(url)
            await clock.waitForSleepers(1)
            #expect(bench.origin.seen.count == 2 && clock.nextDeadline == .milliseconds(250))
            await clock.advance(by: .milliseconds(250))
            await clock.waitForSleepers(1)
            #expect(bench.origin.seen.count == 3 && clock.nextDeadline == .milliseconds(1250))
            await clock.advance(by: .seconds(1))
            let (bytes, isWhole) = try await read
            #expect(isWhole && bytes == bench.origin.content.bytes(0, 99_999))
        }
    }

    @Test("A server that fails for a moment while it is asked for the rest is asked again")
    func failsForAMoment() async throws {
        let gate = Gate()
        try await withProxy(
            .with {
                $0.dropsAfter = 40_000
                $0.bodyGate = (40_000, gate)
                $0.drops = 1
            },
            configuration: MediaProxyConfiguration(resumeDelays: [.zero, .seconds(1)]),
            clock: ContinuousClock()
        ) { bench in
            let url = try await bench.share()
            async let read = bench.read(url)
            await bench.origin.wait { seen, _ in seen == 1 }
            bench.origin.change { $0.status = 503 }
            gate.open()
            await bench.origin.wait { seen, _ in seen == 2 }
            bench.origin.change { $0.status = nil }
            #expect(try await read.isWhole)
        }
    }

    @Test("P8 Bytes from another place than asked for never reach the player", arguments: [-1, 1, 4096])
    func wrongPlace(shift: Int) async throws {
        try await withProxy(.with { $0.shift = shift }) { bench in
            let url = try await bench.share()
            let first = try await bench.range(url, "bytes=5000-5999")
            #expect(first.status == 502)
            // The same in the middle of a body.
            bench.origin.change {
                $0.shiftsAfter = 2
                $0.dropsAfter = 40_000
            }
            let (bytes, isWhole) = try await bench.read(url)
            #expect(!isWhole && bytes == bench.origin.content.bytes(0, 39_999))
            #expect(bench.log.text.contains("where 40000 was asked for"))
        }
    }

    @Test(
        "Parts without a Content-Range, or with one that cannot be or has another length, are refused",
        arguments: ["", "bytes 0-9/5", "x", "bytes 0-9/20", "bytes 0-3/5"]
    )
    func noContentRange(_ text: String) async throws {
        let answer = "HTTP/1.1 206 Partial Content\r\nContent-Range: \(text)\r\nContent-Length: 5\r\n\r\nhello"
        let origin = try RawOrigin(answer: answer)
        defer { origin.stop() }
        try await withProxy { bench in
            let raw = try #require(URL(string: "http://127.0.0.1:\(origin.port)/a.mp3"))
            let url = try await bench.session.share(.init(id: "a", url: raw)).absoluteString
            #expect(try await bench.range(url, "bytes=0-").status == 502)
        }
    }

    @Test(
        "Bytes beyond those that were announced are left out, and an end before them is a break",
        arguments: [
            (5, "a\r\nhello12345", "hello", true), (8, "a\r\nhello12345", "hello", false),
            (5, "3\r\nhel", "hel", false),
        ]
    )
    func miscounted(_ total: Int, _ chunk: String, _ expected: String, _ isWhole: Bool) async throws {
        let head = "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Range: bytes 0-4/\(total)\r\n"
        let origin = try RawOrigin(answer: head + "Transfer-Encoding: chunked\r\n\r\n" + chunk + "\r\n0\r\n\r\n")
        defer { origin.stop() }
        try await withProxy { bench in
            let raw = try #require(URL(string: "http://127.0.0.1:\(origin.port)/a.mp3"))
            let url = try await bench.session.share(.init(id: "a", url: raw)).absoluteString
            let found = try await bench.read(url, ["Range": "bytes=0-"])
            #expect(found.bytes == Array(expected.utf8) && found.isWhole == isWhole)
        }
    }
}
