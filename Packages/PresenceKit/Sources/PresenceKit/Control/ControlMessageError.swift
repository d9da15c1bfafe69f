/// Why a data packet on a control topic is not a control message.
public struct ControlMessageError: Error, Hashable, Sendable {
    /// What is wrong with the payload.
    public enum Reason: Hashable, Sendable {
        /// The payload is not UTF-8 JSON.
        case notJSON
        /// The payload is JSON, but not an object.
        case notAnObject
        /// The object has no `type` that is a string.
        case missingType
        /// A field that this type of message needs is absent or of another kind.
        case invalidField(name: String, type: String, expected: String)
    }

    /// What is wrong with the payload.
    public let reason: Reason

    /// Makes an error with its reason.
    public init(_ reason: Reason) {
        self.reason = reason
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ControlMessageError: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .notJSON:
            "The control message is not UTF-8 JSON; the sender must send one JSON object per packet."
        case .notAnObject:
            "The control message is not a JSON object; the sender must send {\"type\": …}."
        case .missingType:
            "The control message has no \"type\" that is a string; the sender must name the message."
        case .invalidField(let name, let type, let expected):
            "The control message \"\(type)\" needs \"\(name)\" to be \(expected); the sender must correct it."
        }
    }
}
