/// Says why a text is not a colour, and which forms are.
public struct ColorSyntaxError: Error, Hashable, Sendable {
    /// The text that was read, cut after 40 characters.
    public let text: String
    /// What is wrong with it, as half a sentence.
    public let reason: String

    init(_ text: some StringProtocol, _ reason: String) {
        let beginning = text.prefix(40)
        self.text = beginning.endIndex < text.endIndex ? beginning + "…" : String(beginning)
        self.reason = reason
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ColorSyntaxError: CustomStringConvertible {
    public var description: String {
        "\"\(text)\" is not a colour: \(reason). Write #rgb, #rgba, #rrggbb, #rrggbbaa or rgb(r g b / alpha)."
    }
}
