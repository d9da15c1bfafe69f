import PresenceKit
import Testing
import TransportCore

struct DeliveryMarkerFilterTests {
    @Test(arguments: [
        ("[warm] Hello there.", "Hello there."),
        ("Hello [short pause] there.", "Hello there."),
        ("Hello there. [very warm smile]", "Hello there."),
        ("Hello [warm].", "Hello."),
        ("Hello [warm], you.", "Hello, you."),
        ("Hello.[warm] You.", "Hello. You."),
        ("Hello. [warm]You.", "Hello. You."),
        ("[warm][short pause] Hello", "Hello"),
        ("A. [warm] [pause] B.", "A. B."),
        ("One.\n[pause]\nTwo.", "One.\nTwo."),
        ("One.\n\n[pause]\n\nTwo.", "One.\n\nTwo."),
        ("One. [pause]\nTwo.", "One.\nTwo."),
        ("([warm] hello) there", "(hello) there"),
        ("(hello [warm]) there", "(hello) there"),
        ("He said \"[warm] hi\".", "He said \"hi\"."),
        ("[half-whisper] Psst", "Psst"),
        ("[doesn’t care] So?", "So?"),
        ("[überrascht] Ja?", "Ja?"),
        ("- [warm] first", "- first"),
        ("Wow! [laughs] (quietly)", "Wow! (quietly)"),
        ("Well[pause] yes", "Well yes"),
        ("Well[pause]. Yes", "Well. Yes"),
        ("[warm]", ""),
        (" [warm] ", ""),
    ])
    func takesCuesOut(_ text: String, _ expected: String) {
        #expect(DeliveryMarkerFilter.strip(text) == expected)
    }

    @Test(arguments: [
        ("Wait <break time=\"300ms\"/> here.", "Wait here."),
        ("Wait<break time='1 s' strength=\"weak\" /> here.", "Wait here."),
        ("Wait <break time=300ms/>, please.", "Wait, please."),
        ("<speak>Hello</speak>", "Hello"),
        ("<speak>\n  Hello\n</speak>\n", "Hello"),
        ("It is <emphasis level=\"strong\">very</emphasis> good.", "It is very good."),
        ("un<emphasis>believ</emphasis>able", "unbelievable"),
        ("<mstts:express-as style=\"sad\">Oh</mstts:express-as> no", "Oh no"),
        ("<prosody rate=\"slow\" pitch=\"+2st\">Slow</prosody>", "Slow"),
        ("<break time=\"a > b\"/>Go", "Go"),
        ("Ha <laugh/> ha", "Ha ha"),
        ("Ha <quiet_snort/> ha", "Ha ha"),
        ("<say-as interpret-as=\"date\">1 May</say-as>", "1 May"),
        ("<break\n time=\"1s\"\n/> Go", "Go"),
    ])
    func takesSpeechTagsOut(_ text: String, _ expected: String) {
        #expect(DeliveryMarkerFilter.strip(text) == expected)
    }

    @Test(arguments: [
        "See [the docs](https://example.com/a?b[c]=d) first.",
        "See [docs](https://example.com).",
        "![diagram](a.png)",
        "[![alt text](img)](url)",
        "See [docs][1] and [docs][Ref].",
        "[docs]: https://example.com",
        "As shown [1], [12] and [1, 2].",
        "- [ ] milk\n- [x] bread",
        "[Warm] and [WARM] and [warm!] and [two2]",
        "[one two three four]",
        "[]",
        "[ warm ]",
        "row[key] = 3 and row[key].id and row[key][other]",
        "`[warm]` and ``a ` [warm]``",
        "```swift\nlet a = [warm]\n<break/>\n```\nDone",
        "~~~\n[warm]\n~~~",
        "> ```\n> [warm]\n> ```",
        "```\n[warm] never closed",
        "$a [warm] b$ and $$\n[warm]\n\n<break/>$$",
        "\\(a [warm]\\) and \\[ [warm] \\]",
        "\\[warm] \\<break/>",
        "a < b and b > c, x<y, List<String>, <https://example.com>",
        "<b>bold</b><br/>",
        "<breakfast>",
        "<break time>",
        "Trailing space ",
        "  leading",
        "[war",
        "<break time=\"300ms\"",
        "x \\",
        "costs $",
        "",
    ])
    func leavesAllElse(_ text: String) {
        #expect(DeliveryMarkerFilter.strip(text) == text)
    }

