internal import MapDocs
internal import MapStores

extension PluginList where Product == MapStoreChoice {
    /// The stores of map projects that ship with hope.
    public static var standardStores: PluginList<MapStoreChoice> {
        PluginList(
            seam: "DocumentStore",
            option: "store",
            plugins: [
                Plugin(
                    scheme: "folder",
                    usage: "folder:DIR",
                    summary: "packages in a folder: local, on a network share, or of a sync program",
                    make: { rest, world throws(CommandError) in
                        guard !rest.isEmpty else {
                            throw CommandError(.usage, "--store folder: needs a folder, as in folder:/maps")
                        }
                        let root = world.maps.absolute(rest)
                        // A folder that goes later is the store's to tell of.
                        guard (try? world.maps.files.entry(at: root))?.kind == .directory else {
                            throw CommandError(
                                .unavailable,
                                "the folder \(quoted(root)) of the store is not there; make it, or name another one"
                            )
                        }
                        return MapStoreChoice(
                            identifier: "folder:\(root)",
                            store: FolderDocumentStore(
                                root,
                                in: world.maps.files,
                                digest: world.maps.digest,
                                clock: world.clock
                            )
                        )
                    }
                ),
                Plugin(
                    scheme: "memory",
                    usage: "memory:",
                    summary: "an empty store that lasts as long as the command",
                    make: { _, world throws(CommandError) in
                        MapStoreChoice(
                            identifier: "memory:",
                            store: InMemoryDocumentStore(digest: world.maps.digest)
                        )
                    }
                ),
            ]
        )
    }
}
