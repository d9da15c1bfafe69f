/// What stands in front of a surface; WCAG 2.2 asks for more contrast the smaller it is.
public enum ContrastUsage: String, CaseIterable, Hashable, Sendable {
    /// Text below 18 pt, or below 14 pt bold (success criteria 1.4.3 and 1.4.6).
    case body
    /// Text from 18 pt, or from 14 pt bold.
    case largeText
    /// Icons, dots, meters and focus rings (success criterion 1.4.11).
    case nonText

    /// The lowest ratio of AA: 4.5 for body text, 3 for the rest.
    public var minimumAA: Double {
        self == .body ? 4.5 : 3
    }

    /// The lowest ratio of AAA: 7 for body text, 4.5 for large text; nil where WCAG defines none.
    public var minimumAAA: Double? {
        switch self {
        case .body: 7
        case .largeText: 4.5
        case .nonText: nil
        }
    }

    /// The level that a ratio reaches; the ratio is compared as it is, never rounded.
    public func level(of ratio: Double) -> ContrastLevel {
        if let minimumAAA, ratio >= minimumAAA { return .aaa }
        return ratio >= minimumAA ? .aa : .fail
    }
}

/// A conformance level of WCAG 2.2.
public enum ContrastLevel: String, Hashable, Sendable {
    /// Below AA.
    case fail
    /// At least AA.
    case aa = "AA"
    /// At least AAA.
    case aaa = "AAA"
}

/// Why a contrast cannot be told.
public enum ContrastError: Error, Hashable, Sendable {
    /// A translucent surface has no colour of its own: what is behind it must be stated, and be opaque.
    case unknownBackdrop(surface: ColorValue)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ContrastError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownBackdrop(let surface):
            "The surface \(surface) is translucent: state the opaque colour behind it, or ask for the lowest ratio."
        }
    }
}

/// Contrast ratios as WCAG 2.2 defines them.
public enum Contrast {
    /// The ratio of two colours as they are seen, 1…21; nothing is rounded, neither colours nor the ratio.
    ///
    /// - Parameters:
    ///   - text: What stands in front; when translucent it is composited over the surface first.
    ///   - surface: What it stands on; when translucent it is composited over the backdrop first.
    ///   - backdrop: What is behind the surface; an opaque surface needs none.
    /// - Returns: (L1 + 0.05) / (L2 + 0.05), where L1 is the lighter one's relative luminance.
    /// - Throws: `ContrastError.unknownBackdrop` when surface and backdrop together are not opaque; state a backdrop.
    public static func ratio(
        of text: ColorValue,
        on surface: ColorValue,
        over backdrop: ColorValue? = nil
    ) throws(ContrastError) -> Double {
        let seen = backdrop.map(surface.composited(over:)) ?? surface
        guard seen.opacity == 1 else { throw .unknownBackdrop(surface: surface) }
        return opaqueRatio(text.composited(over: seen), seen)
    }

    /// The lowest ratio that a translucent surface can give, whatever is behind it.
    ///
    /// - Parameters:
    ///   - text: What stands in front.
    ///   - surface: What it stands on.
    /// - Returns: The lower of the ratios over white and over black, or 1 when the text is lighter than the surface
    ///   over one and darker over the other, since some backdrop in between then hides it.
    public static func lowestRatio(of text: ColorValue, on surface: ColorValue) -> Double {
        var lowest = 21.0
        var isLighter: [Bool] = []
        for backdrop in [ColorValue.white, .black] {
            let seen = surface.composited(over: backdrop)
            let front = text.composited(over: seen)
            lowest = min(lowest, opaqueRatio(front, seen))
            isLighter.append(front.relativeLuminance > seen.relativeLuminance)
        }
        return isLighter[0] == isLighter[1] ? lowest : 1
    }

    /// A ratio for people, with two decimals cut off rather than rounded: 4.4989 is `4.49:1`.
    public static func text(for ratio: Double) -> String {
        guard ratio.isFinite, ratio >= 0, ratio < 1000 else { return "\(ratio):1" }
        let hundredths = Int(ratio * 100)
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest):1"
    }

    static func opaqueRatio(_ one: ColorValue, _ other: ColorValue) -> Double {
        let (first, second) = (one.relativeLuminance, other.relativeLuminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }
}
