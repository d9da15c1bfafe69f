extension EditSession {
    /// Shows or hides a layer.
    ///
    /// - Parameters:
    ///   - isVisible: Whether it is shown.
    ///   - layer: The layer's identifier; locked layers can be shown and hidden too.
    /// - Throws: `MapSessionError`: `noLayer`, `locked`, `full`, `storage`, `publishing`, `closed`.
    public func setVisible(_ isVisible: Bool, layer: String) throws(MapSessionError) {
        _ = try self.layer(layer)
        try changeProject { $0.updateLayer(layer) { $0.isVisible = isVisible } }
    }

    /// Saves where a camera looks under a name.
    ///
    /// - Parameters:
    ///   - name: The name that people read, not blank.
    ///   - camera: The camera.
    /// - Returns: The bookmark's identifier.
    /// - Throws: `MapSessionError`: `invalid` for a blank name, `locked`, `full`, `storage`, `publishing`, `closed`.
    public func saveBookmark(named name: String, camera: MapCamera) throws(MapSessionError) -> String {
        let bookmark = MapBookmark(id: copies.makeID(), name: try Self.notBlank(name, "bookmark"), camera: camera)
        try changeProject { $0.addBookmark(bookmark) }
        return bookmark.id
    }

    /// Gives a bookmark another name.
    ///
    /// - Parameters:
    ///   - id: The bookmark's identifier.
    ///   - name: The name that people read, not blank.
    /// - Throws: `MapSessionError`: `noBookmark`, `invalid` for a blank name, `locked`, `full`, `storage`, `publishing`,
    ///   `closed`.
    public func renameBookmark(_ id: String, to name: String) throws(MapSessionError) {
        try checkBookmark(id)
        let name = try Self.notBlank(name, "bookmark")
        try changeProject { $0.updateBookmark(id) { $0.name = name } }
    }

    /// Deletes a bookmark.
    ///
    /// - Parameter id: The bookmark's identifier.
    /// - Throws: `MapSessionError`: `noBookmark`, `locked`, `full`, `storage`, `publishing`, `closed`.
    public func deleteBookmark(_ id: String) throws(MapSessionError) {
        try checkBookmark(id)
        try changeProject { $0.removeBookmark(id) }
    }

    private func checkBookmark(_ id: String) throws(MapSessionError) {
        guard project.bookmark(id) == nil else { return }
        throw MapSessionError(
            code: .noBookmark,
            subject: id,
            message: "The project has no bookmark “\(id)”; look at its bookmarks."
        )
    }

    /// Chooses the map below the layers.
    ///
    /// - Parameter basemap: One of those that are offered.
    /// - Throws: `MapSessionError`: `locked`, `full`, `storage`, `publishing`, `closed`.
    public func setBasemap(_ basemap: MapBasemap) throws(MapSessionError) {
        try changeProject { $0.basemap = basemap }
    }

    /// Keeps where the map looks; it goes along with the next publish and is no change of its own.
    ///
    /// A project that cannot be changed forgets it.
    ///
    /// - Parameter camera: The camera, once it has come to rest.
    /// - Throws: `MapSessionError`: `full`, `storage`, `closed`.
    public func setCamera(_ camera: MapCamera) throws(MapSessionError) {
        guard readOnlyReason == nil, phase != .frozen else { return }
        try changeProject { $0.camera = camera }
    }

    func changeProject(_ change: (inout MapProject) -> Void) throws(MapSessionError) {
        try checkEditable()
        var project = working.project
        change(&project)
        guard project != working.project else { return }
        try write(project)
    }

    func write(_ project: MapProject) throws(MapSessionError) {
        try MapSessionError.taking {
            try copies.files.replace(
                "\(place.package(working.record))/\(PublishedFile.projectPath)",
                with: project.bytes,
                by: place.temporary,
                isPrivate: false
            )
        }
        working.project = project
        announce()
    }

    func checkEditable() throws(MapSessionError) {
        switch phase {
        case .open, .publishing: break
        case .closed: throw Self.closedError
        case .frozen:
            throw MapSessionError(
                code: .publishing,
                subject: source.name.fileName,
                message: "“\(source.name.title)” is being replaced; wait until that is done."
            )
        }
        if let readOnlyReason {
            throw MapSessionError(code: .locked, subject: source.name.fileName, message: readOnlyReason)
        }
    }

    static func notBlank(_ text: String, _ what: String) throws(MapSessionError) -> String {
        guard !text.allSatisfy(\.isWhitespace) else {
            throw MapSessionError(code: .invalid, subject: what, message: "A \(what) needs words; type some.")
        }
        return text
    }
}
