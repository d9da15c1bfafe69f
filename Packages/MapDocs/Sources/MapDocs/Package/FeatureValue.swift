/// One attribute value as a map package keeps it: the five storage classes of SQLite.
///
/// NULL and an empty text are different values; so are 1 and 1.0. What a value means depends on its column's type.
public enum FeatureValue: Hashable, Sendable {
    /// No value.
    case null
    /// A signed integer of 64 bits; also a boolean, as 0 or 1.
    case integer(Int64)
    /// A floating-point number of 64 bits.
    case real(Double)
    /// Text; also a date (`2026-03-29`) or a date and time in UTC (`2026-03-29T10:15:00.000Z`).
    case text(String)
    /// Bytes.
    case blob([UInt8])
}
