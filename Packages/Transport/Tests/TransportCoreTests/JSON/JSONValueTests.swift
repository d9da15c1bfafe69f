import Foundation
import Testing
import TransportCore

@Suite struct JSONValueTests {
    @Test("Literals make values, and members keep the order of the literal")
    func literals() {
        let none: String? = nil
        let value: JSONValue = [
            "z": 1, "a": 2.5, "text": "t", "flag": true, "list": [1, "x", .null, [:]], "none": .string(none),
            "count": .integer(nil), "level": .number(Double?.none), "isOn": .bool(nil),
        ]
        #expect(
            value.text
                == #"{"z":1,"a":2.5,"text":"t","flag":true,"list":[1,"x",null,{}],"none":null,"#
                + #""count":null,"level":null,"isOn":null}"#
        )
        #expect(JSONValue.object(["b": 1, "a": 2]).text == #"{"b":1,"a":2}"#)
        #expect(String(describing: value) == value.text)
        #expect(value.bytes == Array(value.text.utf8))
    }

    @Test("What it is made of can be asked for by type, and only by that")
    func access() {
        let value: JSONValue = ["s": "t", "b": false, "n": 3, "d": 2.5, "l": [1], "o": ["p": .null]]
        #expect(value["s"]?.stringValue == "t")
        #expect(value["b"]?.boolValue == false)
        #expect(value["n"]?.intValue == 3)
        #expect(value["n"]?.doubleValue == 3)
        #expect(value["d"]?.doubleValue == 2.5)
        #expect(value["d"]?.intValue == nil)
        #expect(value["l"]?.elements == [1])
        #expect(value["o"]?.members == [.init(name: "p", value: .null)])
        #expect(value["o"]?["p"] == .null)
        #expect(value["x"] == nil)
        #expect(value["s"]?["x"] == nil)
        for name in ["s", "b", "l", "o"] {
            #expect(value[name]?.intValue == nil && value[name]?.doubleValue == nil)
        }
        #expect(value["n"]?.stringValue == nil && value["n"]?.boolValue == nil)
        #expect(value["n"]?.elements == nil && value["n"]?.members == nil)
    }

    @Test("Strings are written with the shortest escapes, and nothing that a terminal acts upon")
    func escapes() {
        let text =
            "\"\\/\u{8}\u{C}\n\r\t\0\u{1B}[1m\u{7F}\u{9B}\u{A0}é\u{61C}\u{200E}\u{2028}\u{202E}\u{2066}\u{206A}…😀"
        #expect(
            JSONValue.string(text).text
                == #""\"\\/\b\f\n\r\t\u0000\u001b[1m\u007f\u009b"# + "\u{A0}é"
                + #"\u061c\u200e\u2028\u202e\u2066"# + "\u{206A}…😀\""
        )
        #expect(JSONValue.object([text: .null]).text == "{\(JSONValue.string(text).text):null}")
    }

    @Test("Exactly the controls of Unicode are escaped, wherever they stand", arguments: 0...8)
    func escapedCharacters(_ place: Int) {
        let ranges: [Range<UInt32>] = [0..<0x180, 0x600..<0x640, 0x2000..<0x2100, 0x1_F600..<0x1_F610]
        for scalar in ranges.joined().compactMap({ Unicode.Scalar($0) }) {
            let category = scalar.properties.generalCategory
            let isEscaped =
                category == .control || category == .lineSeparator || category == .paragraphSeparator
                || scalar.properties.isBidiControl || scalar == "\"" || scalar == "\\"
            for rest in ["", "0123456789"] {
                let text = JSONValue.string(String(repeating: "x", count: place) + "\(Character(scalar))\(rest)").text
                #expect(
                    text.utf8.contains(UInt8(ascii: "\\")) == isEscaped,
                    "U+\(String(scalar.value, radix: 16)) in \(text)"
                )
            }
        }
    }

    @Test(
        "Numbers have the shortest digits that read back as the same",
        arguments: [
            (0.0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (1e-7, "1e-07"), (1.5e300, "1.5e+300"),
            (123_456.25, "123456.25"),
            (999_999_999_999_999, "999999999999999"), (1e15, "1000000000000000.0"), (1e16, "1e+16"),
            (.leastNonzeroMagnitude, "5e-324"), (.nan, "null"),
            (.infinity, "null"), (-.infinity, "null"), (0.1 + 0.2, "0.30000000000000004"),
        ]
    )
    func numbers(_ number: Double, _ text: String) {
        #expect(JSONValue.number(number).text == text)
    }

    @Test(
        "A decimal number always shows that it is one",
        arguments: [(0.0, "0.0"), (1_756_540_000, "1756540000.0"), (0.31, "0.31"), (1e16, "1e+16"), (.nan, "null")]
    )
    func decimals(_ number: Double, _ text: String) {
        #expect(JSONValue.decimal(number).text == text)
    }

    @Test("A number of single precision has no more digits than it needs")
    func singlePrecision() {
        #expect(JSONValue.number(Float(0.1)).text == "0.1")
        #expect(JSONValue.number(Float(1)).text == "1")
        #expect(JSONValue.number(Float.nan).text == "null")
        #expect(JSONValue.number(Float?.none) == .null)
    }

    @Test("People read one member a line, two spaces deeper a level")
    func indented() {
        let value: JSONValue = ["a": [1, [:], []], "b": ["c": "d"]]
        #expect(
            value.indentedText == """
                {
                  "a": [
                    1,
                    {},
                    []
                  ],
                  "b": {
                    "c": "d"
                  }
                }
                """
        )
        #expect(JSONValue.string("x").indentedText == "\"x\"")
    }

    @Test("It stands inside Codable types, its members sorted by name")
    func codable() throws {
        struct Box: Codable, Equatable { var value: JSONValue }
        let json = #"{"value":{"z":[1,2.5,true,null,"x",9007199254740993],"a":{}}}"#
        let box = try JSONDecoder().decode(Box.self, from: Data(json.utf8))
        #expect(box.value.text == #"{"a":{},"z":[1,2.5,true,null,"x",9007199254740993]}"#)
        #expect(try JSONDecoder().decode(Box.self, from: JSONEncoder().encode(box)) == box)
        let huge = Box(value: try JSONValue(parsing: "1e400".utf8))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(huge) }
    }
}

