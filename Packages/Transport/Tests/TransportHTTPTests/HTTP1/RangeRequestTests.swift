import Testing
import TransportCore
import TransportHTTP

struct RangeRequestTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let range: String
        var length = 10_000
        let expected: String
        var testDescription: String { "\(range) of \(length)" }

        init(_ range: String, _ expected: String, of length: Int = 10_000) {
            (self.range, self.expected, self.length) = (range, expected, length)
        }
    }

    // What RFC 9110 allows and what nginx and Go answer to the same requests, where they agree.
    static let cases: [Case] = [
        Case("bytes=0-1", "0-1"), Case("bytes=0-", "0-9999"), Case("bytes=9999-", "9999-9999"),
        Case("bytes=-500", "9500-9999"), Case("bytes=-20000", "0-9999"), Case("bytes=0-99999", "0-9999"),
        Case("bytes=10000-", "416"), Case("bytes=10000-10001", "416"), Case("bytes=-0", "416"),
        Case("bytes=5-2", "200"), Case("bytes=abc", "200"), Case("bytes=0x0-1", "200"), Case("bytes=1", "200"),
        Case("items=0-1", "200"), Case("Bytes=0-1", "0-1"), Case("BYTES=0-1", "0-1"), Case("bytes=+0-1", "200"),
        Case("bytes=0-18446744073709551616", "0-9999"), Case("bytes=-100000000000000000000", "0-9999"),
        Case("bytes=18446744073709551616-", "416"), Case("bytes=9223372036854775807-", "416"),
        Case("bytes=0-0,-1", "200"), Case("bytes=0-5,20000-", "0-5"), Case("bytes=0-5,6-9", "0-9"),
        Case("bytes=5-9,0-6", "0-9"), Case("bytes=0-5,7-9", "200"), Case("bytes=0-5 , 3-8", "0-8"),
        Case("bytes=20000-,30000-", "416"), Case("bytes=0-5,abc", "200"), Case("bytes=0-5,5-2", "200"),
        Case("bytes=,0-5,,", "0-5"), Case("bytes=", "200"), Case("bytes=,", "200"), Case("bytes", "200"),
        Case("", "200"),
        Case("bytes=-", "200"), Case("bytes=--1", "200"), Case("bytes=1-2-3", "200"), Case("bytes 0-1", "200"),
        Case("bytes=0-1;x", "200"), Case("bytes= 0-1", "0-1"), Case("bytes =0-1", "200"), Case("bytes=0 -1", "200"),
        Case("bytes=0-", "200", of: 0), Case("bytes=-5", "200", of: 0), Case("bytes=0-0", "0-0", of: 1),
        Case("bytes=0-4294967296", "0-4294967296", of: 5_368_709_120),
        Case("bytes=" + Array(repeating: "0-1", count: 16).joined(separator: ","), "0-1"),
        Case("bytes=" + Array(repeating: "0-1", count: 17).joined(separator: ","), "200"),
    ]

    private func text(_ answer: RangeRequest.Answer) -> String {
        switch answer {
        case .whole: "200"
        case .part(let range): "\(range.first)-\(range.last)"
        case .unsatisfiable: "416"
        }
    }

    @Test(arguments: cases)
    func answersARange(_ example: Case) {
        let head = HTTPRequestHead(method: "GET", target: "/", headers: ["Host": "x", "Range": example.range])
        #expect(text(RangeRequest.answer(to: head, length: example.length)) == example.expected)
    }

    @Test(arguments: ["HEAD", "POST", "DELETE", "get"])
    func onlyGETHasRanges(_ method: String) {
        let head = HTTPRequestHead(method: method, target: "/", headers: ["Range": "bytes=0-1"])
        #expect(RangeRequest.answer(to: head, length: 10) == .whole)
    }

    @Test func severalRangeFieldsAreIgnored() {
        let head = HTTPRequestHead(method: "GET", target: "/", headers: ["Range": "bytes=0-1", "range": "bytes=0-1"])
        #expect(RangeRequest.answer(to: head, length: 10) == .whole)
    }

    @Test(arguments: [
        ("\"v1\"", true), ("Sat, 30 Aug 2025 07:46:40 GMT", true), ("W/\"v1\"", false), ("\"v2\"", false),
        ("v1", false), ("", false),
        ("Sat, 30 Aug 2025 07:46:39 GMT", false), ("Saturday, 30-Aug-25 07:46:40 GMT", false), ("*", false),
        ("\"v1\", \"v2\"", false),
    ])
    func aConditionHasToNameTheVeryVersion(_ condition: String, _ holds: Bool) {
        let head = HTTPRequestHead(method: "GET", target: "/", headers: ["Range": "bytes=0-1", "If-Range": condition])
        let answer = RangeRequest.answer(
            to: head,
            length: 10,
            entityTag: EntityTag(value: "v1"),
            lastModified: "Sat, 30 Aug 2025 07:46:40 GMT"
        )
        #expect((answer != .whole) == holds)
    }

    @Test(arguments: ["\"v1\"", "W/\"v1\""])
    func aWeakTagOfOursMatchesNoCondition(_ condition: String) {
        let head = HTTPRequestHead(method: "GET", target: "/", headers: ["Range": "bytes=0-1", "If-Range": condition])
        let weak = EntityTag(value: "v1", isWeak: true)
        #expect(RangeRequest.answer(to: head, length: 10, entityTag: weak) == .whole)
        #expect(RangeRequest.answer(to: head, length: 10) == .whole)
    }

    // MARK: Content-Range

    @Test(arguments: [
        "bytes 0-0/1", "bytes 5-9/10", "bytes 0-499/*", "bytes */10", "bytes */0",
        "bytes 4294967296-5368709119/5368709120",
    ])
    func contentRangeReadsBackAsWritten(_ text: String) {
        #expect(ContentRange(text)?.description == text)
    }

    @Test(arguments: [
        "bytes 0-1/1", "bytes 2-1/10", "bytes 0-10/10", "bytes */*", "bytes 0-1", "0-1/10", "items 0-1/10",
        "bytes 0-1/", "bytes -1/10",
        "bytes 0-/10", "bytes  0-1/10", "bytes 0-1/10 ", "bytes 0-1/10/11", "bytes a-b/c",
        "bytes 0-1/99999999999999999999", "bytes=0-1/10",
        "bytes 0-9223372036854775807/*", "",
    ])
    func contentRangeRefusesWhatMakesNoSense(_ text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test func contentRangeIsMadeOfAnAnswer() throws {
        let range = try #require(ByteRange(first: 2, last: 5))
        #expect(range.count == 4)
        #expect(ContentRange(range, total: 6)?.description == "bytes 2-5/6")
        #expect(ContentRange(range, total: 5) == nil)
        #expect(ContentRange(unsatisfiableTotal: 6).description == "bytes */6")
        #expect(ByteRange(first: 3, last: 2) == nil)
        #expect(ByteRange(first: -1, last: 2) == nil)
    }

    // MARK: Entity tags

    // The table of RFC 9110, section 8.8.3.2.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false), ("W/\"1\"", "\"1\"", false, true),
        ("\"1\"", "\"1\"", true, true),
    ])
    func tagsAreCompared(_ left: String, _ right: String, _ strong: Bool, _ weak: Bool) throws {
        let tag = try #require(EntityTag(left))
        #expect(tag.stronglyMatches(try #require(EntityTag(right))) == strong)
        #expect(tag.isNamed(by: right) == weak)
    }

    @Test(arguments: [
        ("*", true), ("\"a\", W/\"v,1\"", true), ("\"a\" , \"v,1\" ,", true), ("\"a\"", false), ("\"v,1", false),
        ("v,1", false), ("", false),
        ("\"v,1\" garbage", false), ("\"v,1\"\"a\"", false),
    ])
    func aListNamesATag(_ list: String, _ expected: Bool) throws {
        #expect(try #require(EntityTag(value: "v,1")).isNamed(by: list) == expected)
    }

    @Test(arguments: ["", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/a", "\"a\"b\"", "\"a b\"", "\"\u{1}\""])
    func whatIsNoTagIsRefused(_ text: String) {
        #expect(EntityTag(text) == nil)
    }
}
