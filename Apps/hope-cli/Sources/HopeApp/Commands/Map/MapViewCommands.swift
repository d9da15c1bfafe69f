internal import HopeRaster
internal import HopeTokens
internal import MapDocs
internal import MapGeodesy
internal import MapRendering
internal import TransportCore

extension Command {
    /// `hope map tap`: what lies under a finger.
    static func mapTap() -> Command {
        let at = CommandOption("at", value: "X,Y", summary: "where the tap is, in points from the top left corner")
        return Command(
            "tap",
            summary: "say which feature a tap hits",
            arguments: [MapDesk.document],
            options: MapDesk.places + [at] + MapValues.cameraOptions + [.json],
            examples: [
                CommandExample(
                    "hope map tap World.gispad --at 195,422 --size 390x844 --center 60.2,24.9 --zoom 5",
                    "the middle of the screen"
                )
            ],
            action: { invocation, world in
                guard let text = invocation[at] else {
                    throw CommandError.badUsage("--at is missing: where the tap is, X,Y", see: invocation.path)
                }
                let point = try MapValues.point(text, "--at", invocation)
                try await MapDesk(invocation, world).view(invocation.argument(0) ?? "") { view in
                    let projection = try MapValues.projection(invocation, over: view.project.openingCamera)
                    let tester = MapHitTester(package: view.package)
                    let hit = try tester.hit(at: point, through: projection, layers: try view.tappedLayers())
                    guard let hit else {
                        return try world.output.line(invocation.has(.json) ? #"{"hit":null}"# : "nothing")
                    }
                    let (layer, table) = try view.layer(hit.layer)
                    let feature = try view.package.feature(withKey: hit.key, in: hit.table)
                    let title = feature?.title(in: table, of: layer)
                    let id = feature?.id.text ?? "\(hit.key)"
                    if invocation.has(.json) {
                        let object: JSONValue = [
                            "hit": [
                                "layer": .string(hit.layer), "feature": .string(id),
                                "distance_pt": .number(hit.distance), "title": .string(title),
                            ]
                        ]
                        return try world.output.line(object.text)
                    }
                    let words = "\(title ?? id) · \(layer.name) [\(id)]"
                    try world.output.line(terminalLine(words))
                }
            }
        )
    }

    /// `hope map measure`: lengths and areas on the ellipsoid.
    static func mapMeasure() -> Command {
        let points = CommandOption("points", value: "LIST", summary: "places LAT,LON, separated by spaces")
        let area = CommandOption("area", summary: "close the ring, also with fewer than three places")
        return Command(
            "measure",
            summary: "measure a line, and the area that it closes, on the WGS84 ellipsoid",
            options: [points, area, MapValues.units, .json],
            examples: [CommandExample("hope map measure --points \"47.6,-122.3 35.7,139.7\"", "Seattle to Tokyo")],
            action: { invocation, world in
                let words = (invocation[points] ?? "").split(whereSeparator: \.isWhitespace)
                let places = try words.map { try MapValues.place(String($0), "--points", invocation) }
                guard places.count > 1 else {
                    throw CommandError.badUsage(
                        "--points needs two places or more, LAT,LON LAT,LON",
                        see: invocation.path
                    )
                }
                let corners = places.map { GeodesicPoint(latitude: $0.latitude, longitude: $0.longitude) }
                let length = Geodesic.wgs84.length(of: corners)
                let isClosed = invocation.has(area) || places.count > 2
                let ring = isClosed ? Geodesic.wgs84.ring(of: corners) : nil
                if invocation.has(.json) {
                    let object: JSONValue = [
                        "length_m": .number(length), "perimeter_m": .number(ring?.perimeter),
                        "area_m2": .number(ring?.area),
                    ]
                    return try world.output.line(object.text)
                }
                let format = MapValues.format(invocation, world)
                try world.output.line("Length: \(format.length(length))")
                guard let ring else { return }
                try world.output.line("Perimeter: \(format.length(ring.perimeter))")
                try world.output.line("Area: \(format.area(ring.area))")
            }
        )
    }

    /// `hope map camera`: from places to points of the screen and back.
    static func mapCamera() -> Command {
        let project = CommandOption("project", value: "LAT,LON", summary: "say where a place is drawn")
        let unproject = CommandOption("unproject", value: "X,Y", summary: "say which place a point of the screen shows")
        return Command(
            "camera",
            summary: "say where a place is drawn, or which place a point of the screen shows",
            options: MapValues.cameraOptions + [project, unproject, .json],
            examples: [
                CommandExample(
                    "hope map camera --center 47.6,-122.3 --zoom 12 --project 47.61,-122.33",
                    "to the screen"
                ),
                CommandExample("hope map camera --center 47.6,-122.3 --zoom 12 --unproject 10,20", "from the screen"),
            ],
            action: { invocation, world in
                let projection = try MapValues.projection(invocation, over: nil)
                let isJSON = invocation.has(.json)
                if let text = invocation[project] {
                    let point = projection.project(try MapValues.place(text, "--project", invocation))
                    let object: JSONValue = ["x": .number(point?.x), "y": .number(point?.y)]
                    let words = point.map { "\($0.x), \($0.y)" } ?? "behind the camera"
                    return try world.output.line(isJSON ? object.text : words)
                }
                guard let text = invocation[unproject] else {
                    throw CommandError.badUsage("--project or --unproject is missing", see: invocation.path)
                }
                let place = projection.unproject(try MapValues.point(text, "--unproject", invocation))
                let object: JSONValue = ["lat": .number(place?.latitude), "lon": .number(place?.longitude)]
                let words = place.map { "\($0.latitude), \($0.longitude)" } ?? "above the horizon"
                try world.output.line(isJSON ? object.text : words)
            }
        )
    }

    /// `hope map fly-to`: the camera of a working copy.
    static func mapFlyTo() -> Command {
        let bookmark = CommandOption(
            "bookmark",
            value: "BOOKMARK",
            summary: "where a bookmark leads, by its identifier or name"
        )
        return Command(
            "fly-to",
            summary: "move the map; this never makes a project dirty and goes along with the next publish",
            arguments: [MapDesk.document],
            options: MapDesk.places + [bookmark] + MapValues.cameraOptions + [.json],
            examples: [CommandExample("hope map fly-to World --bookmark Harbour", "to a bookmark")],
            action: { invocation, world in
                try await MapDesk(invocation, world).edit(invocation.argument(0) ?? "") { session, _ in
                    var base = await session.project.openingCamera
                    if let word = invocation[bookmark] {
                        base = try await Command.found(word, session).camera
                    }
                    let camera = try MapValues.camera(invocation, over: base)
                    try await session.setCamera(camera)
                    try world.output.line(invocation.has(.json) ? camera.json.text : camera.words)
                }
            }
        )
    }

    /// `hope map snapshot`: a picture of a map.
    static func mapSnapshot() -> Command {
        let out = CommandOption("out", value: "FILE", summary: "where to: a name ending in .svg or .png")
        let select = CommandOption("select", value: "LAYER/FEATURE", summary: "draw this feature as selected")
        let theme = CommandOption(
            "theme",
            value: "NAME",
            summary: "light or dark (default: light)",
            choices: AeroTheme.all.map(\.name)
        )
        let points = CommandOption("measure", value: "LIST", summary: "draw a measured line through places LAT,LON")
        let area = CommandOption("area", summary: "close the measured line")
        return Command(
            "snapshot",
            summary: "draw a project to SVG or PNG",
            discussion: ["Seen from straight above unless --pitch is given. PNG has no letters."],
            arguments: [MapDesk.document],
            options: MapDesk.places + [out] + MapValues.cameraOptions + [select, points, area, theme, MapValues.units],
            examples: [
                CommandExample("hope map snapshot World.gispad --size 780x1688 --out map.svg", "with its own camera"),
                CommandExample(
                    "hope map snapshot World.gispad --center 47,8 --zoom 4 --pitch 45 --bearing 30 --out map.png",
                    "tilted and turned"
                ),
            ],
            action: { invocation, world in
                guard let path = invocation[out] else {
                    throw CommandError.badUsage("--out is missing: a name ending in .svg or .png", see: invocation.path)
                }
                let form = path.lowercased()
                guard form.hasSuffix(".svg") || form.hasSuffix(".png") else {
                    throw CommandError.badUsage("--out ends in .svg or .png, not \(quoted(path))", see: invocation.path)
                }
                let file = OutputFile(path: path)
                try file.checkPlace()
                let measured = try (invocation[points] ?? "").split(whereSeparator: \.isWhitespace).map {
                    try MapValues.place(String($0), "--measure", invocation)
                }
                try await MapDesk(invocation, world).view(invocation.argument(0) ?? "") { view in
                    let base = view.project.openingCamera
                    let isTilted = invocation[MapValues.pitch] != nil
                    let flat = try base.map { isTilted ? $0 : try $0.tilted(by: -$0.pitch) }
                    var snapshot = try MapSnapshot(view, through: try MapValues.projection(invocation, over: flat))
                    snapshot.theme = AeroTheme.all.first { $0.name == invocation[theme] } ?? .light
                    snapshot.units = MapValues.format(invocation, world).units
                    snapshot.measured = measured
                    snapshot.measuresArea = invocation.has(area)
                    if let word = invocation[select] {
                        snapshot.selection = try view.selected(word, invocation).feature.geometry
                    }
                    try file.write(try snapshot.encoded(view.package, asPNG: form.hasSuffix(".png")))
                }
            }
        )
    }

    /// Draws the thumbnail of a project that is on this device: from straight above, without furniture.
    static func drawThumbnail(
        of row: DocumentStatus,
        to folder: String,
        _ desk: MapDesk,
        _ world: HopeWorld
    ) async throws {
        let file = OutputFile(path: "\(folder)/\(row.source.name.title).png")
        try file.checkPlace()
        let session = try await desk.open(MapDesk.Named(source: row.source, store: desk.choice.store))
        do {
            let view = await MapDesk.View(session, MapDesk.Named(source: row.source, store: desk.choice.store))
            let camera = try view.project.openingCamera.map { try $0.tilted(by: -$0.pitch) }
            if let camera {
                // A phone's width of map, shown in a small square.
                let projection = try MapProjection(camera: camera, width: 320, height: 320)
                var snapshot = try MapSnapshot(view, through: projection)
                snapshot.hasFurniture = false
                try file.write(try snapshot.encoded(view.package, asPNG: true, scale: 0.5))
            }
        } catch {
            await session.close()
            throw CommandError.wrapping(map: error)
        }
        await session.close()
    }
}

extension MapSnapshot {
    /// The picture of a project: visible layers that can be drawn, and its notes.
    init(_ view: MapDesk.View, through projection: MapProjection) throws {
        self.init(title: view.name, projection: projection)
        let drawn = try view.drawnTables()
        for layer in view.project.layers where layer.isVisible && drawn.contains(layer.table) {
            if layer.role == .markup {
                try view.package.readFeatures(in: layer.table, FeatureQuery()) { feature in
                    let note = MapNote(feature, layer: layer.id)
                    if let anchor = note.anchor {
                        notes.append(Note(anchor: anchor, target: note.target, text: note.text))
                    }
                    return true
                }
            } else {
                let style = MapLayerStyle(layer.style, kind: layer.geometryKind)
                layers.append(Layer(name: layer.name, table: layer.table, style: style))
            }
        }
    }

    /// The picture as the bytes of a file.
    func encoded(_ package: any MapPackage, asPNG: Bool, scale: Double = 1) throws -> [UInt8] {
        let drawing = MapDrawing(of: self)
        if asPNG {
            var surface = RasterMapSurface(
                width: projection.width,
                height: projection.height,
                scale: scale,
                background: background
            )
            try drawing.draw(package, on: &surface)
            return try PNGEncoder.encode(surface.image)
        }
        var surface = SVGMapSurface(width: projection.width, height: projection.height, background: background)
        try drawing.draw(package, on: &surface)
        return Array(surface.document(title: title).utf8)
    }
}
