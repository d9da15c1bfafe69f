/// Rows of words in columns that line up.
struct TextTable {
    private var rows: [[String]]

    /// Begins with the columns' names.
    init(_ header: String...) {
        rows = [header]
    }

    /// Adds a row, of as many words as there are columns.
    mutating func add(_ row: String...) {
        rows.append(row)
    }

    /// The rows as lines, the header first; the last column ends where its words do.
    var lines: [String] {
        let count = rows[0].count
        let widths = (0..<count).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, words in
                column == count - 1
                    ? words : words + String(repeating: " ", count: max(0, widths[column] - words.count))
            }
            let line = cells.joined(separator: "  ")
            // Empty last columns leave no trail of spaces.
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
