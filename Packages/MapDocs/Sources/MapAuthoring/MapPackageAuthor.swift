import Foundation
public import MapDocs
public import MapGeoPackage

/// Makes a new map package with layers from GeoJSON and GeoPackage, all at once or not at all.
///
/// A package is put together in a hidden folder beside its place and moved there when it is whole:
///
///     let layers = try MapPackageAuthor.make(at: "/maps/Harbour.gispad", format: format, random: random) { author in
///         try author.importGeoJSON(fileAt: "/data/piers.geojson")
///     }
public final class MapPackageAuthor {
    /// The project as it will stand in project.json; imported layers are in it.
    public var project: MapProject

    let format: GeoPackageFormat
    let writer: GeoPackageWriter
    private let progress: (ImportProgress) -> Bool
    private var random: any RandomNumberGenerator
    private var layers: [ImportedLayer] = []
    private var bounds: MapBounds?

    private init(
        _ name: String,
        _ writer: GeoPackageWriter,
        _ format: GeoPackageFormat,
        _ random: any RandomNumberGenerator,
        _ progress: @escaping (ImportProgress) -> Bool
    ) {
        var random = random
        project = MapProject(id: Self.identifier(&random), name: name)
        self.writer = writer
        self.format = format
        self.random = random
        self.progress = progress
    }

    /// Makes a package.
    ///
    /// - Parameters:
    ///   - path: Its folder, whose name ends in `.gispad`; nothing may be there.
    ///   - name: The name that people read; nil for that of the folder.
    ///   - format: The format of its database; its clock is that of the tables' last change.
    ///   - random: What identifiers are drawn from; the same numbers make the same package.
    ///   - progress: Called as features are imported; false ends it.
    ///   - body: Imports layers and sets up the project. When it throws, nothing is left.
    /// - Returns: The imported layers, the lowest first.
    /// - Throws: `MapAuthoringError`, also what `body` throws.
    @discardableResult
    public static func make(
        at path: String,
        named name: String? = nil,
        format: GeoPackageFormat,
        random: any RandomNumberGenerator,
        progress: @escaping (ImportProgress) -> Bool = { _ in true },
        _ body: (MapPackageAuthor) throws(MapAuthoringError) -> Void
    ) throws(MapAuthoringError) -> [ImportedLayer] {
        let staging = try PackageStaging(for: path)
        do throws(MapAuthoringError) {
            let database = staging.folder + "/" + format.databaseName
            let writer = try MapAuthoringError.wrap { () throws(MapPackageError) in
                try GeoPackageWriter(newFileAt: database)
            }
            let author = MapPackageAuthor(name ?? staging.title, writer, format, random, progress)
            try body(author)
            try author.finish(staging)
            try staging.commit()
            return author.layers
        } catch {
            staging.discard()
            throw error
        }
    }

    private func finish(_ staging: PackageStaging) throws(MapAuthoringError) {
        try MapAuthoringError.wrap { () throws(MapPackageError) in try writer.finish(at: format.now()) }
        if project.camera == nil { project.camera = bounds.flatMap { MapCamera(showing: $0) } }
        try staging.write(project.bytes, to: PublishedFile.projectPath)
    }

    // MARK: For the imports

    /// A new identifier: a UUID of version 4 (RFC 9562).
    func newIdentifier() -> String { Self.identifier(&random) }

    private static func identifier(_ random: inout any RandomNumberGenerator) -> String {
        var bytes: [UInt8] = []
        for _ in 0..<2 { withUnsafeBytes(of: random.next().bigEndian) { bytes.append(contentsOf: $0) } }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A table name that is free, as close to a wish as it can be.
    func tableName(for wish: String) throws(MapAuthoringError) -> String {
        var name = String(String.UnicodeScalarView(wish.unicodeScalars.map { $0.properties.isControl ? "_" : $0 }))
        while name.utf8.count > 150 { name.removeLast() }
        if name.isEmpty || NewFeatureTable.isReserved(name) { name = "layer_" + name }
        var candidate = name
        var number = 1
        while try !MapAuthoringError.wrap({ () throws(MapPackageError) in try writer.isFree(candidate) }) {
            number += 1
            candidate = "\(name)_\(number)"
        }
        return candidate
    }

    /// Takes a table that was filled into the project.
    func add(
        _ table: TableWriter,
        named tableName: String,
        title: String,
        kind: MapGeometry.Kind?,
        count: Int,
        notes: [String]
    ) {
        let layer = MapLayer(
            id: newIdentifier(),
            table: tableName,
            name: title,
            geometryKind: kind,
            style: LayerPalette.style(at: layers.count, kind: kind)
        )
        project.addLayer(layer)
        layers.append(ImportedLayer(id: layer.id, table: tableName, featureCount: count, notes: notes))
        if let box = table.bounds {
            bounds =
                bounds.map { $0.including(west: box.west, south: box.south, east: box.east, north: box.north) } ?? box
        }
    }

    /// Says how far an import is.
    func report(_ done: Int, of total: Int, _ layer: String) throws(MapAuthoringError) {
        if !progress(ImportProgress(layer: layer, done: done, total: total)) {
            throw .cancelled(project.name ?? layer)
        }
    }
}

extension MapAuthoringError {
    /// Runs what fails as a package does.
    static func wrap<Result>(
        _ body: () throws(MapPackageError) -> Result
    ) throws(MapAuthoringError) -> Result {
        do throws(MapPackageError) {
            return try body()
        } catch {
            throw MapAuthoringError(error)
        }
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it is a control character.
    fileprivate var isControl: Bool { generalCategory == .control }
}

extension MapBounds {
    fileprivate func including(west: Double, south: Double, east: Double, north: Double) -> MapBounds {
        including(MapPosition(longitude: west, latitude: south))
            .including(MapPosition(longitude: east, latitude: north))
    }
}

extension MapCamera {
    /// A camera that shows a box on a phone held upright, nil when the box is nowhere on the map.
    fileprivate init?(showing bounds: MapBounds) {
        let width = 320.0
        func ordinate(_ latitude: Double) -> Double {
            let clamped = min(max(latitude, -85.05), 85.05) * .pi / 180
            return log(tan(.pi / 4 + clamped / 2)) / .pi / 2
        }
        let (bottom, top) = (ordinate(bounds.south), ordinate(bounds.north))
        let extent = max((bounds.east - bounds.west) / 360, top - bottom, 1e-9)
        let middle = (atan(exp((bottom + top) * .pi)) - .pi / 4) * 360 / .pi
        let longitude = (bounds.west + bounds.east) / 2
        guard let center = try? MapCoordinate(latitude: middle, longitude: longitude),
            let camera = try? MapCamera(center: center, zoom: min(log2(width / 512 / extent), 17))
        else { return nil }
        self = camera
    }
}
