internal import MapDocs
internal import TransportCore

extension Command {
    /// `hope map library`: the projects of a store and of this device.
    static func mapLibrary() -> Command {
        let thumbnails = CommandOption(
            "thumbnails",
            value: "DIR",
            summary: "draw each project that is on this device to DIR/NAME.png"
        )
        return Command(
            "library",
            summary: "list the projects with their state",
            options: MapDesk.places + [thumbnails, .json],
            examples: [CommandExample("hope map library --store folder:/maps", "the projects in a folder")],
            action: { invocation, world in
                let desk = try MapDesk(invocation, world)
                let rows: [DocumentStatus]
                do {
                    rows = try await desk.copies.library(of: desk.choice.store, identifiedBy: desk.choice.identifier)
                } catch {
                    throw CommandError.wrapping(map: error)
                }
                if let folder = invocation[thumbnails] {
                    for row in rows where row.base != nil {
                        try await drawThumbnail(of: row, to: folder, desk, world)
                    }
                }
                let screen = PhoneLibrary(rows, now: world.timeOfDay())
                if invocation.has(.json) {
                    let documents = rows.map { libraryJSON($0, desk) }
                    return try world.output.line(JSONValue.object(["documents": .array(documents)]).text)
                }
                for row in screen.rows {
                    let details = row.subtitle.isEmpty ? "" : "  \(row.subtitle)"
                    try world.output.line("\(row.glyph) \(terminalLine(row.title))  \(row.badge)\(details)")
                }
                if rows.isEmpty {
                    world.output.say(
                        "hope: \(desk.choice.identifier) has no projects; hope map import FILE --into DIR/NAME.gispad makes one"
                    )
                }
            }
        )
    }

    private static func libraryJSON(_ row: DocumentStatus, _ desk: MapDesk) -> JSONValue {
        let folder = row.source.store.split(separator: ":", maxSplits: 1).last.map(String.init)
        let path = row.source.store.hasPrefix("folder:") ? folder.map { "\($0)/\(row.source.name.fileName)" } : nil
        return [
            "name": .string(row.source.name.title), "path": .string(path), "state": .string(row.state.word),
            "changes": .integer(row.changes), "revision": .integer((row.remote ?? row.base)?.number),
            "layers": .integer(row.layers), "edited_at": .number(row.editedAt), "reason": .string(row.reason),
        ]
    }

    /// `hope map open`: a working copy of a project.
    static func mapOpen() -> Command {
        Command(
            "open",
            summary: "fetch a project, or open its working copy, and say how it stands",
            arguments: [MapDesk.document],
            options: MapDesk.places + [.json],
            examples: [CommandExample("hope map open World --store folder:/maps", "fetch a project into --home")],
            action: { invocation, world in
                let desk = try MapDesk(invocation, world)
                let named = try desk.document(invocation.argument(0) ?? "")
                await (try desk.open(named)).close()
                try await say(statusOf: named, desk, invocation, world)
            }
        )
    }

    /// `hope map status`: where a project stands between this device and the store.
    static func mapStatus() -> Command {
        Command(
            "status",
            summary: "say how a project stands: changes here, revision there",
            arguments: [MapDesk.document],
            options: MapDesk.places + [.json],
            examples: [CommandExample("hope map status World --json", "as one JSON object")],
            action: { invocation, world in
                let desk = try MapDesk(invocation, world)
                let named = try desk.document(invocation.argument(0) ?? "")
                try await say(statusOf: named, desk, invocation, world)
            }
        )
    }

    private static func say(
        statusOf named: MapDesk.Named,
        _ desk: MapDesk,
        _ invocation: Invocation,
        _ world: HopeWorld
    ) async throws {
        let status: DocumentStatus
        do {
            status = try await desk.copies.status(of: named.source, in: named.store)
        } catch {
            throw CommandError.wrapping(map: error)
        }
        if invocation.has(.json) {
            let object: JSONValue = [
                "name": .string(status.source.name.title), "state": .string(status.state.word),
                "changes": .integer(status.changes), "base": status.base?.json ?? .null,
                "remote": status.remote?.json ?? .null, "reason": .string(status.reason),
            ]
            return try world.output.line(object.text)
        }
        let reason = status.reason.map { " (\($0))" } ?? ""
        let place = named.source.isLocal ? "file" : String(desk.choice.identifier.prefix { $0 != ":" })
        let isOutdated = status.state == .available && status.base != nil
        let words = isOutdated ? "\(place) · a newer revision is there" : status.state.statusLine(in: place)
        try world.output.line("\(terminalLine(status.source.name.title)): \(words)\(terminalLine(reason))")
        func number(_ revision: DocumentRevision?) -> String { revision.map { "revision \($0.number)" } ?? "none" }
        try world.output.line("here: \(number(status.base))  there: \(number(status.remote))")
    }

    /// `hope map discard`: no working copy any more.
    static func mapDiscard() -> Command {
        let yes = CommandOption("yes", summary: "drop the changes that were named")
        return Command(
            "discard",
            summary: "drop the working copy of a project, after naming what is lost",
            arguments: [MapDesk.document],
            options: MapDesk.places + [yes, .json],
            examples: [
                CommandExample("hope map discard World", "name what would be lost"),
                CommandExample("hope map discard World --yes", "drop it"),
            ],
            action: { invocation, world in
                let desk = try MapDesk(invocation, world)
                let named = try desk.document(invocation.argument(0) ?? "")
                do {
                    // A working copy that cannot be read has nothing to name; dropping it is the way out.
                    let losses = try? await desk.copies.losses(of: named.source)
                    if let losses, !losses.changes.isEmpty, !invocation.has(yes) {
                        throw CommandError(.failed, "\(losses.words) Add --yes to drop the working copy all the same.")
                    }
                    try await desk.copies.discard(named.source, losing: losses)
                    let lost = losses?.changes ?? []
                    if invocation.has(.json) {
                        let object: JSONValue = ["outcome": "discarded", "lost": .array(lost.map(\.json))]
                        return try world.output.line(object.text)
                    }
                    for change in lost { try world.output.line("lost: \(terminalLine(change.words))") }
                    try world.output.line("discarded; what the store has is untouched")
                } catch {
                    throw CommandError.wrapping(map: error)
                }
            }
        )
    }
}

extension PhoneLibrary {
    /// The library of documents as they are known.
    init(_ rows: [DocumentStatus], now: Double) {
        self.init(
            documents: rows.map {
                Document(name: $0.source.name, state: $0.state, layerCount: $0.layers, editedAt: $0.editedAt)
            },
            place: "iCloud",
            unavailability: nil,
            now: now
        )
    }
}
