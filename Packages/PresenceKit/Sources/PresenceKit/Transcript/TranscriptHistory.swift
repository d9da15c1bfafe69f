import TransportCore

/// The stored form of a transcript: its last finals, one JSON object a line.
public enum TranscriptHistory {
    /// How many finals are kept.
    public static let limit = 50

    /// What to store of a transcript.
    ///
    /// - Parameter transcript: The transcript, with the rows that were restored into it.
    /// - Returns: Its last finals of both speakers, oldest first; notices are about one run only.
    public static func rows(of transcript: Transcript) -> [TranscriptRow] {
        transcript.newest(limit) { $0.isFinal && $0.role != .system }
    }

    /// The bytes to store: UTF-8 JSON Lines; the same rows give the same bytes.
    ///
    /// - Parameter rows: Rows, oldest first; only the last finals are written.
    /// - Returns: The whole file.
    public static func write(_ rows: [TranscriptRow]) -> [UInt8] {
        Array(TranscriptExport.write(rows.filter(\.isFinal).suffix(limit), as: .jsonLines).utf8)
    }

    /// Reads stored bytes.
    ///
    /// - Parameter contents: UTF-8 JSON Lines; unknown fields are ignored.
    /// - Returns: The last finals, or nil when any line is not a row.
    public static func read(_ contents: [UInt8]) -> [TranscriptRow]? {
        var rows: [TranscriptRow] = []
        for line in JSONLines(contents) {
            guard let row = row(contents[line.range]) else { return nil }
            if row.isFinal, !TranscriptText.isBlank(row.text) { rows.append(row) }
        }
        return rows.suffix(limit)
    }

    private static func row(_ line: ArraySlice<UInt8>) -> TranscriptRow? {
        guard let fields = try? JSONValue(parsing: line),
            let id = fields["id"]?.stringValue,
            let role = fields["role"]?.stringValue.flatMap(TranscriptRole.init),
            let text = fields["text"]?.stringValue,
            let isFinal = fields["final"]?.boolValue,
            let time = fields["time"]?.doubleValue
        else { return nil }
        var row = TranscriptRow(
            id: id,
            role: role,
            text: text,
            isFinal: isFinal,
            time: time,
            isInterrupted: fields["interrupted"] == .bool(true),
            isTruncated: fields["truncated"] == .bool(true)
        )
        if let reason = fields["not_sent"]?.stringValue { row.delivery = .failed(reason: reason) }
        return row
    }
}
