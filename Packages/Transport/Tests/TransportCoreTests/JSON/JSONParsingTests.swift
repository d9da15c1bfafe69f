import Foundation
import Testing
import TransportCore

/// What RFC 8259 allows and what it does not, its corners above all.
@Suite struct JSONParsingTests {
    private func parse(_ text: String, as profile: JSONValue.Profile = .json) throws -> JSONValue {
        try JSONValue(parsing: text.utf8, as: profile)
    }

    @Test("The examples of RFC 8259, section 13, keep order and digits")
    func examplesOfTheRFC() throws {
        let image = """
            {
              "Image": {
                  "Width":  800,
                  "Height": 600,
                  "Title":  "View from 15th Floor",
                  "Thumbnail": {
                      "Url":    "http://www.example.com/image/481989943",
                      "Height": 125,
                      "Width":  100
                  },
                  "Animated" : false,
                  "IDs": [116, 943, 234, 38793]
                }
            }
            """
        #expect(
            try parse(image).text
                == #"{"Image":{"Width":800,"Height":600,"Title":"View from 15th Floor","Thumbnail":{"#
                + #""Url":"http://www.example.com/image/481989943","Height":125,"Width":100},"#
                + #""Animated":false,"IDs":[116,943,234,38793]}}"#
        )
        #expect(try parse(#""Hello world!""#) == "Hello world!")
        #expect(try parse(" 42\n") == 42)
        #expect(try parse("true") == true)
    }

    @Test(
        "What is JSON reads as what it says",
        arguments: [
            ("[]", []), (" [ ] ", []), ("{}", [:]), ("\t{\r\n}\n", [:]), ("null", .null), ("false", false),
            ("[[],{},\"\",0]", [[], [:], "", 0]), (#"{"":0}"#, ["": 0]),
            (#"{"a":{"b":[null]}}"#, ["a": ["b": [.null]]]),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000\u001F""#, "\0\u{1F}"),
            (#""\u00e9\uD83D\uDE00\uDBFF\uDFFF""#, "\u{E9}\u{1F600}\u{10FFFF}"),
            (#""\uFEFF\uffff\u2028""#, "\u{FEFF}\u{FFFF}\u{2028}"),
            ("\"\u{7F}\u{2028}\u{E9}👩‍👩‍👧\"", "\u{7F}\u{2028}\u{E9}👩‍👩‍👧"),
            (
                #""a text of more than fifteen bytes, \u0041 \"quoted\" é""#,
                "a text of more than fifteen bytes, A \"quoted\" é"
            ),
            ("[1,\n2 , 3]", [1, 2, 3]),
        ] as [(String, JSONValue)]
    )
    func reads(_ text: String, _ value: JSONValue) throws {
        #expect(try parse(text) == value)
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(
        "What is not JSON is refused where it goes wrong",
        arguments: [
            ("", 0), ("  ", 2), ("{", 1), ("[", 1), ("[1,]", 3), ("[1 2]", 3), ("[,1]", 1), ("[1,,2]", 3), ("[1", 2),
            ("]", 0), ("[}", 1), ("[1}", 2), (#"{"a" 1}"#, 5), (#"{a: 1}"#, 1), (#"{'a':1}"#, 1), (#"{"a":1,}"#, 7),
            (#"{"a":}"#, 5), (#"{"a"}"#, 4), (#"{"a":1"#, 6), (#"{"a":1]"#, 6), (#"{,}"#, 1), (#"{1:1}"#, 1),
            ("nul", 0), ("nulll", 4), ("True", 0), ("1 2", 2), ("[]]", 2), ("{}x", 2), ("[NaN]", 1), ("Infinity", 0),
            ("-Infinity", 1), ("#", 0), ("/* */ 1", 0), ("[1]//", 3), ("\u{A0}1", 0), ("1\u{B}", 1), ("\0", 0),
            ("'a'", 0), ("\"a", 2), ("\"\t\"", 1), ("\"ab\u{1F}\"", 3), ("\"a long text, then \n\"", 19), (#""\x""#, 1),
            (#""\"#, 2), (#""\u""#, 3), (#""\u12g4""#, 5), (#""\u12"#, 5), (#""\U0041""#, 1), (#""\a""#, 1),
        ]
    )
    func refuses(_ text: String, _ offset: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try parse(text) }
        #expect(error?.offset == offset, "\(error?.message ?? "")")
    }

    @Test(
        "Numbers keep the digits that were written",
        arguments: [
            "0", "-0", "-0.0", "1", "-1", "10", "1.0", "1.50", "1e3", "1E+3", "1e-3", "0e0", "0.1e1",
            "123456789012345678901234567890",
            "-9223372036854775809", "3.14159265358979323846264338327950288", "1e400", "-1e400", "1e-400", "5e-324",
            "1e99999999999",
        ]
    )
    func keepsDigits(_ text: String) throws {
        #expect(try parse(text) == .number(try #require(JSONNumber(text))))
        #expect(try parse("[\(text),{\"a\":\(text)}]").text == "[\(text),{\"a\":\(text)}]")
    }

    @Test(
        "What is no number is refused where it goes wrong",
        arguments: [
            ("[01]", 2), ("[-01]", 3), ("[00]", 2), ("[1.]", 3), ("[.5]", 1), ("[-.5]", 2), ("[+1]", 1), ("[1e]", 3),
            ("[1e+]", 4),
            ("[1.e1]", 3), ("[-]", 2), ("[- 1]", 2), ("[1.5.5]", 4), ("[0x10]", 2), ("[1_000]", 2), ("[1e1.5]", 4),
            ("[--1]", 2),
            ("[１]", 1), ("-", 1),
        ]
    )
    func refusesNumbers(_ text: String, _ offset: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try parse(text) }
        #expect(error?.offset == offset)
    }

    @Test(
        "Half of a surrogate pair stands for no character",
        arguments: [
            (#""\ud800""#, 1), (#""\udc00""#, 1), (#""\udc00\ud800""#, 1), (#""\ud800\u0041""#, 1),
            (#""\ud800\ud800""#, 1),
            (#""\ud800x""#, 1), (#""\ud83d\ude00\ud83d""#, 13), (#""\ud800\n""#, 1), (#"["a","\uDFFF"]"#, 6),
        ]
    )
    func refusesLoneSurrogates(_ text: String, _ offset: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try parse(text) }
        #expect(error?.offset == offset)
        #expect(error?.reason.contains("surrogate") == true)
    }

    @Test(
        "Bytes that are not UTF-8 are refused, with and without escapes beside them",
        arguments: [
            [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE2, 0x82],
        ] as [[UInt8]]
    )
    func refusesWhatIsNotUTF8(_ bytes: [UInt8]) {
        for escape in ["", "\\n", "\\u00e9"] {
            let error = #expect(throws: JSONSyntaxError.self) {
                try JSONValue(parsing: Array("[\"\(escape)".utf8) + bytes + Array("\(escape)\"]".utf8))
            }
            #expect(error?.offset == 1)
        }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
    }

    @Test("A byte order mark in front is skipped, and stands nowhere else")
    func byteOrderMark() throws {
        #expect(try JSONValue(parsing: [0xEF, 0xBB, 0xBF] + Array("[ ]".utf8)) == [])
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array("[".utf8) + [0xEF, 0xBB, 0xBF, 0x5D]) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0xFE, 0xFF, 0x00, 0x31]) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0xEF, 0xBB, 0xBF]) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0xEF, 0xBB]) }
    }

    @Test("Nesting has a limit, so that no text can exhaust the stack", arguments: ["[", #"{"a":"#])
    func depth(_ opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        func nested(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "0" + String(repeating: closing, count: depth)
        }
        let most = JSONValue.maximumDepth
        #expect(try parse(nested(most)).text == nested(most))
        let error = #expect(throws: JSONSyntaxError.self) { try parse(nested(most + 1)) }
        #expect(error?.offset == most * opening.utf8.count)
        #expect(error?.reason.contains("nested") == true)
        #expect(throws: JSONSyntaxError.self) { try parse(String(repeating: opening, count: 1_000_000)) }
        // Many beside each other are no depth.
        #expect(try parse("[" + String(repeating: "[],", count: 10_000) + "0]").elements?.count == 10_001)
    }

    @Test("A name that stands twice is kept, and the last one is found; I-JSON refuses it")
    func repeatedNames() throws {
        let text = #"{"a":1,"b":2,"\u0061":3}"#
        let value = try parse(text)
        #expect(value["a"] == 3)
        #expect(value.text == #"{"a":1,"b":2,"a":3}"#)
        let error = #expect(throws: JSONSyntaxError.self) { try parse(" [\(text)]", as: .iJSON) }
        #expect(error?.offset == 2)
        #expect(error?.reason.contains("\"a\"") == true)
        #expect(try parse(#"[{"a":1},{"a":{"a":1}}]"#, as: .iJSON).elements?.count == 2)
    }

    @Test("Names that only look the same are two")
    func differentlyComposedNames() throws {
        let value = try parse("{\"\u{E9}\": 1, \"e\u{301}\": 2}", as: .iJSON)
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
    }

    @Test("I-JSON refuses a number beyond the range of Double", arguments: ["1e400", "-1e309", "1e99999999999"])
    func numbersBeyondDouble(_ text: String) throws {
        let error = #expect(throws: JSONSyntaxError.self) { try parse("[0,\(text)]", as: .iJSON) }
        #expect(error?.offset == 3)
        #expect(try parse("[0,1e308,1e-400,123456789012345678901]", as: .iJSON).elements?.count == 4)
    }

    @Test("An error says line and column, which counts characters")
    func position() {
        let error = #expect(throws: JSONSyntaxError.self) { try parse("{\n  \"é👩\": tru\n}") }
        #expect(error?.line == 2)
        #expect(error?.column == 9)
        #expect(error?.offset == 14)
        #expect(
            error?.message
                == "The JSON text cannot be read at line 2, column 9 (byte 14): a value is missing or not JSON."
        )
        #expect(error.map(String.init(describing:)) == error?.message)
    }

    @Test("Nonsense is read or refused, never a crash, and what is read stays the same", arguments: UInt64(1)...40)
    func fuzz(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let source = Array(#"{"b":[1.5e3,-0,"é\ud83d\ude00\n"],"a":{"x":null,"y":[true,false,{}]},"c":"\\"}"#.utf8)
        for _ in 0..<50 {
            var bytes = source
            for _ in 0...random.nextInt(below: 4) {
                let place = random.nextInt(below: bytes.count)
                switch random.nextInt(below: 3) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                default: bytes.insert(source[random.nextInt(below: source.count)], at: place)
                }
            }
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            #expect(try JSONValue(parsing: value.bytes) == value, "seed \(seed)")
            #expect(try JSONValue(parsing: value.indentedText.utf8) == value, "seed \(seed)")
        }
    }

    @Test("Random values come back as they were written, by Foundation's reader too", arguments: UInt64(1)...40)
    func randomValues(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let value = randomValue(&random, depth: 0)
        #expect(try JSONValue(parsing: value.bytes) == value, "seed \(seed)")
        let theirs = try JSONSerialization.jsonObject(with: Data(value.bytes), options: .fragmentsAllowed)
        let ours = try JSONSerialization.jsonObject(with: Data(value.indentedText.utf8), options: .fragmentsAllowed)
        #expect((theirs as? NSObject) == (ours as? NSObject), "seed \(seed)")
    }

    private func randomValue(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        switch random.nextInt(below: depth > 4 ? 5 : 7) {
        case 0: return .null
        case 1: return .bool(random.nextInt(below: 2) == 0)
        case 2: return .integer(Int(truncatingIfNeeded: random.next()))
        case 3: return .number(Double(bitPattern: random.next()))
        case 4: return .string(randomText(&random))
        case 5: return .array((0..<random.nextInt(below: 5)).map { _ in randomValue(&random, depth: depth + 1) })
        default:
            return .object(
                (0..<random.nextInt(below: 5)).map {
                    .init(name: "\($0)" + randomText(&random), value: randomValue(&random, depth: depth + 1))
                }
            )
        }
    }

    private func randomText(_ random: inout SeededRandom) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<random.nextInt(below: 30) {
            let limits: [UInt32] = [0x20, 0x80, 0xA0, 0x800, 0x2070, 0x10000, 0x11_0000]
            let limit = limits[random.nextInt(below: limits.count)]
            if let scalar = Unicode.Scalar(UInt32(random.nextInt(below: Int(limit)))) { text.append(scalar) }
        }
        return String(text)
    }
}
