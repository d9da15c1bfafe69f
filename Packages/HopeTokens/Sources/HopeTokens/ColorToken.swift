/// A named colour of the Hope apps.
public struct ColorToken: Hashable, Sendable {
    /// The unique place of the token, for instance `color.iris`.
    public let path: String
    /// The family it is listed under: `palette`, `wall`, `semantic`, `glass`, `aero.light` or `aero.dark`.
    public let group: String
    /// What the colour is for, in one line.
    public let summary: String
    /// The colour itself, with its opacity.
    public let value: ColorValue
    /// The path of the token that this one is another name for, or nil.
    public let aliasOf: String?

    /// Makes a token; apps with colours of their own check them with the same tools.
    public init(path: String, group: String, summary: String, value: ColorValue, aliasOf: String? = nil) {
        self.path = path
        self.group = group
        self.summary = summary
        self.value = value
        self.aliasOf = aliasOf
    }

    /// The last part of the path, for instance `iris`.
    public var name: String {
        path.split(separator: ".").last.map(String.init) ?? path
    }

    fileprivate init(_ name: String, _ group: String, _ rgb: UInt32, opacity: Double = 1, _ summary: String) {
        self.init(
            path: "color." + name,
            group: group,
            summary: summary,
            value: ColorValue(rgb: rgb, opacity: opacity)
        )
    }

    fileprivate init(_ name: String, _ group: String, _ target: ColorToken, _ summary: String) {
        self.init(path: "color." + name, group: group, summary: summary, value: target.value, aliasOf: target.path)
    }
}

// MARK: - Palette

extension ColorToken {
    /// The background of every Hope screen, and text on an iris fill.
    public static let canvas = ColorToken("canvas", "palette", 0x08111F, "background of every screen")
    /// The background behind the canvas, for wells.
    public static let canvasDeep = ColorToken("canvasDeep", "palette", 0x050B14, "wells behind the canvas")
    /// The fill of cards.
    public static let surface = ColorToken("surface", "palette", 0x0D1929, "cards")
    /// The fill of fields and of parts that lie on a card.
    public static let surfaceRaised = ColorToken("surfaceRaised", "palette", 0x132238, "fields and raised parts")
    /// The fill of pressed and selected parts.
    public static let surfaceSoft = ColorToken("surfaceSoft", "palette", 0x172941, "pressed and selected parts")
    /// Hairlines between parts.
    public static let line = ColorToken("line", "palette", 0xB7CCEB, opacity: 0.13, "hairlines")
    /// Outlines that should be noticed.
    public static let lineStrong = ColorToken("lineStrong", "palette", 0xB7CCEB, opacity: 0.22, "outlines")
    /// Text that is read first.
    public static let ink = ColorToken("ink", "palette", 0xF4F7FB, "primary text")
    /// Running text of the agent and the status label.
    public static let inkSoft = ColorToken("inkSoft", "palette", 0xC5D1E2, "secondary text, the agent's words")
    /// Times, captions and system rows only; never on a user bubble, where it is 4.29:1.
    public static let inkMuted = ColorToken("inkMuted", "palette", 0x8395AD, "times, captions, system rows")
    /// The primary accent; text on it is `canvas`.
    public static let iris = ColorToken("iris", "palette", 0x8BA7FF, "primary accent")
    /// The accent of listening, of the microphone meter and of tool calls.
    public static let irisStrong = ColorToken("irisStrong", "palette", 0x6F8FF7, "listening, meters, tool calls")
    /// An accent for fills under white text; never text on a dark surface.
    public static let irisDeep = ColorToken("irisDeep", "palette", 0x3C5FC9, "fills under white text")
    /// The secondary accent.
    public static let warm = ColorToken("warm", "palette", 0xFFB38E, "secondary accent")
    /// The colour of success.
    public static let mint = ColorToken("mint", "palette", 0x76D9B2, "success")
    /// The colour of errors.
    public static let danger = ColorToken("danger", "palette", 0xFF806F, "errors")
    /// The fill of what the user said.
    public static let userBubble = ColorToken("userBubble", "palette", 0x1B3150, "the user's bubble")
    /// Text on the user's bubble.
    public static let userBubbleText = ColorToken("userBubbleText", "palette", 0xE8EFFF, "text on the user's bubble")
    /// The fill of what the agent said.
    public static let agentBubble = ColorToken("agentBubble", "palette", 0x14243A, "the agent's bubble")
    /// The ring around what has the keyboard's focus.
    public static let focus = ColorToken("focus", "palette", 0xB5C5FF, "focus ring")
}

// MARK: - LED wall

