internal import MapDocs
internal import TransportCore

/// What the map commands share: the working copies, the store, and the document that the line names.
struct MapDesk {
    static let store = CommandOption(
        "store",
        value: "SPEC",
        summary: "where projects are kept: folder:DIR or memory: (default: the folder projects in --home)"
    )
    static let home = CommandOption(
        "home",
        value: "DIR",
        summary: "the app's own folder, with working copies (default: hope/maps in the XDG data folder)"
    )
    static let document = CommandArgument("DOC", summary: "a project of the store by its name, or any by its path")
    static let places = [store, home]

    let copies: WorkingCopies
    let publisher: DocumentPublisher
    let choice: MapStoreChoice
    private let world: HopeWorld

    init(_ invocation: Invocation, _ world: HopeWorld) throws(CommandError) {
        let maps = world.maps
        let home = invocation[Self.home].map(maps.absolute) ?? maps.home
        self.world = world
        copies = WorkingCopies(
            home: home,
            files: maps.files,
            format: maps.format,
            digest: maps.digest,
            device: maps.device,
            now: world.timeOfDay,
            makeID: maps.makeID
        )
        publisher = DocumentPublisher(copies: copies, secrets: maps.secrets, timeZone: maps.timeZone)
        // The usual store is there from the first use.
        if invocation[Self.store] == nil { try? maps.files.createDirectories("\(home)/projects", isPrivate: true) }
        choice = try world.plugins.stores.make(invocation[Self.store] ?? "folder:\(home)/projects", in: world)
    }

    /// A document and the store that it belongs to.
    struct Named: Sendable {
        var source: DocumentSource
        var store: any DocumentStore
        /// The package's folder, for a document that was named by its path.
        var path: String?
    }

    /// Finds the document that a word names: a path when it has a slash or ends like a package, else a name.
    func document(_ word: String) throws(CommandError) -> Named {
        if [".gpkg", ".geojson", ".json"].contains(where: word.lowercased().hasSuffix) {
            throw CommandError(
                .usage,
                "\(quoted(word)) is data and no project; hope map import FILE --into NAME.gispad makes one of it"
            )
        }
        do throws(DocumentStoreError) {
            guard word.contains("/") || word.lowercased().hasSuffix(DocumentName.fileExtension) else {
                let name = try DocumentName(title: word)
                return Named(source: DocumentSource(store: choice.identifier, name: name), store: choice.store)
            }
            let path = world.maps.absolute(word)
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            let name = try DocumentName(fileName: String(path.dropFirst(folder.utf8.count + 1)))
            let parent = try parentStore(folder.isEmpty ? "/" : folder)
            let source = DocumentSource(store: parent.identifier, name: name, isLocal: true)
            return Named(source: source, store: parent.store, path: path)
        } catch {
            throw CommandError.wrapping(map: error)
        }
    }

    private func parentStore(_ folder: String) throws(DocumentStoreError) -> MapStoreChoice {
        do throws(CommandError) {
            return try world.plugins.stores.make("folder:\(folder)", in: world)
        } catch {
            throw DocumentStoreError(code: .notFound, subject: folder, message: error.message)
        }
    }

    /// Opens a document to edit it, for as long as the body runs.
    ///
    /// - Throws: `CommandError` for what the session throws, and what the body throws.
    func edit<Result>(
        _ word: String,
        _ body: (EditSession, Named) async throws -> Result
    ) async throws -> Result {
        let named = try document(word)
        let session = try await open(named)
        do {
            let result = try await body(session, named)
            await session.close()
            return result
        } catch {
            await session.close()
            throw CommandError.wrapping(map: error)
        }
    }

    /// Opens a document; while it is fetched, progress is shown where people look.
    func open(_ named: Named) async throws(CommandError) -> EditSession {
        do {
            return try await copies.open(named.source, from: named.store)
        } catch {
            if let path = named.path, error.code == .store(.notFound) { throw Self.noProject(at: path) }
            throw CommandError.wrapping(map: error)
        }
    }

    private static func noProject(at path: String) -> CommandError {
        CommandError(.notFound, "there is no project \(quoted(path)); hope map library lists those of a store")
    }

    /// A document to look at, whatever it was opened as.
    struct View {
        var project: MapProject
        var package: any MapPackage
        var name: String
        var session: EditSession?
    }