@Suite struct JSONNumberTests {
    @Test(
        "Whole numbers are integers however they are written",
        arguments: [
            ("0", 0), ("-0", 0), ("-0.00", 0), ("0e999999999999999999999", 0), ("1.0", 1), ("1e3", 1_000),
            ("-1.50E+3", -1_500),
            ("120e-1", 12), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("-9223372036854775808.0", .min),
            ("9223372036854775808", nil), ("1e19", nil), ("1e99999999999999999999", nil), ("1e1000000000", nil),
            ("0.5", nil),
            ("9007199254740993.0", 9_007_199_254_740_993), ("4503599627370496.3", nil),
            ("1.00000000000000000000001", nil),
            ("1e-1", nil), ("100000000000000000000e-2", 1_000_000_000_000_000_000),
        ] as [(String, Int?)]
    )
    func integers(_ text: String, _ value: Int?) throws {
        #expect(try #require(JSONNumber(text)).intValue == value)
    }

    @Test(
        "The nearest Double is given where there is one",
        arguments: [
            ("1.5", 1.5), ("1e400", nil), ("-1e400", nil), ("1e-400", 0), ("9007199254740993", 9_007_199_254_740_992),
            ("0.1", 0.1),
        ] as [(String, Double?)]
    )
    func doubles(_ text: String, _ value: Double?) throws {
        #expect(try #require(JSONNumber(text)).doubleValue == value)
    }

    @Test("Minus zero stays what it is")
    func minusZero() throws {
        #expect(try #require(JSONNumber("-0")).doubleValue?.sign == .minus)
        #expect(JSONNumber(decimal: -0.0)?.text == "-0.0")
    }

    @Test(
        "Text that is no JSON number makes none",
        arguments: ["", " 1", "1 ", "+1", "01", ".5", "1.", "nan", "0x1", "\u{FEFF}1", "1,2", "--1", "١"]
    )
    func refuses(_ text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test("Any integer can be written")
    func writesIntegers() {
        #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
        #expect(JSONNumber(Int128.min).text == "-170141183460469231731687303715884105728")
        #expect(JSONNumber(1) == JSONNumber("1"))
        #expect(JSONNumber(1) != JSONNumber("1.0"))
        #expect(String(describing: JSONNumber(7)) == "7")
    }
}
