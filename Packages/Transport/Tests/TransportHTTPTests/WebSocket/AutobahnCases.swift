import Testing

/// The cases of the Autobahn test suite, by their numbers, written down from its list and from RFC 6455.
///
/// What the suite sends in chops of one byte or frame by frame is sent here in all of these ways anyway.
struct AutobahnCase: Sendable, CustomTestStringConvertible {
    let id: String
    /// What the peer sends; unless a close frame is among it, 1000 follows at the end.
    let frames: [RawFrame]
    /// The frames that have to come back before the close frame.
    let echo: [RawFrame]
    /// The codes one of which has to come back; `nil` for an empty close frame.
    let close: [UInt16?]

    var testDescription: String { id }

    init(_ id: String, _ frames: [RawFrame], echo: [RawFrame] = [], close: [UInt16?] = [1000]) {
        (self.id, self.frames, self.echo, self.close) = (id, frames, echo, close)
    }

    private static func pattern(_ pattern: [UInt8], _ count: Int) -> [UInt8] {
        (0..<count).map { pattern[$0 % pattern.count] }
    }

    private static func fragments(_ opcode: UInt8, _ payload: [UInt8], of size: Int) -> [RawFrame] {
        stride(from: 0, to: payload.count, by: size).map { start in
            RawFrame(
                opcode: start == 0 ? opcode : 0,
                payload: Array(payload[start..<min(payload.count, start + size)]),
                fin: start + size >= payload.count
            )
        }
    }

    static let hello = RawFrame.text("Hello, world!")
    static let notUTF8 = RawFrame(opcode: 9, payload: [0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00, 0xFF])

    private static func makeFraming() -> [AutobahnCase] {
        var cases: [AutobahnCase] = []
        for (index, count) in [0, 125, 126, 127, 128, 65535, 65536].enumerated() {
            let text = RawFrame(opcode: 1, payload: [UInt8](repeating: UInt8(ascii: "*"), count: count))
            let binary = RawFrame(opcode: 2, payload: [UInt8](repeating: 0xFE, count: count))
            cases.append(AutobahnCase("1.1.\(index + 1)", [text], echo: [text]))
            cases.append(AutobahnCase("1.2.\(index + 1)", [binary], echo: [binary]))
        }
        return cases
    }

    static let framing: [AutobahnCase] = makeFraming()

    static let pings: [AutobahnCase] = [
        AutobahnCase("2.1", [.ping()], echo: [.pong()]),
        AutobahnCase("2.2", [.ping("Hello, world!")], echo: [.pong("Hello, world!")]),
        AutobahnCase("2.3", [notUTF8], echo: [RawFrame(opcode: 10, payload: notUTF8.payload)]),
        AutobahnCase(
            "2.4 and 2.6",
            [RawFrame(opcode: 9, payload: pattern([0xFE], 125))],
            echo: [RawFrame(opcode: 10, payload: pattern([0xFE], 125))]
        ),
        AutobahnCase("2.5", [RawFrame(opcode: 9, payload: pattern([0xFE], 126))], close: [1002]),
        AutobahnCase("2.7", [.pong()]), AutobahnCase("2.8", [.pong("unsolicited pong payload")]),
        AutobahnCase("2.9", [.pong("unsolicited pong payload"), .ping("ping payload")], echo: [.pong("ping payload")]),
        AutobahnCase(
            "2.10 and 2.11",
            (0..<10).map { .ping("payload-\($0)") },
            echo: (0..<10).map { .pong("payload-\($0)") }
        ),
    ]

    private static func makeReserved() -> [AutobahnCase] {
        let close: [UInt16?] = [1002]
        let ping = RawFrame.ping()
        var cases: [AutobahnCase] = []
        cases.append(AutobahnCase("3.1", [RawFrame(opcode: 1, payload: hello.payload, rsv: 1)], close: close))
        for rsv: UInt8 in 2...4 {
            let second = RawFrame(opcode: 1, payload: hello.payload, rsv: rsv)
            cases.append(AutobahnCase("3.\(rsv)", [hello, second, ping], echo: [hello], close: close))
        }
        cases.append(AutobahnCase("3.5", [RawFrame(opcode: 2, payload: notUTF8.payload, rsv: 5)], close: close))
        cases.append(AutobahnCase("3.6", [RawFrame(opcode: 9, payload: hello.payload, rsv: 6)], close: close))
        cases.append(AutobahnCase("3.7", [RawFrame(opcode: 8, rsv: 7)], close: close))
        for (section, first) in [("4.1", UInt8(3)), ("4.2", UInt8(11))] {
            let words = Array("reserved opcode payload".utf8)
            cases.append(AutobahnCase("\(section).1", [RawFrame(opcode: first)], close: close))
            cases.append(AutobahnCase("\(section).2", [RawFrame(opcode: first + 1, payload: words)], close: close))
            for offset: UInt8 in 2...4 {
                let payload = offset == 2 ? [] : hello.payload
                let second = RawFrame(opcode: first + offset, payload: payload)
                cases.append(
                    AutobahnCase("\(section).\(offset + 1)", [hello, second, ping], echo: [hello], close: close)
                )
            }
        }
        return cases
    }

