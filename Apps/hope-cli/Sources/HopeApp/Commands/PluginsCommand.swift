internal import TransportCore

extension Command {
    /// `hope plugins`: what can be plugged into each seam.
    public static func plugins() -> Command {
        Command(
            "plugins",
            summary: "list what can be plugged into each seam, and what is missing for it",
            options: [.json],
            examples: [CommandExample("hope plugins --json", "as one JSON object")],
            action: { invocation, world in
                let plugins = world.plugins
                let entries =
                    plugins.transports.entries(in: world) + plugins.audio.entries(in: world)
                    + plugins.players.entries(in: world) + plugins.stores.entries(in: world)
                    + plugins.walls.entries(in: world)
                if invocation.has(.json) {
                    let values = entries.map { entry -> JSONValue in
                        [
                            "seam": .string(entry.seam), "name": .string(entry.name), "scheme": .string(entry.scheme),
                            "needs": .string(entry.needs.isEmpty ? nil : entry.needs),
                            "available": .bool(entry.isAvailable),
                        ]
                    }
                    return try world.output.line(JSONValue.object(["plugins": .array(values)]).text)
                }
                for entry in entries {
                    let state = entry.isAvailable ? "" : "  (missing: \(entry.needs))"
                    try world.output.line("\(entry.seam)  \(entry.scheme)  \(entry.summary)\(state)")
                }
            }
        )
    }
}

/// One plugin as the list shows it, whatever it makes.
private struct PluginEntry {
    let seam: String
    let name: String
    let scheme: String
    let summary: String
    let needs: String
    let isAvailable: Bool
}

extension PluginList {
    fileprivate func entries(in world: HopeWorld) -> [PluginEntry] {
        plugins.map { plugin in
            PluginEntry(
                seam: seam,
                name: plugin.scheme,
                scheme: plugin.usage,
                summary: plugin.summary,
                needs: plugin.needs,
                isAvailable: plugin.isAvailable(world)
            )
        }
    }
}
