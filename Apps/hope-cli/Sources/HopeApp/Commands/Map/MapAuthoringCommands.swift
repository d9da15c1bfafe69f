internal import Foundation
internal import MapAuthoring
internal import MapDocs
internal import MapGeoPackage
internal import TransportCore

extension Command {
    /// `hope map new`: an empty project.
    static func mapNew() -> Command {
        let name = CommandOption(
            "name",
            value: "TEXT",
            summary: "the name that people read (default: that of the folder)"
        )
        return Command(
            "new",
            summary: "make an empty project",
            arguments: [CommandArgument("PATH", summary: "its folder, ending in .gispad; nothing may be there")],
            options: [name, .json],
            examples: [CommandExample("hope map new /maps/Harbour.gispad", "an empty project in a folder")],
            action: { invocation, world in
                let path = world.maps.absolute(invocation.argument(0) ?? "")
                try make(at: path, named: invocation[name], world) { (_: MapPackageAuthor) in }
                try say(path, [], invocation, world)
            }
        )
    }

    /// `hope map import`: a project made of other programs' data.
    static func mapImport() -> Command {
        let into = CommandOption("into", value: "PATH", summary: "the project to make: a folder ending in .gispad")
        let layer = CommandOption(
            "layer",
            value: "NAME",
            summary: "only this layer of a GeoPackage; may stand more than once"
        )
        let name = CommandOption(
            "name",
            value: "TEXT",
            summary: "the name that people read (default: that of the folder)"
        )
        return Command(
            "import",
            summary: "make a project of GeoJSON or GeoPackage files",
            discussion: ["A project is made whole or not at all; one that is there is never touched."],
            arguments: [CommandArgument("FILE", summary: "a .geojson, .json or .gpkg file, or more", repeats: true)],
            options: [into, layer, name, .json],
            examples: [
                CommandExample("hope map import countries.gpkg --into World.gispad", "all layers of a GeoPackage"),
                CommandExample("hope map import piers.geojson quays.geojson --into Harbour.gispad", "two files"),
            ],
            action: { invocation, world in
                guard let target = invocation[into] else {
                    throw CommandError.badUsage(
                        "--into is missing: the project to make, ending in .gispad",
                        see: invocation.path
                    )
                }
                let path = world.maps.absolute(target)
                let files = invocation.arguments(from: 0).map(world.maps.absolute)
                let only = invocation.all(layer)
                for file in files where (try? world.maps.files.entry(at: file)) == nil {
                    throw CommandError(.notFound, "\(quoted(file)) is not there; check the path")
                }
                let layers = try make(at: path, named: invocation[name], world) { (author) throws(MapAuthoringError) in
                    for file in files {
                        if file.lowercased().hasSuffix(".gpkg") {
                            try author.importGeoPackage(fileAt: file, layers: only.isEmpty ? nil : only)
                        } else {
                            try author.importGeoJSON(fileAt: file)
                        }
                    }
                }
                try say(path, layers, invocation, world)
            }
        )
    }

    @discardableResult
    private static func make(
        at path: String,
        named name: String?,
        _ world: HopeWorld,
        _ body: (MapPackageAuthor) throws(MapAuthoringError) -> Void
    ) throws(CommandError) -> [ImportedLayer] {
        let timeOfDay = world.timeOfDay
        let format = GeoPackageFormat(
            digest: world.maps.digest,
            now: { Date(timeIntervalSince1970: timeOfDay()) }
        )
        do throws(MapAuthoringError) {
            return try MapPackageAuthor.make(
                at: path,
                named: name,
                format: format,
                random: world.maps.makeRandom(),
                progress: { _ in !Task.isCancelled },
                body
            )
        } catch {
            let code: CommandError.Code =
                switch error.code {
                case .notFound, .noLayer: .notFound
                case .invalidName: .usage
                case .cancelled: .interrupted
                case .exists, .invalidDocument, .unsupported, .full, .storage: .failed
                }
            throw CommandError(code, error.message)
        }
    }

    private static func say(
        _ path: String,
        _ layers: [ImportedLayer],
        _ invocation: Invocation,
        _ world: HopeWorld
    ) throws {
        for layer in layers {
            for note in layer.notes { world.output.say("hope: \(layer.table): \(note)") }
        }
        if invocation.has(.json) {
            let values = layers.map { layer -> JSONValue in
                [
                    "id": .string(layer.id), "table": .string(layer.table), "features": .integer(layer.featureCount),
                    "notes": .array(layer.notes.map { .string($0) }),
                ]
            }
            let object: JSONValue = ["path": .string(path), "layers": .array(values)]
            return try world.output.line(object.text)
        }
        try world.output.line("made \(terminalLine(path))")
        for layer in layers {
            let count = layer.featureCount == 1 ? "1 feature" : "\(layer.featureCount) features"
            try world.output.line(terminalLine("layer \(layer.table): \(count)"))
        }
    }
}
