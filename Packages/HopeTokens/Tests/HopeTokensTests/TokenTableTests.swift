import HopeTokens
import Testing

struct TokenTableTests {
    @Test(
        arguments: [
            ("canvas", "#08111F"), ("canvasDeep", "#050B14"), ("surface", "#0D1929"), ("surfaceRaised", "#132238"),
            ("surfaceSoft", "#172941"), ("line", "#B7CCEB @ 0.13"), ("lineStrong", "#B7CCEB @ 0.22"),
            ("ink", "#F4F7FB"), ("inkSoft", "#C5D1E2"), ("inkMuted", "#8395AD"), ("iris", "#8BA7FF"),
            ("irisStrong", "#6F8FF7"), ("irisDeep", "#3C5FC9"), ("warm", "#FFB38E"), ("mint", "#76D9B2"),
            ("danger", "#FF806F"), ("userBubble", "#1B3150"), ("userBubbleText", "#E8EFFF"),
            ("agentBubble", "#14243A"), ("focus", "#B5C5FF"), ("wallIdle", "#56739E"), ("wallConnecting", "#D99A6C"),
            ("wallThinking", "#D99A6C"), ("wallListening", "#6F8FF7"), ("wallSpeaking", "#9DC2FF"),
            ("wallFailed", "#56739E"), ("wallGlow", "#6F8FF7 @ 0.35"), ("success", "#76D9B2"), ("warning", "#FF806F"),
            ("error", "#FF806F"), ("failed", "#FF806F"), ("thinking", "#FFB38E"), ("reconnecting", "#FFB38E"),
            ("listening", "#6F8FF7"), ("speaking", "#9DC2FF"), ("runningTask", "#8BA7FF"), ("pendingTask", "#8395AD"),
            ("waitingTask", "#FFB38E"), ("canceledTask", "#8395AD"), ("activeBadge", "#8BA7FF"),
            ("failedBadge", "#FF806F"), ("errorBanner", "#FF806F @ 0.1"), ("onIris", "#08111F"),
            ("onIrisDeep", "#FFFFFF"), ("glassGlow", "#6F8FF7 @ 0.1"), ("glassFill", "#060C18 @ 0.4"),
            ("glassBorder", "#8BA7FF @ 0.14"),
        ])
    func `colours have the values of the design`(name: String, value: String) {
        #expect(DesignTokenRegistry.hope["color.\(name)"]?.value.description == value)
    }

    @Test(
        arguments: [
            ("shape.cardRadius", "14 pt"), ("shape.plateRadiusRatio", "0.08125"), ("shape.bubbleRadius", "12 pt"),
            ("shape.bubbleCutRadius", "3 pt"), ("shape.avatarDiameter", "24 pt"), ("shape.wallGlowRadius", "14 pt"),
            ("glass.glowStop", "0.62"), ("glass.borderWidth", "1 pt"), ("layout.bubbleWidthRatio", "0.82"),
            ("layout.bubbleWidthRatioAccessibility", "0.92"), ("layout.touchTarget", "44 pt"),
            ("layout.buttonHeight", "42 pt"), ("layout.partialRowOpacity", "0.58"),
            ("text.body", "17 pt, line height 1.55"), ("text.headline", "17 pt, semibold"), ("text.caption", "12 pt"),
            ("text.caption2", "11 pt"), ("aero.text.label", "10.5 pt"), ("aero.text.mono", "12 pt, monospaced"),
            ("aero.metric.pillRadius", "24 pt"), ("aero.metric.padding", "8 pt"),
            ("aero.metric.iconButtonMinimum", "46 pt"), ("aero.metric.iconButtonMaximum", "48 pt"),
            ("aero.metric.layerRowHeight", "48 pt"), ("aero.metric.glassBorderWidth", "1 pt"),
            ("motion.easeOut", "cubic-bezier(0.22, 1, 0.36, 1)"), ("motion.dot", "90 ms linear"),
            ("motion.wallColor", "220 ms ease"), ("motion.glow", "radius 0 to 14 pt, 220 ms ease"),
            ("motion.thinkPulse", "opacity 1 to 0.28, scale 1 to 0.75, 1.2 s ease-in-out, forever"),
            ("motion.messageIn", "fade in, rise 5 pt, 180 ms ease-out"),
            ("motion.statusPulse", "opacity 1 to 0.3, 1.4 s ease, forever"),
            ("motion.press", "180 ms cubic-bezier(0.22, 1, 0.36, 1)"),
        ])
    func `other tokens have the values of the design`(path: String, value: String) {
        #expect(DesignTokenRegistry.hope[path]?.value.description == value)
    }

    @Test func `an alias has the value of the token it names`() {
        let aliases = DesignTokenRegistry.hope.tokens.filter { $0.aliasOf != nil }
        #expect(aliases.count == 17)
        for alias in aliases {
            #expect(alias.aliasOf.flatMap { DesignTokenRegistry.hope[$0] }?.value == alias.value, "\(alias.path)")
        }
    }

    @Test func `the registry lists every token once, in families`() {
        let registry = DesignTokenRegistry.hope
        #expect(registry.tokens.count == 111)
        #expect(Set(registry.tokens.map(\.path)).count == registry.tokens.count)
        #expect(
            registry.groups == [
                "palette", "wall", "semantic", "glass", "shape", "layout", "aero.metric", "text", "aero.text",
                "motion", "aero.light", "aero.dark",
            ]
        )
        #expect(registry.groups.flatMap { registry.tokens(in: $0) }.count == registry.tokens.count)
        #expect(registry.tokens.allSatisfy { !$0.summary.isEmpty && $0.path.hasSuffix("." + $0.name) })
        #expect(registry["color.iris"]?.name == "iris")
        #expect(registry["color.blue"] == nil)
        #expect(registry.tokens(in: "nothing").isEmpty)
    }

    @Test func `no token has a name of the system palette`() {
        let system: Set = ["blue", "green", "orange", "red", "yellow", "purple", "pink", "gray"]
        #expect(DesignTokenRegistry.hope.tokens.allSatisfy { !system.contains($0.name) })
    }

    @Test func `a later token takes the place of an earlier one`() {
        let mine = ColorToken(path: "color.iris", group: "palette", summary: "mine", value: .white)
        let registry = DesignTokenRegistry([DesignToken(.iris), DesignToken(.warm), DesignToken(mine)])
        #expect(registry.tokens.map(\.summary) == ["mine", ColorToken.warm.summary])
        #expect(registry["color.iris"]?.value == .color(.white))
    }

    @Test func `each speaker's bubble is cut at its own corner`() {
        #expect(BubbleCorners.user.bottomTrailing == 3 && BubbleCorners.user.bottomLeading == 12)
        #expect(BubbleCorners.agent.bottomLeading == 3 && BubbleCorners.agent.bottomTrailing == 12)
        #expect(BubbleCorners.user.topLeading == 12 && BubbleCorners.agent.topTrailing == 12)
    }

    @Test func `Meridian's grain is stronger in the dark`() {
        #expect(AeroTheme.dark.grainOpacity.value > AeroTheme.light.grainOpacity.value)
        #expect(AeroTheme.all.map { $0.surfaceSheet.value.opacity }.allSatisfy { $0 > 0.95 })
    }
}
