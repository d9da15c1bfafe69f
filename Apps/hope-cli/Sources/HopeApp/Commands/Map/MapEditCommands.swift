internal import MapDocs
internal import TransportCore

extension Command {
    /// Says how many changes are unpublished.
    static func sayChanges(_ session: EditSession, _ invocation: Invocation, _ world: HopeWorld) async throws {
        let count = await session.changeCount
        if invocation.has(.json) { return try world.output.line(JSONValue.object(["changes": .integer(count)]).text) }
        try world.output.line(count == 1 ? "1 change to publish" : "\(count) changes to publish")
    }

    /// `hope map set`: attributes of one feature.
    static func mapSet() -> Command {
        Command(
            "set",
            summary: "change attributes of one feature",
            discussion: [
                """
                COLUMN=VALUE sets a value, COLUMN= an empty text (no value in a column that is no text), COLUMN:null takes
                the value out. Numbers take either decimal mark. All values are checked before any is written.
                """
            ],
            arguments: [
                MapDesk.document, CommandArgument("LAYER", summary: "its identifier or name"),
                CommandArgument("FEATURE", summary: "its identifier or primary key"),
                CommandArgument("COLUMN=VALUE", summary: "what to change, once or more", repeats: true),
            ],
            options: MapDesk.places + [.json],
            examples: [
                CommandExample("hope map set World countries 12 name=Suomi pop_est=5500000", "two values"),
                CommandExample("hope map set World countries 12 name:null", "no value any more"),
            ],
            action: { invocation, world in
                try await MapDesk(invocation, world).edit(invocation.argument(0) ?? "") { session, named in
                    let view = await MapDesk.View(session, named)
                    let (layer, _) = try view.layer(invocation.argument(1) ?? "")
                    let feature = try view.feature(invocation.argument(2) ?? "", in: layer)
                    var form = try await session.attributeForm(
                        for: feature.id,
                        in: layer.id,
                        format: AttributeFormat(locale: world.maps.locale, timeZone: world.maps.timeZone)
                    )
                    for word in invocation.arguments(from: 3) { try enter(word, into: &form, invocation) }
                    let change = try form.save()
                    if let change { try await session.updateProperties(change) }
                    try await sayChanges(session, invocation, world)
                }
            }
        )
    }

    private static func enter(
        _ word: String,
        into form: inout AttributeForm,
        _ invocation: Invocation
    ) throws(CommandError) {
        // A column's name can have an equals sign itself.
        let named = form.fields.map(\.column.name).filter { word.hasPrefix("\($0)=") || word == "\($0):null" }
            .max { $0.count < $1.count }
        let isNull = named.map { word == "\($0):null" } ?? (word.hasSuffix(":null") && !word.contains("="))
        let sign = named.map { word.index(word.startIndex, offsetBy: $0.count) } ?? word.firstIndex(of: "=")
        guard let end = isNull ? word.index(word.endIndex, offsetBy: -5) : sign else {
            throw .badUsage("\(quoted(word)) is neither COLUMN=VALUE nor COLUMN:null", see: invocation.path)
        }
        let column = String(word[..<end])
        guard let field = form.field(column) else {
            let known = form.fields.filter { $0.readOnlyReason == nil }.map(\.column.name)
            let near = nearestWord(to: column, among: known).map { "; did you mean \($0)?" }
            let others = near ?? "; it has \(known.map(quoted).joined(separator: ", "))"
            throw CommandError(.notFound, "the layer has no column \(quoted(column)) to change\(others)")
        }
        if let reason = field.readOnlyReason { throw CommandError(.failed, "\(quoted(column)): \(reason)") }
        if isNull { form.clear(column) } else { form.enter(String(word[word.index(after: end)...]), in: column) }
    }

