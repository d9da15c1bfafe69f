/// What a pair of colours reaches.
public struct ContrastFinding: Hashable, Sendable {
    /// The pair that was looked at.
    public let pair: ContrastPair
    /// Its ratio, not rounded.
    public let ratio: Double
    /// The level that the ratio reaches for the pair's usage.
    public let level: ContrastLevel
    /// For a pair below AA, the token nearest to its text that would reach it; nil when none does.
    public let suggestion: ColorToken?

    /// Whether the ratio reaches AA; a transient pair may fall short without failing the report.
    public var passes: Bool {
        level != .fail
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ContrastFinding: CustomStringConvertible {
    public var description: String {
        let usage =
            switch pair.usage {
            case .body: "body text"
            case .largeText: "large text"
            case .nonText: "a glyph"
            }
        var sentence = "\(pair.text.path) on \(pair.surfaceName) (\(pair.place)): \(Contrast.text(for: ratio))"
        if passes {
            sentence += ", \(level.rawValue) for \(usage)"
        } else {
            sentence += ", \(usage) needs \(shortText(pair.usage.minimumAA)):1"
            sentence += pair.isTransient ? ", but only for a moment" : ""
            sentence += suggestion.map { "; \($0.path) would pass" } ?? ""
        }
        return sentence
    }
}

/// The contrast of every pair that an app uses.
public struct ContrastReport: Hashable, Sendable {
    /// One for each pair, in the order they were given.
    public let findings: [ContrastFinding]

    /// Looks at pairs.
    ///
    /// - Parameters:
    ///   - pairs: The pairs an app uses; ours are the default.
    ///   - candidates: The tokens that may be suggested; when nil, the texts of the pairs whose paths have the same
    ///     parent, so that a theme is offered its own tokens.
    /// - Throws: `ContrastError.unknownBackdrop` when a pair is translucent and does not say over what.
    public init(
        checking pairs: [ContrastPair] = ContrastPair.apps,
        candidates: [ColorToken]? = nil
    ) throws(ContrastError) {
        var findings: [ContrastFinding] = []
        for pair in pairs {
            let ratio = try pair.ratio()
            let level = pair.usage.level(of: ratio)
            var suggestion: ColorToken?
            if level == .fail {
                let family = pair.text.path.split(separator: ".").dropLast()
                let offered =
                    candidates ?? pairs.map(\.text).filter { $0.path.split(separator: ".").dropLast() == family }
                suggestion = try pair.nearestPassing(among: offered)
            }
            findings.append(ContrastFinding(pair: pair, ratio: ratio, level: level, suggestion: suggestion))
        }
        self.findings = findings
    }

    /// The pairs below AA that stay on the screen.
    public var failures: [ContrastFinding] {
        findings.filter { !$0.passes && !$0.pair.isTransient }
    }

    /// The pairs that are shown for a moment only, whatever they reach.
    public var transients: [ContrastFinding] {
        findings.filter(\.pair.isTransient)
    }

    /// Whether every pair that stays on the screen reaches AA.
    public var passes: Bool {
        failures.isEmpty
    }
}

extension ContrastPair {
    /// The token that reaches AA in the place of this pair's text and looks most like it.
    ///
    /// - Parameter tokens: What to choose from; of equally near ones the first wins.
    /// - Returns: Nil when none reaches AA.
    /// - Throws: `ContrastError.unknownBackdrop` when the pair is translucent and does not say over what.
    public func nearestPassing(among tokens: [ColorToken]) throws(ContrastError) -> ColorToken? {
        var nearest: (token: ColorToken, distance: Double)?
        for token in tokens {
            var other = self
            other.text = token
            guard usage.level(of: try other.ratio()) != .fail else { continue }
            let distance = text.value.visualDistance(to: token.value)
            if distance < nearest?.distance ?? .infinity { nearest = (token, distance) }
        }
        return nearest?.token
    }
}
