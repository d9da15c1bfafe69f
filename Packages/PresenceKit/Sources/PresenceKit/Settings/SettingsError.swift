/// Why a setting cannot be changed as asked.
public struct SettingsError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// There is no setting of this name.
        case unknownName(String)
        /// The setting cannot have this value; the reason says what it can have.
        case invalidValue(name: String, text: String, reason: String)
    }

    /// What is wrong.
    public let reason: Reason

    /// Makes an error with its reason.
    public init(_ reason: Reason) {
        self.reason = reason
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SettingsError: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .unknownName(let name):
            "There is no setting “\(name)”; the settings are \(Settings.keys.joined(separator: ", "))."
        case .invalidValue(let name, let text, let reason):
            "The setting “\(name)” cannot be “\(text)”: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
        }
    }
}
