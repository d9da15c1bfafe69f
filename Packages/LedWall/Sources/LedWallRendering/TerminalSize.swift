/// The size of a terminal in character cells.
public struct TerminalSize: Hashable, Sendable {
    /// The number of columns, at least 0.
    public let columns: Int

    /// The number of rows, at least 0.
    public let rows: Int

    /// Creates a size; negative numbers count as 0.
    ///
    /// - Parameters:
    ///   - columns: The number of columns.
    ///   - rows: The number of rows.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}