    static let reserved: [AutobahnCase] = makeReserved()

    static let fragmentation: [AutobahnCase] = [
        AutobahnCase(
            "5.1",
            [RawFrame(opcode: 9, payload: Array("fragment1".utf8), fin: false), .more("fragment2")],
            close: [1002]
        ),
        AutobahnCase(
            "5.2",
            [RawFrame(opcode: 10, payload: Array("fragment1".utf8), fin: false), .more("fragment2")],
            close: [1002]
        ),
        AutobahnCase(
            "5.3 to 5.5",
            [.text("fragment1", fin: false), .more("fragment2")],
            echo: [.text("fragment1fragment2")]
        ),
        AutobahnCase(
            "5.6 to 5.8",
            [.text("fragment1", fin: false), .ping("ping payload"), .more("fragment2")],
            echo: [.pong("ping payload"), .text("fragment1fragment2")]
        ),
        AutobahnCase("5.9 to 5.11", [.more("non-continuation payload"), hello], close: [1002]),
        AutobahnCase("5.12 to 5.14", [.more("non-continuation payload", fin: false), hello], close: [1002]),
        AutobahnCase(
            "5.15",
            [.text("fragment1", fin: false), .more("fragment2"), .more("fragment3", fin: false), .text("fragment4")],
            echo: [.text("fragment1fragment2")],
            close: [1002]
        ),
        AutobahnCase(
            "5.16",
            [.more("fragment1", fin: false), .text("fragment2", fin: false), .more("fragment3")],
            close: [1002]
        ),
        AutobahnCase("5.17", [.more("fragment1"), .text("fragment2", fin: false), .more("fragment3")], close: [1002]),
        AutobahnCase("5.18", [.text("fragment1", fin: false), .text("fragment2")], close: [1002]),
        AutobahnCase(
            "5.19 and 5.20",
            [
                .text("fragment1", fin: false), .more("fragment2", fin: false), .ping("pongme 1!"),
                .more("fragment3", fin: false), .more("fragment4", fin: false), .ping("pongme 2!"), .more("fragment5"),
            ],
            echo: [.pong("pongme 1!"), .pong("pongme 2!"), .text("fragment1fragment2fragment3fragment4fragment5")]
        ),
    ]

    static let kosme: [UInt8] = [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5]
    static let surrogateInText = kosme + [0xED, 0xA0, 0x80] + Array("edited".utf8)

    private static let chosenText: [AutobahnCase] =
        [
            AutobahnCase("6.1.1", [.text("")], echo: [.text("")]),
            AutobahnCase("6.1.2", [.text("", fin: false), .more("", fin: false), .more("")], echo: [.text("")]),
            AutobahnCase(
                "6.1.3",
                [.text("", fin: false), .more("middle frame payload", fin: false), .more("")],
                echo: [.text("middle frame payload")]
            ),
            AutobahnCase("6.2.1", [.text("Hello-µ@ßöäüàá-UTF-8!!")], echo: [.text("Hello-µ@ßöäüàá-UTF-8!!")]),
            AutobahnCase(
                "6.2.2",
                [.text("Hello-µ@ßöä", fin: false), .more("üàá-UTF-8!!")],
                echo: [.text("Hello-µ@ßöäüàá-UTF-8!!")]
            ),
            AutobahnCase(
                "6.2.3",
                fragments(1, Array("Hello-µ@ßöäüàá-UTF-8!!".utf8), of: 1),
                echo: [.text("Hello-µ@ßöäüàá-UTF-8!!")]
            ),
            AutobahnCase("6.2.4", fragments(1, kosme, of: 1), echo: [RawFrame(opcode: 1, payload: kosme)]),
            AutobahnCase("6.3.1", [RawFrame(opcode: 1, payload: surrogateInText)], close: [1007]),
            AutobahnCase("6.3.2", fragments(1, surrogateInText, of: 1), close: [1007]),
        ]