    /// `hope map note`: notes on the map.
    static func mapNote() -> Command {
        let at = CommandOption("at", value: "LAT,LON", summary: "where the note is")
        let text = CommandOption("text", value: "TEXT", summary: "what it says")
        let callout = CommandOption("callout", value: "LAT,LON", summary: "what it points at")
        let edit = CommandOption("edit", value: "NOTE", summary: "change this note in place of adding one")
        let delete = CommandOption("delete", value: "NOTE", summary: "delete this note, which has to be one's own")
        let list = CommandOption("list", summary: "list the notes")
        return Command(
            "note",
            summary: "add, change, delete or list notes",
            arguments: [MapDesk.document],
            options: MapDesk.places + [at, text, callout, edit, delete, list, .json],
            examples: [
                CommandExample("hope map note World --at 60.2,24.9 --text \"Ferry\"", "a text"),
                CommandExample("hope map note World --at 60.2,24.9 --callout 60.1,24.8 --text \"Here\"", "a callout"),
            ],
            action: { invocation, world in
                func place(_ option: CommandOption) throws(CommandError) -> MapCoordinate? {
                    guard let text = invocation[option] else { return nil }
                    return try MapValues.place(text, "--\(option.name)", invocation)
                }
                let anchor = try place(at)
                let target = try place(callout)
                try await MapDesk(invocation, world).edit(invocation.argument(0) ?? "") { session, _ in
                    if invocation.has(list) { return try sayNotes(try await session.notes(), invocation, world) }
                    if let id = invocation[delete] {
                        try await session.deleteNote(FeatureID(id))
                    } else if let id = invocation[edit] {
                        try await session.updateNote(
                            FeatureID(id),
                            text: invocation[text],
                            anchor: anchor,
                            target: target
                        )
                    } else {
                        guard let anchor, let words = invocation[text] else {
                            throw CommandError.badUsage("a note needs --at and --text", see: invocation.path)
                        }
                        let id = try await session.addNote(words, at: anchor, pointingAt: target)
                        let count = await session.changeCount
                        if invocation.has(.json) {
                            let object: JSONValue = ["note": .string(id.text), "changes": .integer(count)]
                            return try world.output.line(object.text)
                        }
                        try world.output.line("note \(id.text)")
                    }
                    try await sayChanges(session, invocation, world)
                }
            }
        )
    }

    private static func sayNotes(_ notes: [MapNote], _ invocation: Invocation, _ world: HopeWorld) throws {
        func json(_ place: MapCoordinate?) -> JSONValue {
            place.map { ["lat": .number($0.latitude), "lon": .number($0.longitude)] } ?? .null
        }
        func kind(_ note: MapNote) -> String {
            switch note.kind {
            case .text: "text"
            case .callout: "callout"
            case .other(let name): name
            }
        }
        if invocation.has(.json) {
            let values = notes.map { note -> JSONValue in
                [
                    "note": .string(note.id.text), "layer": .string(note.layer), "kind": .string(kind(note)),
                    "text": .string(note.text), "at": json(note.anchor), "callout": json(note.target),
                    "author": .string(note.author),
                ]
            }
            return try world.output.line(JSONValue.object(["notes": .array(values)]).text)
        }
        for note in notes {
            let place = note.anchor.map { " at \($0.latitude), \($0.longitude)" } ?? ""
            let words = "\(note.id.text)  \(kind(note))\(place): \(note.text)"
            try world.output.line(terminalLine(words))
        }
    }

