internal import MapDocs
internal import TransportCore

extension Command {
    /// `hope map pending`: what would be published.
    static func mapPending() -> Command {
        Command(
            "pending",
            summary: "list the changes that are not published, each with what it was and what it becomes",
            arguments: [MapDesk.document],
            options: MapDesk.places + [.json],
            examples: [CommandExample("hope map pending World", "what publishing would change")],
            action: { invocation, world in
                try await MapDesk(invocation, world).edit(invocation.argument(0) ?? "") { session, _ in
                    let changes = await session.pendingChanges()
                    if invocation.has(.json) {
                        let object: JSONValue = ["changes": .array(changes.map(\.json))]
                        return try world.output.line(object.text)
                    }
                    for change in changes { try world.output.line(terminalLine(change.words)) }
                    if changes.isEmpty { world.output.say("nothing to publish") }
                }
            }
        )
    }

    /// `hope map publish`: what was changed here, to the store.
    static func mapPublish() -> Command {
        Command(
            "publish",
            summary: "publish the changes, unless somebody else has published since",
            discussion: [
                """
                At a conflict nothing is written, the exit status is 3, and what changed on either side is listed; then
                hope map resolve DOC reload, copy or cancel.
                """
            ],
            arguments: [MapDesk.document],
            options: MapDesk.places + [.json],
            examples: [CommandExample("hope map publish World --store folder:/maps", "to the folder")],
            action: { invocation, world in
                let desk = try MapDesk(invocation, world)
                try await desk.edit(invocation.argument(0) ?? "") { session, named in
                    switch try await desk.publisher.publish(session, to: named.store) {
                    case .published(let revision):
                        try say(
                            "published",
                            revision,
                            nil,
                            "published as revision \(revision.number)",
                            invocation,
                            world
                        )
                    case .nothingToPublish(let revision):
                        try say("nothing_to_publish", revision, nil, "nothing to publish", invocation, world)
                    case .conflict(let conflict):
                        try say(
                            "conflict",
                            conflict.current,
                            conflict.comparison,
                            conflict.message,
                            invocation,
                            world
                        )
                        world.output.say(
                            "hope: \(conflict.message) Nothing was written; "
                                + "hope map resolve \(invocation.argument(0) ?? "") reload, copy or cancel."
                        )
                        throw CommandError(told: .conflict)
                    }
                }
            }
        )
    }

    private static func say(
        _ outcome: String,
        _ revision: DocumentRevision?,
        _ comparison: RevisionComparison?,
        _ words: String,
        _ invocation: Invocation,
        _ world: HopeWorld
    ) throws {
        if invocation.has(.json) {
            let object: JSONValue = [
                "outcome": .string(outcome), "revision": .integer(revision?.number),
                "fingerprint": .string(revision?.fingerprint.sha256), "comparison": comparison?.json ?? .null,
            ]
            return try world.output.line(object.text)
        }
        guard outcome == "conflict" else { return try world.output.line(words) }
        for line in comparison?.lines ?? [] { try world.output.line(terminalLine(line)) }
    }

    /// `hope map resolve`: the ways out of a conflict.
    static func mapResolve() -> Command {
        let choices = ["reload", "copy", "cancel"]
        return Command(
            "resolve",
            summary: "answer a conflict: reload, copy or cancel",
            discussion: [
                """
                reload takes what the store has, and says which changes here are lost; copy keeps both, the changes here in
                a package of their own; cancel decides later.
                """
            ],
            arguments: [
                MapDesk.document, CommandArgument("CHOICE", summary: choices.joined(separator: ", ")),
            ],
            options: MapDesk.places + [.json],
            examples: [CommandExample("hope map resolve World copy", "keep both")],
            action: { invocation, world in
                let word = invocation.argument(1) ?? ""
                guard choices.contains(word) else {
                    let near = nearestWord(to: word, among: choices).map { "; did you mean \($0)?" } ?? ""
                    throw CommandError.badUsage(
                        "CHOICE is one of \(choices.joined(separator: ", ")), not \(quoted(word))\(near)",
                        see: invocation.path
                    )
                }
                let desk = try MapDesk(invocation, world)
                try await desk.edit(invocation.argument(0) ?? "") { session, named in
                    guard try await desk.publisher.conflict(of: session, in: named.store) != nil else {
                        throw CommandError(
                            .failed,
                            "\(quoted(named.source.name.title)) has no conflict; hope map publish it, or hope map status"
                        )
                    }
                    switch word {
                    case "reload":
                        let losses = await session.losses()
                        let fresh = try await desk.copies.reload(session, from: named.store, losing: losses)
                        await fresh.close()
                        try say(resolved: "reloaded", copy: nil, losses.changes, invocation, world)
                    case "copy":
                        let kept = try await desk.publisher.saveConflictCopy(session, in: named.store)
                        await kept.session.close()
                        try say(resolved: "copied", copy: kept.copy, [], invocation, world)
                    default:
                        try say(resolved: "cancelled", copy: nil, [], invocation, world)
                    }
                }
            }
        )
    }

    private static func say(
        resolved outcome: String,
        copy: DocumentName?,
        _ lost: [PendingChange],
        _ invocation: Invocation,
        _ world: HopeWorld
    ) throws {
        if invocation.has(.json) {
            let object: JSONValue = [
                "outcome": .string(outcome), "copy": .string(copy?.title), "lost": .array(lost.map(\.json)),
            ]
            return try world.output.line(object.text)
        }
        for change in lost { try world.output.line(terminalLine("lost: \(change.words)")) }
        switch (outcome, copy) {
        case (_, .some(let copy)): try world.output.line("kept as \(terminalLine(copy.title))")
        case ("reloaded", _): try world.output.line("reloaded")
        default: try world.output.line("nothing was changed")
        }
    }
}
