import TransportCore

extension JSONValue {
    /// Reads the object of a text message.
    init(message text: String) throws(RoomProtocolError) {
        do throws(JSONSyntaxError) {
            self = try JSONValue(parsing: text.utf8, as: .iJSON)
        } catch {
            throw RoomProtocolError("A text message is no JSON: \(error.reason).")
        }
        guard members != nil else { throw RoomProtocolError("A text message is no JSON object.") }
    }

    private static func missing(_ name: String) -> RoomProtocolError {
        RoomProtocolError("A message has no “\(name)”, or not the right kind.")
    }

    func text(_ name: String) throws(RoomProtocolError) -> String {
        guard let value = self[name]?.stringValue else { throw Self.missing(name) }
        return value
    }

    /// A text that names something, and so is short.
    func name(_ name: String) throws(RoomProtocolError) -> String {
        let value = try text(name)
        guard value.utf8.count <= RoomProtocol.maximumNameBytes else {
            throw RoomProtocolError("“\(name)” is longer than \(RoomProtocol.maximumNameBytes) bytes.")
        }
        return value
    }

    func optionalName(_ name: String) throws(RoomProtocolError) -> String? {
        self[name] == nil || self[name] == .null ? nil : try self.name(name)
    }

    func count(_ name: String) throws(RoomProtocolError) -> UInt64 {
        guard let value = self[name]?.intValue, value >= 0 else { throw Self.missing(name) }
        return UInt64(value)
    }

    func bool(_ name: String) throws(RoomProtocolError) -> Bool {
        guard let value = self[name]?.boolValue else { throw Self.missing(name) }
        return value
    }

    func double(_ name: String) throws(RoomProtocolError) -> Double {
        guard let value = self[name]?.doubleValue else { throw Self.missing(name) }
        return value
    }

    /// Texts by name; none when there is no such member.
    func texts(_ name: String) throws(RoomProtocolError) -> [String: String] {
        guard let value = self[name] else { return [:] }
        guard let members = value.members else { throw Self.missing(name) }
        var texts: [String: String] = [:]
        for member in members {
            guard let text = member.value.stringValue else { throw Self.missing(name) }
            texts[member.name] = text
        }
        return texts
    }

    func names(_ name: String) throws(RoomProtocolError) -> [String] {
        guard let value = self[name] else { return [] }
        guard let elements = value.elements, elements.count <= RoomProtocol.maximumReceivers else {
            throw Self.missing(name)
        }
        var names: [String] = []
        for element in elements {
            guard let text = element.stringValue else { throw Self.missing(name) }
            names.append(text)
        }
        return names
    }

    /// An object of texts, in the order of their names.
    init(_ texts: [String: String]) {
        self = .object(
            texts.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: .string($0.value)) }
        )
    }

    // MARK: Participants

    init(_ participant: Participant) {
        var members = [
            Member(name: "identity", value: .string(participant.identity)),
            Member(name: "kind", value: .string(participant.kind.rawValue)),
            Member(name: "name", value: .string(participant.name)),
            Member(name: "metadata", value: .string(participant.metadata)),
            Member(name: "attributes", value: JSONValue(participant.attributes)),
        ]
        if let joinedAt = participant.joinedAt { members.append(Member(name: "joined_at", value: .number(joinedAt))) }
        self = .object(members)
    }

    func participant() throws(RoomProtocolError) -> Participant {
        Participant(
            identity: try text("identity"),
            kind: Participant.Kind(rawValue: try text("kind")) ?? .other,
            name: try text("name"),
            metadata: try text("metadata"),
            attributes: try texts("attributes"),
            joinedAt: self["joined_at"]?.doubleValue
        )
    }
}
