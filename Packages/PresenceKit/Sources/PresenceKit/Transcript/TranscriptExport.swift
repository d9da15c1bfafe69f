import TransportCore

/// Writes finals in the formats that other programs read; the same rows give the same bytes.
///
/// Subtitles count their time from the first row. A cue lasts until the next one begins, but no longer than its text
/// takes to read: 60 ms a character, at least 1 s and at most 7 s. Cues that begin in the same millisecond overlap.
public enum TranscriptExport {
    /// The file formats.
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// One paragraph a row: date and time in UTC, speaker, text.
        case text
        /// One JSON object a row, as the history stores them.
        case jsonLines = "jsonl"
        /// SubRip subtitles, in the form that players agree on: numbered cues, a comma before the milliseconds.
        case subRip = "srt"
        /// Web Video Text Tracks (W3C), with a voice span for the speaker.
        case webVTT = "vtt"
    }

    /// Writes the finals among the rows.
    ///
    /// - Parameters:
    ///   - rows: Rows in the order of the transcript; partials and blank rows are left out.
    ///   - format: The file's format.
    /// - Returns: The whole file's text.
    public static func write(_ rows: [TranscriptRow], as format: Format) -> String {
        let finals = rows.filter { $0.isFinal && !TranscriptText.isBlank($0.text) }
        switch format {
        case .text: return finals.map(paragraph).joined()
        case .jsonLines: return finals.map { jsonLine($0) + "\n" }.joined()
        case .subRip:
            return cues(finals).enumerated().map { index, cue in
                "\(index + 1)\n\(cue.times(separator: ","))\n\(subRipText(cue.row))\n\n"
            }.joined()
        case .webVTT:
            return "WEBVTT\n\n"
                + cues(finals).enumerated().map { index, cue in
                    "\(index + 1)\n\(cue.times(separator: "."))\n\(webVTTText(cue.row))\n\n"
                }.joined()
        }
    }

    static func jsonLine(_ row: TranscriptRow) -> String {
        // Names in alphabetical order.
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue) { members.append(.init(name: name, value: value)) }
        add("final", .bool(row.isFinal))
        add("id", .string(row.id))
        if row.isInterrupted { add("interrupted", true) }
        if case .failed(let reason) = row.delivery { add("not_sent", .string(reason)) }
        add("role", .string(row.role.rawValue))
        add("text", .string(row.text))
        add("time", .decimal(row.time))
        if row.isTruncated { add("truncated", true) }
        return JSONValue.object(members).text
    }

    private static func paragraph(_ row: TranscriptRow) -> String {
        let speaker = row.role == .system ? "" : "\(row.role.spokenName): "
        let text = lines(row.text).joined(separator: "\n    ")
        return "[\(TranscriptTimestamp.dateAndTime(row.time)) UTC] \(speaker)\(text)\n"
    }

    // MARK: Subtitles

    private struct Cue {
        var row: TranscriptRow
        var start: Int
        var end: Int

        func times(separator: String) -> String {
            let start = TranscriptTimestamp.elapsed(start, separator: separator)
            return "\(start) --> \(TranscriptTimestamp.elapsed(end, separator: separator))"
        }
    }

    private static func cues(_ rows: [TranscriptRow]) -> [Cue] {
        guard let first = rows.first?.time else { return [] }
        var starts: [Int] = []
        for row in rows {
            // Rows of an earlier conversation stand above, whatever their clock said; cues never run back.
            let offset = min(max(0, row.time - first), 3_600_000)
            starts.append(max(Int((offset * 1_000).rounded()), starts.last ?? 0))
        }
        return rows.indices.map { index in
            let start = starts[index]
            let reading = min(7_000, max(1_000, rows[index].text.count * 60))
            var end = start + reading
            if index + 1 < rows.count, starts[index + 1] > start { end = min(end, starts[index + 1]) }
            return Cue(row: rows[index], start: start, end: end)
        }
    }

    /// SubRip has no escapes: an arrow inside a text could be taken for a time line, so it is written as one character.
    private static func subRipText(_ row: TranscriptRow) -> String {
        let speaker = row.role == .system ? "" : "\(row.role.spokenName): "
        return speaker + cueLines(row.text).map { replacing("-->", with: "→", in: $0) }.joined(separator: "\n")
    }

    private static func webVTTText(_ row: TranscriptRow) -> String {
        let text = cueLines(row.text).joined(separator: "\n")
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return row.role == .system ? escaped : "<v \(row.role.spokenName)>\(escaped)</v>"
    }

    /// A blank line would end the cue.
    private static func cueLines(_ text: String) -> [String] {
        lines(text).filter { !TranscriptText.isBlank($0) }
    }

    /// The text's lines, with control characters replaced: escape sequences must not reach a terminal.
    private static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{0B}", "\u{0C}":
                lines.append(line)
                line = ""
            case "\t": line += "\t"
            case _ where scalar.properties.generalCategory == .control: line += "\u{FFFD}"
            default: line.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return lines + [line]
    }

    private static func replacing(_ part: String, with other: String, in text: String) -> String {
        text.split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