extension ColorToken {
    /// The wall's dots while nothing goes on.
    public static let wallIdle = ColorToken("wallIdle", "wall", 0x56739E, "wall at rest")
    /// The wall's dots while the session is being made.
    public static let wallConnecting = ColorToken("wallConnecting", "wall", 0xD99A6C, "wall while connecting")
    /// The wall's dots while the agent thinks.
    public static let wallThinking = ColorToken("wallThinking", "wall", 0xD99A6C, "wall while thinking")
    /// The wall's dots while the user speaks.
    public static let wallListening = ColorToken("wallListening", "wall", irisStrong, "wall while listening")
    /// The wall's dots while the agent speaks.
    public static let wallSpeaking = ColorToken("wallSpeaking", "wall", 0x9DC2FF, "wall while speaking")
    /// The wall's dots after a failure: the same as at rest.
    public static let wallFailed = ColorToken("wallFailed", "wall", wallIdle, "wall after a failure")
    /// The glow around the wall while the agent speaks: irisStrong, not iris.
    public static let wallGlow = ColorToken("wallGlow", "wall", 0x6F8FF7, opacity: 0.35, "glow of the speaking wall")
}

// MARK: - Semantic names

extension ColorToken {
    /// Text and glyphs on an iris fill; white there would be 2.32:1.
    public static let onIris = ColorToken("onIris", "semantic", canvas, "text on an iris fill")
    /// Text and glyphs on an irisDeep fill.
    public static let onIrisDeep = ColorToken("onIrisDeep", "semantic", 0xFFFFFF, "text on an irisDeep fill")
    /// Something went well.
    public static let success = ColorToken("success", "semantic", mint, "success")
    /// Something needs a look.
    public static let warning = ColorToken("warning", "semantic", danger, "warning")
    /// Something went wrong.
    public static let error = ColorToken("error", "semantic", danger, "error")
    /// The session or a task failed.
    public static let failed = ColorToken("failed", "semantic", danger, "failed")
    /// The agent thinks.
    public static let thinking = ColorToken("thinking", "semantic", warm, "thinking")
    /// The connection is being made again.
    public static let reconnecting = ColorToken("reconnecting", "semantic", warm, "reconnecting")
    /// The user is heard.
    public static let listening = ColorToken("listening", "semantic", irisStrong, "listening")
    /// The agent speaks.
    public static let speaking = ColorToken("speaking", "semantic", wallSpeaking, "speaking")
    /// The dot of a running task.
    public static let runningTask = ColorToken("runningTask", "semantic", iris, "running task")
    /// The dot of a task that has not begun.
    public static let pendingTask = ColorToken("pendingTask", "semantic", inkMuted, "pending task")
    /// The dot of a task that waits for something.
    public static let waitingTask = ColorToken("waitingTask", "semantic", warm, "waiting task")
    /// The dot of a canceled task.
    public static let canceledTask = ColorToken("canceledTask", "semantic", inkMuted, "canceled task")
    /// The badge that counts active tasks.
    public static let activeBadge = ColorToken("activeBadge", "semantic", iris, "badge of active tasks")
    /// The badge that says a task failed.
    public static let failedBadge = ColorToken("failedBadge", "semantic", danger, "badge of failed tasks")
    /// The background of a failure banner: danger at 0.1.
    public static let errorBanner = ColorToken(
        "errorBanner",
        "semantic",
        0xFF806F,
        opacity: 0.1,
        "failure banner background"
    )
}

// MARK: - Glass

extension ColorToken {
    /// The centre of the glass panel's radial gradient.
    public static let glassGlow = ColorToken(
        "glassGlow",
        "glass",
        0x6F8FF7,
        opacity: 0.10,
        "centre of the glass gradient"
    )
    /// The fill under the glass panel's gradient.
    public static let glassFill = ColorToken("glassFill", "glass", 0x060C18, opacity: 0.4, "fill of the glass panel")
    /// The glass panel's one-point border.
    public static let glassBorder = ColorToken(
        "glassBorder",
        "glass",
        0x8BA7FF,
        opacity: 0.14,
        "border of the glass panel"
    )
}

// MARK: - All

extension ColorToken {
    /// Every colour of Hope Voice, in the order of its families; the Meridian colours are in `AeroTheme`.
    public static let all: [ColorToken] = [
        canvas, canvasDeep, surface, surfaceRaised, surfaceSoft, line, lineStrong, ink, inkSoft, inkMuted,
        iris, irisStrong, irisDeep, warm, mint, danger, userBubble, userBubbleText, agentBubble, focus,
        wallIdle, wallConnecting, wallThinking, wallListening, wallSpeaking, wallFailed, wallGlow,
        onIris, onIrisDeep, success, warning, error, failed, thinking, reconnecting, listening, speaking,
        runningTask, pendingTask, waitingTask, canceledTask, activeBadge, failedBadge, errorBanner,
        glassGlow, glassFill, glassBorder,
    ]
}
