/// What can be plugged into each seam, by the URL or name that a person types.
///
/// A program fills one at its start and passes it down; nothing else in the code names a backend. ``standard`` holds what
/// ships with hope; a tool of your own starts from it or from an empty one.
public struct PluginRegistry: Sendable {
    /// What `--audio` takes.
    public var audio: PluginList<AudioInput>
    /// What `--wall` takes.
    public var walls: PluginList<WallOutput>
    /// What `--transport` takes.
    public var transports: PluginList<RoomTransport>
    /// What `--store` takes.
    public var stores: PluginList<MapStoreChoice>
    /// What `--player` takes.
    public var players: PluginList<PlayerOutput>

    /// Makes a registry of its lists.
    public init(
        audio: PluginList<AudioInput>,
        walls: PluginList<WallOutput>,
        transports: PluginList<RoomTransport> = .standardTransports,
        stores: PluginList<MapStoreChoice> = .standardStores,
        players: PluginList<PlayerOutput> = .standardPlayers
    ) {
        self.audio = audio
        self.walls = walls
        self.transports = transports
        self.stores = stores
        self.players = players
    }
}

/// One backend of a seam, as people choose it.
public struct Plugin<Product: Sendable>: Sendable {
    /// The word before the colon, or the whole name.
    public var scheme: String
    /// The form of the whole value, for help.
    public var usage: String
    /// What it does, in a few words.
    public var summary: String
    /// What it needs to work, in a few words; empty for nothing.
    public var needs: String
    /// Whether what it needs is there.
    public var isAvailable: @Sendable (_ world: HopeWorld) -> Bool
    /// Makes the backend from what stands behind the colon.
    ///
    /// - Throws: A ``CommandError`` that says what is wrong with the text or missing on the machine.
    public var make: @Sendable (_ rest: String, _ world: HopeWorld) throws(CommandError) -> Product

    /// Describes a backend.
    public init(
        scheme: String,
        usage: String,
        summary: String,
        needs: String = "",
        isAvailable: @escaping @Sendable (_ world: HopeWorld) -> Bool = { _ in true },
        make: @escaping @Sendable (_ rest: String, _ world: HopeWorld) throws(CommandError) -> Product
    ) {
        self.scheme = scheme
        self.usage = usage
        self.summary = summary
        self.needs = needs
        self.isAvailable = isAvailable
        self.make = make
    }
}

/// The backends that one seam can have.
public struct PluginList<Product: Sendable>: Sendable {
    /// The seam's protocol.
    public var seam: String
    /// The option that chooses.
    public var option: String
    /// The backends, in the order that help shows them.
    public var plugins: [Plugin<Product>]

    /// Makes a list.
    public init(seam: String, option: String, plugins: [Plugin<Product>]) {
        self.seam = seam
        self.option = option
        self.plugins = plugins
    }

    /// The forms that the option takes, for help.
    public var usage: String {
        plugins.map(\.usage).joined(separator: " | ")
    }

    /// Makes the backend that a text chooses, as `wav:FILE` or `synthetic`.
    ///
    /// - Throws: `.usage` for a text that chooses none, with the nearest that exists; else what the backend says.
    public func make(_ text: String, in world: HopeWorld) throws(CommandError) -> Product {
        let scheme = text.prefix { $0 != ":" }
        guard let plugin = plugins.first(where: { $0.scheme == scheme }) else {
            let near = nearestWord(to: String(scheme), among: plugins.map(\.scheme))
            let hint = near.map { "; did you mean \($0)?" } ?? ""
            throw CommandError(.usage, "--\(option) is one of \(usage), not \(quoted(text))\(hint)")
        }
        return try plugin.make(String(text.dropFirst(scheme.count + 1)), world)
    }
}
