internal import Foundation
internal import MapAuthoring
internal import MapDocs
internal import MapGeoPackage
internal import MapRendering
internal import TransportCore

/// The demo's second half: a map project is opened, edited and published on one device, meets a conflict on another,
/// and is drawn.
///
/// Everything is real, on the disk, in a folder that is removed afterwards; only times and identifiers are made up, so
/// that the same story comes out the same.
struct MapStory {
    /// Where the picture goes; nil to draw none.
    let picture: OutputFile?
    let samples: URL
    let startedAt: Double
    let tell: (Event) throws -> Void

    /// One thing that happens.
    struct Event {
        /// The word for programs.
        var name: String
        /// The sentence for people.
        var words: String
    }

    private struct Device {
        let copies: WorkingCopies
        let publisher: DocumentPublisher

        init(_ name: String, _ backends: MapBackends, _ timeOfDay: @escaping @Sendable () -> Double) {
            copies = WorkingCopies(
                home: "\(backends.home)/\(name)",
                files: backends.files,
                format: backends.format,
                digest: backends.digest,
                device: name,
                now: timeOfDay,
                makeID: backends.makeID
            )
            publisher = DocumentPublisher(copies: copies, secrets: backends.secrets, timeZone: .gmt)
        }
    }

    /// Tells the story.
    func play(in world: HopeWorld) async throws {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("hope-demo-\(UUID().uuidString)").path
        try manager.createDirectory(atPath: "\(folder)/store", withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: folder) }
        do {
            try await play(in: folder, world)
        } catch {
            throw CommandError.wrapping(map: error)
        }
    }

    private func play(in folder: String, _ world: HopeWorld) async throws {
        var maps = MapBackends.live(home: folder, secrets: "\(folder)/secrets")
        let numbers = SerialNumbers()
        maps.makeID = { numbers.next() }
        var inside = world
        inside.maps = maps
        let choice = try world.plugins.stores.make("folder:\(folder)/store", in: inside)
        let startedAt = startedAt
        let phone = Device("Phone", maps) { startedAt }
        let tablet = Device("Tablet", maps) { startedAt + 60 }
        let source = DocumentSource(store: choice.identifier, name: try DocumentName(title: "Harbour"))

        let layers = try makeProject("\(folder)/store/Harbour.gispad", maps)
        let features = layers.reduce(0) { $0 + $1.featureCount }
        try tell(Event(name: "made", words: "Harbour: \(layers.count) layers, \(features) features from GeoJSON"))

        var here = try await phone.copies.open(source, from: choice.store)
        let there = try await tablet.copies.open(source, from: choice.store)
        try tell(Event(name: "opened", words: "Phone and Tablet open Harbour"))

        try await set(["period_s": .integer(6), "light": .text("amber")], "Buoy 1", "buoys", here)
        let anchor = try MapCoordinate(latitude: 60.1545, longitude: 24.921)
        let target = try MapCoordinate(latitude: 60.152694, longitude: 24.923876)
        _ = try await here.addNote("Buoy without light", at: anchor, pointingAt: target)
        for change in await here.pendingChanges() {
            try tell(Event(name: "pending", words: "Phone: \(change.words)"))
        }
        try await publish(here, phone, choice.store, "Phone")

        try await set(["light": .text("red and white")], "Buoy 1", "buoys", there)
        try await publish(there, tablet, choice.store, "Tablet")
        let kept = try await tablet.publisher.saveConflictCopy(there, in: choice.store)
        try tell(Event(name: "resolved", words: "Tablet keeps both: \(kept.copy.title)"))
        await kept.session.close()

        if let picture { try await draw(here, picture) }
        await here.close()
        here = try await phone.copies.open(source, from: choice.store)
        let status = try await phone.copies.status(of: source, in: choice.store)
        try tell(Event(name: "closed", words: "Phone: \(status.state.statusLine)"))
        await here.close()
    }

    private func makeProject(_ path: String, _ maps: MapBackends) throws -> [ImportedLayer] {
        let startedAt = startedAt
        let format = GeoPackageFormat(digest: maps.digest, now: { Date(timeIntervalSince1970: startedAt) })
        return try MapPackageAuthor.make(at: path, format: format, random: SeededRandom(seed: 1)) {
            (author) throws(MapAuthoringError) in
            for name in ["basins", "piers", "buoys"] {
                try author.importGeoJSON(fileAt: samples.appendingPathComponent("\(name).geojson").path)
            }
        }
    }

    private func set(
        _ values: [String: FeatureValue],
        _ title: String,
        _ table: String,
        _ session: EditSession
    ) async throws {
        guard let layer = await session.project.layers.first(where: { $0.table == table }) else {
            throw CommandError(.failed, "the demo's project has no layer \(quoted(table))")
        }
        var found: FeatureID?
        try session.package.readFeatures(in: table, FeatureQuery(includesGeometry: false)) { feature in
            if feature.values["name"] == .text(title) { found = feature.id }
            return found == nil
        }
        guard let found else { throw CommandError(.failed, "the demo's project has no \(quoted(title))") }
        try await session.updateProperties(UpdateProperties(layer: layer.id, feature: found, values: values))
    }

    private func publish(
        _ session: EditSession,
        _ device: Device,
        _ store: any DocumentStore,
        _ name: String
    ) async throws {
        switch try await device.publisher.publish(session, to: store) {
        case .published(let revision):
            try tell(Event(name: "published", words: "\(name): Saved to iCloud, revision \(revision.number)"))
        case .nothingToPublish: try tell(Event(name: "nothing_to_publish", words: "\(name): nothing to publish"))
        case .conflict(let conflict):
            try tell(Event(name: "conflict", words: "\(name): \(conflict.message)"))
            for overlap in conflict.comparison?.both ?? [] {
                try tell(Event(name: "conflict", words: "  \(overlap.words)"))
            }
        }
    }

    private func draw(_ session: EditSession, _ picture: OutputFile) async throws {
        let project = await session.project
        let view = MapDesk.View(project: project, package: session.package, name: "Harbour", session: session)
        guard let base = project.openingCamera else { return }
        let camera = try MapCamera(center: base.center, zoom: base.zoom + 0.2, bearing: 20, pitch: 35)
        let snapshot = try MapSnapshot(view, through: try MapProjection(camera: camera, width: 390, height: 640))
        try picture.write(
            try snapshot.encoded(view.package, asPNG: !picture.path.lowercased().hasSuffix(".svg"), scale: 2)
        )
        try tell(Event(name: "drawn", words: "A picture of it: \(picture.path)"))
    }
}
