/// The value of a token of any kind.
public enum DesignTokenValue: Hashable, Sendable {
    /// A colour.
    case color(ColorValue)
    /// A length in points.
    case points(Double)
    /// A part of something, 0…1.
    case ratio(Double)
    /// A role of text.
    case text(TextRole)
    /// An animation.
    case motion(MotionToken)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DesignTokenValue: CustomStringConvertible {
    public var description: String {
        switch self {
        case .color(let color): color.description
        case .points(let points): "\(shortText(points)) pt"
        case .ratio(let ratio): shortText(ratio)
        case .text(let role):
            "\(shortText(role.size)) pt" + (role.isSemibold ? ", semibold" : "")
                + (role.isMonospaced ? ", monospaced" : "")
                + (role.lineHeight.map { ", line height \(shortText($0))" } ?? "")
        case .motion(let motion): motion.description
        }
    }
}

/// A token of any kind, as a registry lists it.
public struct DesignToken: Hashable, Sendable {
    /// The unique place of the token, for instance `color.iris`.
    public let path: String
    /// The family it is listed under.
    public let group: String
    /// What it is for, in one line.
    public let summary: String
    /// Its value.
    public let value: DesignTokenValue
    /// The path of the token that this one is another name for, or nil.
    public let aliasOf: String?

    /// The last part of the path, for instance `iris`.
    public var name: String {
        path.split(separator: ".").last.map(String.init) ?? path
    }

    /// Lists a colour.
    public init(_ token: ColorToken) {
        self.init(token.path, token.group, token.summary, .color(token.value), aliasOf: token.aliasOf)
    }

    /// Lists a length or a ratio.
    public init(_ token: MetricToken) {
        let value: DesignTokenValue = token.unit == .points ? .points(token.value) : .ratio(token.value)
        self.init(token.path, token.group, token.summary, value)
    }

    /// Lists a role of text.
    public init(_ role: TextRole) {
        self.init(role.path, role.group, role.summary, .text(role))
    }

    /// Lists an animation.
    public init(_ motion: MotionToken) {
        self.init(motion.path, "motion", motion.summary, .motion(motion))
    }

    private init(
        _ path: String,
        _ group: String,
        _ summary: String,
        _ value: DesignTokenValue,
        aliasOf: String? = nil
    ) {
        self.path = path
        self.group = group
        self.summary = summary
        self.value = value
        self.aliasOf = aliasOf
    }
}