    /// Opens a document to look at it, for as long as the body runs: its working copy where there is one, a package that
    /// was named by its path where it lies, and any other one fetched.
    ///
    /// - Throws: As `edit`.
    func view<Result>(_ word: String, _ body: (View) async throws -> Result) async throws -> Result {
        let named = try document(word)
        let isOpen: Bool
        do {
            isOpen = try copies.sources().contains(named.source)
        } catch {
            throw CommandError.wrapping(map: error)
        }
        guard let path = named.path, !isOpen else {
            return try await edit(word) { session, named in
                let project = await session.project
                let title = project.name ?? named.source.name.title
                return try await body(
                    View(project: project, package: session.package, name: title, session: session)
                )
            }
        }
        do {
            let files = world.maps.files
            guard try files.entry(at: path)?.kind == .directory else { throw Self.noProject(at: path) }
            let projectPath = "\(path)/\(PublishedFile.projectPath)"
            guard try files.entry(at: projectPath)?.kind == .file else {
                throw DocumentStoreError.damaged(
                    named.source.name.fileName,
                    reason: "it has no \(PublishedFile.projectPath)"
                )
            }
            let project = try MapProject(parsing: try files.contents(of: projectPath))
            let package = try world.maps.format.open(path, for: .reading)
            defer { package.close() }
            let title = project.name ?? named.source.name.title
            return try await body(View(project: project, package: package, name: title, session: nil))
        } catch {
            throw CommandError.wrapping(map: error)
        }
    }
}

extension MapDesk.View {
    /// Finds the layer that a word names: by identifier, name or table, in any case where that is clear.
    func layer(_ word: String) throws(CommandError) -> (layer: MapLayer, table: FeatureTable) {
        let layers = project.layers
        let exact = layers.first { $0.id == word } ?? layers.first { $0.name == word || $0.table == word }
        let loose = layers.filter { layer in
            [layer.id, layer.name, layer.table].contains { $0.lowercased() == word.lowercased() }
        }
        guard let layer = exact ?? (loose.count == 1 ? loose[0] : nil) else {
            let names = layers.map(\.name)
            let near = nearestWord(to: word, among: names + layers.map(\.id)).map { "; did you mean \($0)?" }
            let known = names.isEmpty ? "; it has none" : "; it has \(names.map(quoted).joined(separator: ", "))"
            throw CommandError(.notFound, "\(quoted(name)) has no layer \(quoted(word))\(near ?? known)")
        }
        do {
            guard let table = try package.tables().first(where: { $0.name == layer.table }) else {
                throw CommandError(
                    .failed,
                    "the layer \(quoted(layer.name)) has no table \(quoted(layer.table)) in the project's database"
                )
            }
            return (layer, table)
        } catch {
            throw CommandError.wrapping(map: error)
        }
    }

    /// Finds the feature that a word names: by its identifier or its primary key.
    func feature(_ word: String, in layer: MapLayer) throws(CommandError) -> MapFeature {
        do throws(MapPackageError) {
            if let feature = try package.feature(FeatureID(word), in: layer.table) { return feature }
            if let key = Int64(word), let feature = try package.feature(withKey: key, in: layer.table) {
                return feature
            }
        } catch {
            throw CommandError.wrapping(map: error)
        }
        throw CommandError(.notFound, "the layer \(quoted(layer.name)) has no feature \(quoted(word))")
    }

    /// Finds the feature that `LAYER/FEATURE` names.
    func selected(
        _ word: String,
        _ invocation: Invocation
    ) throws(CommandError) -> (layer: MapLayer, table: FeatureTable, feature: MapFeature) {
        let parts = word.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw .badUsage("--select is LAYER/FEATURE, not \(quoted(word))", see: invocation.path)
        }
        let (layer, table) = try layer(parts[0])
        return (layer, table, try feature(parts[1], in: layer))
    }

    /// The layers that a tap can hit, the lowest first.
    func tappedLayers() throws(MapPackageError) -> [HitTestLayer] {
        let drawn = try drawnTables()
        return project.layers.filter { $0.isVisible && $0.role == .authoritative && drawn.contains($0.table) }.map {
            HitTestLayer(id: $0.id, table: $0.table, geometryKind: $0.geometryKind)
        }
    }

    /// The tables that can be drawn.
    func drawnTables() throws(MapPackageError) -> Set<String> {
        Set(try package.tables().filter { $0.lockReason == nil }.map(\.name))
    }
}
