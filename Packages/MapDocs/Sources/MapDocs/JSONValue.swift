/// A JSON value as it was read, with the members of objects in their order.
enum JSONValue {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
}

/// One name and value of a JSON object.
struct JSONMember {
    var name: String
    var value: JSONValue

    /// Whether the name comes first by UTF-16 code units, which differs from the order of scalars beyond U+FFFF.
    func precedes(_ other: JSONMember) -> Bool {
        name.utf16.lexicographicallyPrecedes(other.name.utf16)
    }
}
