/// An opaque colour that lies behind a translucent surface.
public struct ContrastBackdrop: Hashable, Sendable {
    /// What it is, for instance `white map`.
    public let name: String
    /// Its colour.
    public let value: ColorValue

    /// Makes a backdrop.
    public init(name: String, value: ColorValue) {
        self.name = name
        self.value = value
    }

    /// The background of every Hope screen.
    public static let canvas = ContrastBackdrop(name: ColorToken.canvas.path, value: ColorToken.canvas.value)
    /// The brightest map that Meridian's glass can lie on.
    public static let whiteMap = ContrastBackdrop(name: "white map", value: .white)
    /// The darkest map that Meridian's glass can lie on.
    public static let blackMap = ContrastBackdrop(name: "black map", value: .black)
}

/// A colour that an app shows on another.
public struct ContrastPair: Hashable, Sendable {
    /// What stands in front.
    public var text: ColorToken
    /// What it stands on.
    public var surface: ColorToken
    /// What is behind the surface; needed when the surface or the row is translucent.
    public var backdrop: ContrastBackdrop?
    /// How large the text is.
    public var usage: ContrastUsage
    /// Opacity of text and surface together over the backdrop, as for a partial row; 1 for most.
    public var rowOpacity: Double
    /// Whether it is shown for a moment only and something that passes takes its place; then it never fails a report.
    public var isTransient: Bool
    /// Where it is seen, in a few words.
    public var place: String

    /// Makes a pair.
    public init(
        _ text: ColorToken,
        on surface: ColorToken,
        over backdrop: ContrastBackdrop? = nil,
        usage: ContrastUsage = .body,
        rowOpacity: Double = 1,
        isTransient: Bool = false,
        place: String
    ) {
        self.text = text
        self.surface = surface
        self.backdrop = backdrop
        self.usage = usage
        self.rowOpacity = rowOpacity
        self.isTransient = isTransient
        self.place = place
    }

    /// The surface's path, and the backdrop's name after "over" where there is one.
    public var surfaceName: String {
        backdrop.map { "\(surface.path) over \($0.name)" } ?? surface.path
    }

    /// The unrounded ratio.
    ///
    /// - Throws: `ContrastError.unknownBackdrop` when something is translucent and no backdrop is stated.
    public func ratio() throws(ContrastError) -> Double {
        guard rowOpacity < 1 else {
            return try Contrast.ratio(of: text.value, on: surface.value, over: backdrop?.value)
        }
        guard let backdrop, backdrop.value.opacity == 1 else {
            throw .unknownBackdrop(surface: surface.value.withOpacity(surface.value.opacity * rowOpacity))
        }
        // The row is drawn as one picture and then faded, so text and surface lose the same share to the backdrop.
        let plate = surface.value.composited(over: backdrop.value)
        let words = text.value.composited(over: plate)
        return Contrast.opaqueRatio(
            words.withOpacity(rowOpacity).composited(over: backdrop.value),
            plate.withOpacity(rowOpacity).composited(over: backdrop.value)
        )
    }
}

extension ContrastPair {
    /// Every pair of Hope Voice: words, then glyphs and dots, then rows that are still being spoken.
    public static let voice: [ContrastPair] = {
        var pairs: [ContrastPair] = []
        func words(_ surface: ColorToken, _ texts: [ColorToken], _ place: String) {
            pairs += texts.map { ContrastPair($0, on: surface, place: place) }
        }
        words(
            .canvas,
            [.ink, .inkSoft, .inkMuted, .iris, .irisStrong, .mint, .warm, .danger],
            "header, stage, times, system rows, End"
        )
        words(.canvasDeep, [.ink, .inkSoft, .inkMuted], "wells")
        words(.surface, [.ink, .inkSoft, .inkMuted, .iris, .irisStrong, .mint, .warm, .danger], "task cards, settings")
        words(
            .surfaceRaised,
            [.ink, .inkSoft, .inkMuted, .iris, .irisStrong, .mint, .warm, .danger],
            "steps, composer field"
        )
        words(.surfaceSoft, [.ink, .inkSoft, .inkMuted], "selected and pressed rows")
        words(.userBubble, [.userBubbleText], "the user's words")
        words(.agentBubble, [.inkSoft, .ink], "the agent's words")
        words(.iris, [.onIris], "Start, Send, badge")
        words(.irisDeep, [.onIrisDeep], "deep fills")
        words(.danger, [.canvas], "badge of failed tasks")
        pairs += [ColorToken.ink, .inkSoft, .danger].map {
            ContrastPair($0, on: .errorBanner, over: .canvas, place: "failure banner")
        }
        func marks(_ surface: ColorToken, _ tokens: [ColorToken], _ place: String) {
            pairs += tokens.map { ContrastPair($0, on: surface, usage: .nonText, place: place) }
        }
        marks(.canvas, [.focus, .listening, .thinking, .reconnecting], "focus ring, meter, chip dot, banner glyph")
        marks(.surface, [.focus, .runningTask, .pendingTask, .waitingTask, .success, .failed], "task dots, focus ring")
        marks(.surfaceRaised, [.focus], "focus ring of the field")
        pairs.append(
            ContrastPair(.failed, on: .errorBanner, over: .canvas, usage: .nonText, place: "failure banner's glyph")
        )
        func partial(_ text: ColorToken, _ bubble: ColorToken, _ place: String) {
            let opacity = MetricToken.partialRowOpacity.value
            pairs.append(
                ContrastPair(
                    text,
                    on: bubble,
                    over: .canvas,
                    rowOpacity: opacity,
                    isTransient: true,
                    place: place
                )
            )
        }
        partial(.inkSoft, .agentBubble, "the agent's words while they come")
        partial(.userBubbleText, .userBubble, "the user's words while they come")
        return pairs
    }()

    /// Every pair of Meridian in both themes; glass and sheets over the brightest and the darkest map.
    public static let meridian: [ContrastPair] = AeroTheme.all.flatMap { theme in
        var pairs: [ContrastPair] = []
        let words = [
            theme.ink, theme.inkMuted, theme.accent, theme.accentDeep, theme.success, theme.warning, theme.danger,
        ]
        for backdrop in [ContrastBackdrop.whiteMap, .blackMap] {
            pairs += words.map {
                ContrastPair($0, on: theme.glassFill, over: backdrop, place: "pod, cluster, chips, toasts, headers")
            }
            pairs += words.map {
                ContrastPair($0, on: theme.surfaceSheet, over: backdrop, place: "sheet bodies")
            }
        }
        pairs += words.map { ContrastPair($0, on: theme.accentSoft, place: "tiles, active buttons") }
        pairs.append(ContrastPair(theme.onAccent, on: theme.accent, place: "Save with changes, active buttons"))
        pairs.append(ContrastPair(theme.onAccent, on: theme.accentDeep, place: "pressed buttons"))
        return pairs
    }

    /// Every pair of both apps.
    public static let apps = voice + meridian
}
