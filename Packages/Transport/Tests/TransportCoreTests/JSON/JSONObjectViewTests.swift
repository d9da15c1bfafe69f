import Testing
import TransportCore

@Suite struct JSONObjectViewTests {
    private func view(_ text: String) throws -> JSONObjectView {
        try JSONObjectView(Array(text.utf8))
    }

    @Test("Members are seen in their order, each with its kind")
    func members() throws {
        let object = try view(#" {"o":{"x":1},"a":[1],"s":"t\n","n":-1.50,"b":true,"z":null} "#)
        #expect(object.members.map(\.name) == ["o", "a", "s", "n", "b", "z"])
        #expect(object.members.map(\.kind) == [.object, .array, .string, .number, .bool, .null])
        #expect(object.members.map { object.text(of: $0) } == [#"{"x":1}"#, "[1]", "t\n", "-1.50", "true", "null"])
        #expect(object.members.map(\.byteCount) == [7, 3, 3, 5, 4, 4])
        #expect(object["z"] == nil && object.text("z") == nil && object["?"] == nil)
        #expect(object.object("o")?.text("x") == "1")
        #expect(object.object("a") == nil)
        #expect(try view("{}").members.isEmpty)
    }

    @Test("The last of two equal names counts")
    func repeatedNames() throws {
        #expect(try view(#"{"a":1,"a":2}"#).text("a") == "2")
    }

    @Test(
        "Strings are read tolerantly",
        arguments: [
            (#""\u00e9\ud83d\ude00""#, "é😀"), (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
            (#""\ude00\ud83d\n""#, "\u{FFFD}\u{FFFD}\n"), ("\"raw \u{1B}[31m\n\"", "raw \u{1B}[31m\n"),
        ]
    )
    func strings(_ json: String, _ text: String) throws {
        #expect(try view("{\"a\":\(json)}").text("a") == text)
        #expect(try JSONObjectView(Array(#"{"a":"x"#.utf8) + [0xFF] + Array(#""}"#.utf8)).text("a") == "x\u{FFFD}")
    }

    @Test(
        "Other JSON comes compact, and otherwise as it was written",
        arguments: [
            (
                #"{ "z" : 1 , "a" : [ 12345678901234567890123 , 1.50 , "x y" ] }"#,
                #"{"z":1,"a":[12345678901234567890123,1.50,"x y"]}"#
            ),
            ("[ ]", "[]"), ("{\n}", "{}"), (#"["\u0041\"\\ "]"#, #"["\u0041\"\\ "]"#),
            ("[\"a\u{1}\u{1B} b\\\\\", 1 ]", #"["a\u0001\u001b b\\",1]"#), ("1e400", "1e400"),
        ]
    )
    func compact(_ json: String, _ compact: String) throws {
        #expect(try view("{\"a\":\(json)}").text("a") == compact)
    }

    @Test("No depth of nesting is too deep")
    func depth() throws {
        let nested = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        #expect(try view("{\"a\":\(nested)}").text("a") == nested)
    }

    @Test("The object comes out with members left out and put in front")
    func json() throws {
        let object = try view(#"{ "t": 3, "n": [ 1 , 2 ], "s": "\u0041\u001b\/" }"#)
        #expect(String(decoding: object.json(), as: UTF8.self) == #"{"t":3,"n":[1,2],"s":"A\u001b/"}"#)
        let changed = object.json(omitting: ["t", "n"], prepending: [.init(name: "t", value: 1.5)])
        #expect(String(decoding: changed, as: UTF8.self) == #"{"t":1.5,"s":"A\u001b/"}"#)
        #expect(String(decoding: object.json(omitting: ["t", "n", "s"]), as: UTF8.self) == "{}")
    }

    @Test("A range of the bytes is read alone, and errors count from its start")
    func range() throws {
        let bytes = Array("??{\"a\":1}{\"b\":}".utf8)
        #expect(try JSONObjectView(bytes, in: 2..<9).text("a") == "1")
        let error = #expect(throws: JSONSyntaxError.self) { try JSONObjectView(bytes, in: 9..<15) }
        #expect(error?.offset == 5)
        #expect(throws: JSONSyntaxError.self) { try JSONObjectView(bytes, in: 2..<8) }
        #expect(throws: JSONSyntaxError.self) { try JSONObjectView(bytes, in: 100..<200) }
    }

    @Test(
        "What is not one object is refused",
        arguments: [
            ("", "it is empty"), ("[1]", "not a JSON object"), ("12", "not a JSON object"),
            (#"{"a":1} x"#, "something follows"),
            (#"{"a":[1,]}"#, "a value is missing or not JSON"), (#"{"a":[1 2]}"#, "a comma is missing"),
            (#"{"a":[}"#, "not JSON"),
            (#"{"a":{"b" 1}}"#, "a colon is missing"), (#"{"a":[1"#, "in the middle of an object or a list"),
            (#"{"a":{1:2}}"#, "a name in quotes is missing"), (#"{"a":01}"#, "a number is not JSON"),
            (#"{"a":"\q"}"#, "an escape"),
        ]
    )
    func refuses(_ json: String, _ reason: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try view(json) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("It agrees with the strict reader on what that one reads", arguments: UInt64(1)...20)
    func fuzz(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let source = Array(#"{"b":[1.5e3,-0,"é\ud83d\ude00\n"],"a":{"x":null,"y":[true,false,{}]},"c":"\\"}"#.utf8)
        for _ in 0..<50 {
            var bytes = source
            for _ in 0...random.nextInt(below: 3) {
                bytes[random.nextInt(below: bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            let object = try? JSONObjectView(bytes)
            guard let value = try? JSONValue(parsing: bytes), let members = value.members else { continue }
            #expect(object?.members.map(\.name) == members.map(\.name), "seed \(seed)")
            #expect(try object.map { try JSONValue(parsing: $0.json()) } == value, "seed \(seed)")
        }
    }
}

@Suite struct JSONLinesTests {
    @Test("Blank lines are counted and passed over, whatever ends the lines")
    func lines() {
        let text = "\u{FEFF}{}\r\n\n \t\r\n[1]\n\n\nlast"
        let bytes = Array(text.utf8)
        let lines = Array(JSONLines(bytes))
        #expect(lines.map(\.number) == [1, 4, 7])
        #expect(lines.map { String(decoding: bytes[$0.range], as: UTF8.self) } == ["{}\r", "[1]", "last"])
        #expect(Array(JSONLines([])).isEmpty)
        #expect(Array(JSONLines([0x0A])).isEmpty)
    }
}