    /// `hope map bookmark`: views with a name.
    static func mapBookmark() -> Command {
        let verbs = ["save", "rename", "delete", "list"]
        return Command(
            "bookmark",
            summary: "save, rename, delete or list bookmarks",
            discussion: [
                """
                save NAME keeps the project's camera, or the one that the options describe; rename BOOKMARK NAME and delete
                BOOKMARK take an identifier or a name.
                """
            ],
            arguments: [
                MapDesk.document, CommandArgument("ACTION", summary: verbs.joined(separator: ", ")),
                CommandArgument(
                    "NAME",
                    summary: "a bookmark, and for rename its new name",
                    isOptional: true,
                    repeats: true
                ),
            ],
            options: MapDesk.places + MapValues.cameraOptions + [.json],
            examples: [
                CommandExample("hope map bookmark World save Harbour --center 60.15,24.93 --zoom 15", "keep a view"),
                CommandExample("hope map bookmark World rename Harbour Quay", "another name"),
                CommandExample("hope map bookmark World list", "list the bookmarks"),
            ],
            action: { invocation, world in
                let verb = invocation.argument(1) ?? ""
                let names = invocation.arguments(from: 2)
                let needed = ["save": 1, "rename": 2, "delete": 1, "list": 0]
                guard let count = needed[verb] else {
                    let near = nearestWord(to: verb, among: verbs).map { "; did you mean \($0)?" } ?? ""
                    throw CommandError.badUsage(
                        "ACTION is one of \(verbs.joined(separator: ", ")), not \(quoted(verb))\(near)",
                        see: invocation.path
                    )
                }
                guard names.count == count else {
                    let wanted = ["no name", "one name", "a bookmark and its new name"][count]
                    throw CommandError.badUsage("\(verb) takes \(wanted)", see: invocation.path)
                }
                try await MapDesk(invocation, world).edit(invocation.argument(0) ?? "") { session, _ in
                    switch verb {
                    case "save": try await saveBookmark(names[0], session, invocation, world)
                    case "rename": try await session.renameBookmark(try await found(names[0], session).id, to: names[1])
                    case "delete": try await session.deleteBookmark(try await found(names[0], session).id)
                    default: return try listBookmarks(await session.project.bookmarks, invocation, world)
                    }
                    if verb != "save" { try await sayChanges(session, invocation, world) }
                }
            }
        )
    }

    private static func saveBookmark(
        _ name: String,
        _ session: EditSession,
        _ invocation: Invocation,
        _ world: HopeWorld
    ) async throws {
        let camera = try MapValues.camera(invocation, over: await session.project.openingCamera)
        let id = try await session.saveBookmark(named: name, camera: camera)
        let count = await session.changeCount
        if invocation.has(.json) {
            let object: JSONValue = ["bookmark": .string(id), "changes": .integer(count)]
            return try world.output.line(object.text)
        }
        try world.output.line("bookmark \(id)")
        try await sayChanges(session, invocation, world)
    }

    private static func listBookmarks(
        _ bookmarks: [MapBookmark],
        _ invocation: Invocation,
        _ world: HopeWorld
    ) throws {
        if invocation.has(.json) {
            let values = bookmarks.map(bookmarkJSON)
            return try world.output.line(JSONValue.object(["bookmarks": .array(values)]).text)
        }
        for bookmark in bookmarks {
            let words = "\(bookmark.name) [\(bookmark.id)]: \(bookmark.camera.words)"
            try world.output.line(terminalLine(words))
        }
    }

    static func found(_ word: String, _ session: EditSession) async throws(CommandError) -> MapBookmark {
        let bookmarks = await session.project.bookmarks
        let named = bookmarks.filter { $0.name == word }
        if let bookmark = bookmarks.first(where: { $0.id == word }) ?? (named.count == 1 ? named[0] : nil) {
            return bookmark
        }
        guard named.count < 2 else {
            let ids = named.map(\.id).joined(separator: ", ")
            throw CommandError(.usage, "\(named.count) bookmarks are called \(quoted(word)); name one of \(ids)")
        }
        let near = nearestWord(to: word, among: bookmarks.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        throw CommandError(.notFound, "there is no bookmark \(quoted(word))\(near)")
    }

    static func bookmarkJSON(_ bookmark: MapBookmark) -> JSONValue {
        ["id": .string(bookmark.id), "name": .string(bookmark.name), "camera": bookmark.camera.json]
    }

    /// `hope map basemap`: the map below the layers.
    static func mapBasemap() -> Command {
        Command(
            "basemap",
            summary: "choose the map below the layers",
            arguments: [MapDesk.document, CommandArgument("PRESET", summary: "standard or satellite")],
            options: MapDesk.places + [.json],
            examples: [CommandExample("hope map basemap World satellite", "pictures from above")],
            action: { invocation, world in
                let basemap: MapBasemap
                switch invocation.argument(1) ?? "" {
                case "standard": basemap = .standard
                case "satellite": basemap = .satellite
                case let other:
                    throw CommandError.badUsage(
                        "PRESET is standard or satellite, not \(quoted(other))",
                        see: invocation.path
                    )
                }
                try await MapDesk(invocation, world).edit(invocation.argument(0) ?? "") { session, _ in
                    try await session.setBasemap(basemap)
                    try await sayChanges(session, invocation, world)
                }
            }
        )
    }
}
