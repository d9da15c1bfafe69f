/// A list of tokens that can be enumerated and asked by path.
public struct DesignTokenRegistry: Sendable {
    /// Every token, in the order it was given.
    public let tokens: [DesignToken]
    private let indices: [String: Int]

    /// Lists tokens; a later one takes the place of an earlier one with the same path, so that an app can adjust ours.
    public init(_ tokens: [DesignToken]) {
        var list: [DesignToken] = []
        var indices: [String: Int] = [:]
        for token in tokens {
            if let index = indices[token.path] {
                list[index] = token
            } else {
                indices[token.path] = list.count
                list.append(token)
            }
        }
        self.tokens = list
        self.indices = indices
    }

    /// Every token of both apps.
    public static let hope = DesignTokenRegistry(
        ColorToken.all.map(DesignToken.init) + MetricToken.all.map(DesignToken.init)
            + TextRole.all.map(DesignToken.init) + MotionToken.all.map(DesignToken.init)
            + AeroTheme.all.flatMap { $0.colors.map(DesignToken.init) + [DesignToken($0.grainOpacity)] }
    )

    /// The names of the families, each once, in the order of their first token.
    public var groups: [String] {
        var seen: Set<String> = []
        return tokens.map(\.group).filter { seen.insert($0).inserted }
    }

    /// The tokens of a family, in order; none for a name that no token has.
    public func tokens(in group: String) -> [DesignToken] {
        tokens.filter { $0.group == group }
    }

    /// The token at a path such as `color.iris`, or nil.
    public subscript(path: String) -> DesignToken? {
        indices[path].map { tokens[$0] }
    }
}
