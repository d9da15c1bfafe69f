import TransportCore

/// The members of a JSON object from outside, each of the type that is expected of it.
///
/// Only I-JSON is read, which has no member twice: two readers that disagree about which one counts are a way around
/// checks. A member that is null is one that is not there; one of another type is a fault, never passed over.
struct JSONFields {
    /// A text that is no such object, or a member of another type.
    struct Mismatch: Error {}

    private let value: JSONValue

    init(parsing bytes: [UInt8]) throws(Mismatch) {
        guard let value = try? JSONValue(parsing: bytes, as: .iJSON) else { throw Mismatch() }
        try self.init(value)
    }

    private init(_ value: JSONValue) throws(Mismatch) {
        guard value.members != nil else { throw Mismatch() }
        self.value = value
    }

    func string(_ name: String) throws(Mismatch) -> String? { try member(name, \.stringValue) }

    func bool(_ name: String) throws(Mismatch) -> Bool? { try member(name, \.boolValue) }

    func number(_ name: String) throws(Mismatch) -> Double? { try member(name, \.doubleValue) }

    func fields(_ name: String) throws(Mismatch) -> JSONFields? {
        guard let value = value[name], value != .null else { return nil }
        return try JSONFields(value)
    }

    func list(_ name: String) throws(Mismatch) -> [JSONValue]? { try member(name, \.elements) }

    func strings(_ name: String) throws(Mismatch) -> [String]? {
        guard let list = try list(name) else { return nil }
        let strings = list.compactMap(\.stringValue)
        guard strings.count == list.count else { throw Mismatch() }
        return strings
    }

    /// The objects of a list.
    func objects(_ name: String) throws(Mismatch) -> [JSONFields]? {
        guard let list = try list(name) else { return nil }
        var objects: [JSONFields] = []
        for element in list { objects.append(try JSONFields(element)) }
        return objects
    }

    /// An object whose values are all texts.
    func texts(_ name: String) throws(Mismatch) -> [String: String]? {
        guard let members = try member(name, \.members) else { return nil }
        var texts: [String: String] = [:]
        for member in members {
            guard let text = member.value.stringValue else { throw Mismatch() }
            texts[member.name] = text
        }
        return texts
    }

    private func member<Value>(
        _ name: String,
        _ read: (JSONValue) -> Value?
    ) throws(Mismatch) -> Value? {
        guard let member = value[name], member != .null else { return nil }
        guard let value = read(member) else { throw Mismatch() }
        return value
    }
}

extension JSONValue {
    /// An object without the members that are nil, in the order of the literal.
    static func present(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { member in member.value.map { Member(name: member.key, value: $0) } })
    }

    /// An object of texts, sorted by the code points of their names; nil when there are none.
    static func texts(_ texts: [String: String]) -> JSONValue? {
        guard !texts.isEmpty else { return nil }
        let names = texts.keys.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
        return .object(names.map { Member(name: $0, value: .string(texts[$0])) })
    }
}

extension String {
    /// The text as JSON, or nil where it is empty and so has nothing to say.
    var jsonUnlessEmpty: JSONValue? { isEmpty ? nil : .string(self) }
}
