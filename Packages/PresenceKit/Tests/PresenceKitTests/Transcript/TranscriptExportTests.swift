import PresenceKit
import Testing
import TransportCore

struct TranscriptExportTests {
    // 2025-08-30 07:46:40 UTC, as `date -u -d @1756540000` says.
    private static let rows = [
        TranscriptRow(id: "a", role: .user, text: "What is <b> --> & co?", isFinal: true, time: 1_756_540_000),
        TranscriptRow(
            id: "b",
            role: .agent,
            text: "Line one.\n\nLine two.\u{1B}[0m",
            isFinal: true,
            time: 1_756_540_000.4
        ),
        TranscriptRow(id: "p", role: .agent, text: "not yet", isFinal: false, time: 1_756_540_001),
        TranscriptRow(id: "c", role: .system, text: "Reconnected.", isFinal: true, time: 1_756_543_661.25),
    ]

    @Test func writesText() {
        let expected = """
            [2025-08-30 07:46:40 UTC] You: What is <b> --> & co?
            [2025-08-30 07:46:40 UTC] Hope: Line one.
                
                Line two.\u{FFFD}[0m
            [2025-08-30 08:47:41 UTC] Reconnected.

            """
        #expect(TranscriptExport.write(Self.rows, as: .text) == expected)
    }

    @Test func writesSubRip() {
        let expected = """
            1
            00:00:00,000 --> 00:00:00,400
            You: What is <b> → & co?

            2
            00:00:00,400 --> 00:00:01,840
            Hope: Line one.
            Line two.\u{FFFD}[0m

            3
            01:01:01,250 --> 01:01:02,250
            Reconnected.


            """
        #expect(TranscriptExport.write(Self.rows, as: .subRip) == expected)
    }

    @Test func writesWebVTT() {
        let expected = """
            WEBVTT

            1
            00:00:00.000 --> 00:00:00.400
            <v You>What is &lt;b&gt; --&gt; &amp; co?</v>

            2
            00:00:00.400 --> 00:00:01.840
            <v Hope>Line one.
            Line two.\u{FFFD}[0m</v>

            3
            01:01:01.250 --> 01:01:02.250
            Reconnected.


            """
        #expect(TranscriptExport.write(Self.rows, as: .webVTT) == expected)
    }

    @Test func writesJSONLines() {
        let lines = TranscriptExport.write(Self.rows, as: .jsonLines).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[2] == #"{"final":true,"id":"c","role":"system","text":"Reconnected.","time":1756543661.25}"#)
    }

    @Test(arguments: [
        (0.0, "1970-01-01 00:00:00"), (951_782_400, "2000-02-29 00:00:00"), (1_709_251_199, "2024-02-29 23:59:59"),
        (4_107_542_400, "2100-03-01 00:00:00"), (-5, "1970-01-01 00:00:00"), (.nan, "1970-01-01 00:00:00"),
    ])
    func writesDates(_ time: Double, _ expected: String) {
        let row = TranscriptRow(id: "a", role: .system, text: "x", isFinal: true, time: time)
        #expect(TranscriptExport.write([row], as: .text) == "[\(expected) UTC] x\n")
    }

    @Test(arguments: TranscriptExport.Format.allCases)
    func nothingIsAValidFile(_ format: TranscriptExport.Format) {
        #expect(TranscriptExport.write([], as: format) == (format == .webVTT ? "WEBVTT\n\n" : ""))
    }

    /// The formats' own rules: cues are apart by one blank line and hold none, each ends after it begins, none begins
    /// before the one above, and no text has an arrow.
    @Test(arguments: [(TranscriptExport.Format.subRip, ","), (.webVTT, ".")])
    func subtitlesAreValidWhateverWasSaid(_ format: TranscriptExport.Format, _ separator: String) {
        var random = SeededRandom(seed: 12)
        let pieces = [
            "a", "\n", "\r\n", "-->", "1\n", "<i>", "&", "\u{2028}", "\t", "\u{0}", "é", "WEBVTT", "NOTE ", " ",
        ]
        for round in 0..<300 {
            let rows = (0..<(1 + random.nextInt(below: 6))).map { index in
                var text = "x"
                for _ in 0..<random.nextInt(below: 9) { text += pieces[random.nextInt(below: pieces.count)] }
                let time = [0, 1, 1, 5.0004, 1e18, -.infinity, .nan, 3][random.nextInt(below: 8)]
                return TranscriptRow(
                    id: "\(index)",
                    role: TranscriptRole.allCases[random.nextInt(below: 3)],
                    text: text,
                    isFinal: true,
                    time: time
                )
            }
            var text = TranscriptExport.write(rows, as: format)
            if format == .webVTT {
                #expect(text.hasPrefix("WEBVTT\n\n"))
                text.removeFirst("WEBVTT\n\n".count)
            }
            #expect(text.hasSuffix("\n\n"))
            let cues = text.dropLast(2).split(separator: "\n\n", omittingEmptySubsequences: false)
            #expect(cues.count == rows.count, "round \(round): \(text.debugDescription)")
            var lastStart = ""
            for (index, cue) in cues.enumerated() {
                let lines = cue.split(separator: "\n", omittingEmptySubsequences: false)
                guard lines.count >= 3 else {
                    Issue.record("round \(round): \(cue.debugDescription)")
                    continue
                }
                #expect(lines[0] == "\(index + 1)")
                let times = lines[1].split(separator: " --> ").map(String.init)
                #expect(times.count == 2 && times.allSatisfy { $0.contains(separator) })
                #expect(padded(times[0]) < padded(times[1]) && lastStart <= padded(times[0]), "round \(round)")
                lastStart = padded(times[0])
                #expect(lines[2...].allSatisfy { !$0.contains("-->") && !$0.isEmpty }, "round \(round)")
            }
        }
    }

    /// Hours may have any number of digits from two on.
    private func padded(_ time: String) -> String { String(repeating: "0", count: max(0, 16 - time.count)) + time }
}
