/// The reason why a JSON text has no canonical form.
public struct CanonicalJSONError: Error, Hashable, Sendable {
    /// Where in the text it was found, in bytes from its start.
    public let offset: Int
    /// What was found there, as a part of a sentence.
    public let reason: String

    /// A sentence for people that names the place and the reason.
    public var message: String { "The JSON text cannot be read at byte \(offset): \(reason)." }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CanonicalJSONError: CustomStringConvertible {
    public var description: String { message }
}