    @Test(arguments: [
        ("It costs $5 [warm] or $6.", "It costs $5 or $6."),
        ("A lone ` tick [warm] here", "A lone ` tick here"),
        ("A ` tick\n\n[warm] and ` another", "A ` tick\n\nand ` another"),
        ("```\ncode [warm]\n```\n[warm] Done", "```\ncode [warm]\n```\nDone"),
        ("`code` [warm] x", "`code` x"),
        ("[warm][docs](url)", "[docs](url)"),
    ])
    func knowsWhereCodeAndMathsEnd(_ text: String, _ expected: String) {
        #expect(DeliveryMarkerFilter.strip(text) == expected)
    }

    @Test func hidesAMarkerFromItsFirstCharacter() {
        var filter = DeliveryMarkerFilter()
        var seen: [String] = []
        for character in "Hi [short pause] you <break/>!" {
            filter.append(String(character))
            seen.append(filter.visibleText)
        }
        #expect(filter.finish() == "Hi you!")
        #expect(seen.allSatisfy { !$0.contains("[") && !$0.contains("<") })
        #expect(seen.contains("Hi you"))
    }

    @Test func showsTextAfterAnUnclosedPriceAtOnce() {
        var filter = DeliveryMarkerFilter()
        filter.append("Only $5 today, [warm] and tomor")
        #expect(filter.visibleText == "Only $5 today, and tomor")
    }

    private static let pieces = [
        "[warm]", "[short pause]", "<break time=\"1s\"/>", "<emphasis>", "</emphasis>", "Hello", " ", "\n", "\n\n", "`",
        "```", "~~~\n", "$", "$$", "[1]", "[docs](u)", "[", "]", "<", ">", "\\", "(", ")", ".", ", ", "5", "é", "👍🏽",
        "- ", "> ",
        "[x]", ":", "\\(", "\\)", "[a b c]", "a", "[warm", "<br", "eak/>", "\r\n", "[warm][1]",
    ]

    @Test func givesTheSameHoweverTheTextIsCut() {
        var random = SeededRandom(seed: 7)
        for round in 0..<1_500 {
            var text = ""
            for _ in 0...random.nextInt(below: 14) { text += Self.pieces[random.nextInt(below: Self.pieces.count)] }
            let scalars = Array(text.unicodeScalars)
            var filter = DeliveryMarkerFilter()
            var index = 0
            while index < scalars.count {
                let end = min(scalars.count, index + 1 + random.nextInt(below: 5))
                var chunk = String.UnicodeScalarView()
                chunk.append(contentsOf: scalars[index..<end])
                filter.append(String(chunk))
                index = end
            }
            #expect(filter.finish() == DeliveryMarkerFilter.strip(text), "round \(round): \(text.debugDescription)")
        }
    }

    @Test func losesNothingButMarkersAndSpace() {
        var random = SeededRandom(seed: 8)
        for round in 0..<1_500 {
            var text = ""
            for _ in 0...random.nextInt(below: 14) { text += Self.pieces[random.nextInt(below: Self.pieces.count)] }
            // What stays is the text with pieces left out, so it is found in it in order.
            var rest = text.unicodeScalars[...]
            for scalar in DeliveryMarkerFilter.strip(text).unicodeScalars {
                guard let index = rest.firstIndex(of: scalar) else {
                    Issue.record("round \(round): \(text.debugDescription)")
                    break
                }
                rest = rest[rest.index(after: index)...]
            }
        }
    }

    @Test func takesALongTextInShortChunks() {
        var filter = DeliveryMarkerFilter()
        filter.append("Only $5: ")
        for _ in 0..<2_000 { filter.append("text [warm] ") }
        #expect(filter.finish() == "Only $5: " + Array(repeating: "text", count: 2_000).joined(separator: " "))
    }
}
