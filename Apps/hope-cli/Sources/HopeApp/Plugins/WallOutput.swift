public import LedWall
public import LedWallRendering

/// A place where the wall is drawn, as `--wall` chooses it.
public struct WallOutput: Sendable {
    /// What kind of pictures a place wants.
    public enum Kind: Sendable, Hashable {
        /// Every frame, at the pace of the clock.
        case live
        /// One picture.
        case still
    }

    /// How a picture is drawn, whatever the place.
    public struct Style: Sendable, Hashable {
        /// The side of a picture in pixels.
        public var side: Int
        /// Whether a terminal shows colours.
        public var color: TerminalColorFlag

        /// Makes a style.
        public init(side: Int = 400, color: TerminalColorFlag = .auto) {
            self.side = side
            self.color = color
        }
    }

    /// What kind of pictures it wants.
    public var kind: Kind
    /// Opens the place; nil where nothing is drawn.
    public var makeRenderer: @Sendable (_ style: Style, _ world: HopeWorld) -> (any WallRenderer)?

    /// Describes a place.
    public init(
        kind: Kind,
        makeRenderer: @escaping @Sendable (_ style: Style, _ world: HopeWorld) -> (any WallRenderer)?
    ) {
        self.kind = kind
        self.makeRenderer = makeRenderer
    }
}

extension PluginList<WallOutput> {
    /// The places that ship with hope.
    public static let standardWalls = PluginList(
        seam: "WallRenderer",
        option: "wall",
        plugins: [.terminalWall, .pngWall, .noWall]
    )
}

extension Plugin<WallOutput> {
    /// The terminal, or plain lines where there is none.
    public static let terminalWall = Plugin(
        scheme: "terminal",
        usage: "terminal",
        summary: "live on the terminal; plain lines when there is none",
        make: { rest, _ throws(CommandError) in
            try refuseValue(rest, for: "terminal")
            return WallOutput(kind: .live) { style, world in
                let mode = TerminalColorMode.decide(
                    flag: style.color,
                    environment: world.environment,
                    isTerminal: world.terminal != nil
                )
                if let terminal = world.terminal, world.environment["TERM"] != "dumb" {
                    return TerminalWall(on: terminal, colorMode: mode)
                }
                let output = world.output
                return TerminalWallRenderer(output: .lines, colorMode: mode) { bytes in
                    try output.write(bytes)
                    try output.flush()
                }
            }
        }
    )

    /// One picture in a PNG file.
    public static let pngWall = Plugin(
        scheme: "png",
        usage: "png:FILE",
        summary: "one picture in a PNG file, or on standard output with png:-",
        make: { path, _ throws(CommandError) in
            guard !path.isEmpty else {
                throw CommandError(.usage, "--wall png needs a file's name, as png:wall.png")
            }
            if path != "-" { try OutputFile(path: path).checkPlace() }
            return WallOutput(kind: .still) { style, world in
                PNGWallRenderer(side: style.side) { bytes, _ in
                    if path == "-" {
                        try world.output.write(bytes)
                    } else {
                        try OutputFile(path: path).write(bytes)
                    }
                }
            }
        }
    )

    /// Nowhere.
    public static let noWall = Plugin(
        scheme: "none",
        usage: "none",
        summary: "nowhere; only the phases are printed",
        make: { rest, _ throws(CommandError) in
            try refuseValue(rest, for: "none")
            return WallOutput(kind: .live) { _, _ in nil }
        }
    )

    private static func refuseValue(_ rest: String, for name: String) throws(CommandError) {
        guard rest.isEmpty else { throw CommandError(.usage, "--wall \(name) takes nothing after the colon") }
    }
}
