import MapDocs
import Testing
import TransportCore

struct CanonicalJSONTests {
    private func canonical(_ text: String, omitting: Set<String> = []) throws -> String {
        String(decoding: try CanonicalJSON.canonicalize(Array(text.utf8), omitting: omitting), as: UTF8.self)
    }

    @Test("RFC 8785, 3.2.2: literals, numbers and strings")
    func values() throws {
        let text = #"""
            {
              "numbers": [333333333.33333329, 1E30, 4.50,
                          2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            }
            """#
        let expected =
            #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
            + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        #expect(try canonical(text) == expected)
    }

    @Test("RFC 8785, 3.2.3: members are sorted by UTF-16 code units")
    func sorting() throws {
        let text = #"""
            {"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
             "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
             "\u00f6": "Latin Small Letter O With Diaeresis"}
            """#
        let expected =
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\","
            + "\"\u{F6}\":\"Latin Small Letter O With Diaeresis\",\"\u{20AC}\":\"Euro Sign\","
            + "\"\u{1F600}\":\"Emoji: Grinning Face\",\"\u{FB33}\":\"Hebrew Letter Dalet With Dagesh\"}"
        #expect(try Array(canonical(text).utf8) == Array(expected.utf8))
    }

    @Test("Numbers are written as ECMAScript writes them")
    func numbers() throws {
        let table = try ReferenceTable("number_reference")
        #expect(table.rows.count > 400)
        for row in table.rows {
            let number = Double(bitPattern: try #require(UInt64(row[0], radix: 16)))
            #expect(try canonical("[\(number)]") == "[\(row[1])]")
        }
    }

    @Test("Control characters have the shortest escapes, everything else stands for itself")
    func escapes() throws {
        #expect(
            try canonical(#""\b\t\n\f\r\u0000\u001f\u007f\u2028é""#)
                == "\"\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}\u{2028}é\""
        )
    }

    @Test("Names that only look the same are two members")
    func unicodeForms() throws {
        let text = try canonical("{\"\u{E9}\": 1, \"e\u{301}\": 2}")
        #expect(Array(text.utf8) == Array("{\"e\u{301}\":2,\"\u{E9}\":1}".utf8))
    }

    @Test("Named members of the outermost object are left out, others of that name stay")
    func omits() throws {
        #expect(
            try canonical(#"{"revision": {"number": 1}, "a": {"revision": 2}}"#, omitting: ["revision"])
                == #"{"a":{"revision":2}}"#
        )
    }

    @Test(
        "A text that is not JSON or has no canonical form is refused where it goes wrong",
        arguments: [
            ("", 0), ("{", 1), ("[01]", 2), ("[1e400]", 1), (#""\ud800""#, 1), (#"{"a":1,"\u0061":2}"#, 0),
            (#"[{"b":{},"b":{}}]"#, 1),
        ]
    )
    func refuses(text: String, offset: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try canonical(text) }
        #expect(error?.offset == offset)
        #expect(error?.message.contains("byte \(offset)") == true)
    }

    @Test("Nesting has a limit, so that no text can exhaust the stack")
    func depth() throws {
        let most = JSONValue.maximumDepth
        let deep = String(repeating: "[", count: most) + String(repeating: "]", count: most)
        #expect(try canonical(deep) == deep)
        #expect(throws: JSONSyntaxError.self) { try canonical("[[\(deep)]]") }
        #expect(throws: JSONSyntaxError.self) { try canonical(String(repeating: "[", count: 1_000_000)) }
    }

    @Test("A byte order mark is skipped")
    func byteOrderMark() throws {
        #expect(try CanonicalJSON.canonicalize([0xEF, 0xBB, 0xBF] + Array("[ ]".utf8)) == Array("[]".utf8))
    }

    @Test("A canonical text is its own canonical form, and damage never traps", arguments: UInt64(1)...300)
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let text = Array(#"{"b":[1.5e3,-0,"é\ud83d\ude00\n"],"a":{"x":null,"y":[true,false,{}]},"c":"\\"}"#.utf8)
        let once = try CanonicalJSON.canonicalize(text)
        #expect(try CanonicalJSON.canonicalize(once) == once)
        var damaged = text
        for _ in 0...random.nextInt(below: 3) {
            let place = random.nextInt(below: damaged.count)
            switch random.nextInt(below: 3) {
            case 0: damaged[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: damaged.remove(at: place)
            default: damaged.insert(text[random.nextInt(below: text.count)], at: place)
            }
        }
        if let survived = try? CanonicalJSON.canonicalize(damaged) {
            #expect(try CanonicalJSON.canonicalize(survived) == survived)
        }
    }
}