    private static func makeText() -> [AutobahnCase] {
        var cases = chosenText
        for sequence in UTF8Sequences.all {
            let frame = RawFrame(opcode: 1, payload: sequence.bytes)
            if sequence.isValid {
                cases.append(AutobahnCase(sequence.id, [frame], echo: [frame]))
            } else {
                cases.append(AutobahnCase(sequence.id, [frame], close: [1007]))
            }
        }
        return cases
    }

    static let text: [AutobahnCase] = makeText()

    private static let chosenClosing: [AutobahnCase] =
        [
            AutobahnCase("7.1.1", [.text("Hello World!"), .close()], echo: [.text("Hello World!")]),
            AutobahnCase("7.1.2", [.close(), .close(nil)]), AutobahnCase("7.1.3", [.close(), .ping()]),
            AutobahnCase("7.1.4", [.close(), .text("Hello World!")]),
            AutobahnCase("7.1.5", [.text("fragment1", fin: false), .close(), .more("fragment2")]),
            AutobahnCase(
                "7.1.6",
                [
                    RawFrame(opcode: 1, payload: pattern(Array("BAsd7&jh23".utf8), 256 * 1024)), .text("Hello World!"),
                    .close(), .ping(),
                ],
                echo: [
                    RawFrame(opcode: 1, payload: pattern(Array("BAsd7&jh23".utf8), 256 * 1024)), .text("Hello World!"),
                ]
            ),
            AutobahnCase("7.3.1", [.close(nil)], close: [nil]),
            AutobahnCase("7.3.2", [RawFrame(opcode: 8, payload: [UInt8(ascii: "a")])], close: [1002]),
            AutobahnCase("7.3.3", [.close(1000)]), AutobahnCase("7.3.4", [.close(1000, "Hello World!")]),
            AutobahnCase("7.3.5", [.close(1000, String(repeating: "*", count: 123))]),
            AutobahnCase("7.3.6", [.close(1000, String(repeating: "*", count: 124))], close: [1002]),
            AutobahnCase(
                "7.5.1",
                [RawFrame(opcode: 8, payload: [0x03, 0xE8] + surrogateInText)],
                close: [1002, 1007]
            ),
            AutobahnCase("7.13.1", [.close(5000)], close: [1002]),
            AutobahnCase("7.13.2", [.close(65535)], close: [1002]),
        ]

    private static func makeClosing() -> [AutobahnCase] {
        var cases = chosenClosing
        let valid: [UInt16] = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
        for code in valid { cases.append(AutobahnCase("7.7 code \(code)", [.close(code)], close: [code])) }
        let invalid: [UInt16] = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999]
        for code in invalid { cases.append(AutobahnCase("7.9 code \(code)", [.close(code)], close: [1002])) }
        return cases
    }

    static let closing: [AutobahnCase] = makeClosing()

    /// Section 9 sends up to 16 MiB; here it is enough to go beyond every form of the length.
    static let large: [AutobahnCase] = [
        AutobahnCase(
            "9.1",
            [RawFrame(opcode: 1, payload: pattern(Array("BAsd7&jh23".utf8), 300_000))],
            echo: [RawFrame(opcode: 1, payload: pattern(Array("BAsd7&jh23".utf8), 300_000))]
        ),
        AutobahnCase(
            "9.2",
            [RawFrame(opcode: 2, payload: pattern([0x00, 0xFE, 0x23, 0xFA, 0xF0], 300_000))],
            echo: [RawFrame(opcode: 2, payload: pattern([0x00, 0xFE, 0x23, 0xFA, 0xF0], 300_000))]
        ),
        AutobahnCase(
            "9.3",
            fragments(1, pattern([UInt8(ascii: "*")], 70_000), of: 64),
            echo: [RawFrame(opcode: 1, payload: pattern([UInt8(ascii: "*")], 70_000))]
        ),
        AutobahnCase(
            "9.4",
            fragments(2, pattern([0xFE], 70_000), of: 256),
            echo: [RawFrame(opcode: 2, payload: pattern([0xFE], 70_000))]
        ),
    ]
}
