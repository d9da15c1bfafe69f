import Foundation
import MapDocs
import MapGeoPackage

extension MapPackageAuthor {
    /// Imports feature tables of a GeoPackage: columns with their schema, keys, and geometries byte for byte.
    ///
    /// Layers in other coordinate systems are imported too, and stay locked. Tables without geometries, tiles and styles
    /// are not imported.
    ///
    /// - Parameters:
    ///   - path: The file; nothing beside it is looked at.
    ///   - names: The tables to import, in this order; nil for all that can be read.
    /// - Throws: `MapAuthoringError`: `notFound`, `invalidDocument` for a damaged file, `noLayer`, `unsupported`,
    ///   `cancelled`, `full`, `storage`.
    public func importGeoPackage(fileAt path: String, layers names: [String]? = nil) throws(MapAuthoringError) {
        let source = try MapAuthoringError.wrap { () throws(MapPackageError) in
            try GeoPackageSource(path, format: format)
        }
        let file = (path as NSString).lastPathComponent
        var layers: [GeoPackageSource.Layer] = []
        if let names {
            for name in names {
                guard let layer = source.layers.first(where: { $0.table.name.utf8.elementsEqual(name.utf8) }) else {
                    let known = source.layers.map { "“\($0.table.name)”" }.joined(separator: ", ")
                    throw MapAuthoringError(
                        code: .noLayer,
                        subject: name,
                        message: "“\(file)” has no layer “\(name)”; it has \(known.isEmpty ? "none" : known)."
                    )
                }
                guard layer.isReadable else {
                    throw MapAuthoringError(
                        code: .unsupported,
                        subject: name,
                        message: layer.table.lockReason ?? "“\(name)” cannot be read."
                    )
                }
                layers.append(layer)
            }
        } else {
            layers = source.layers.filter(\.isReadable)
            guard !layers.isEmpty else {
                throw MapAuthoringError(
                    code: .noLayer,
                    subject: file,
                    message: "“\(file)” has no layer with features; choose another file."
                )
            }
        }
        for layer in layers { try importLayer(layer, of: source) }
    }

    private func importLayer(
        _ layer: GeoPackageSource.Layer,
        of source: GeoPackageSource
    ) throws(MapAuthoringError) {
        var definition = layer.definition
        definition.name = try tableName(for: layer.table.name)
        var notes = layer.notes
        if definition.name != layer.table.name {
            notes.append("The table is now “\(definition.name)”, because that name is taken.")
        }
        var failure: MapAuthoringError?
        var count = 0
        var replaced = 0
        let (title, total) = (
            definition.title,
            try MapAuthoringError.wrap { () throws(MapPackageError) in
                try source.count(layer)
            }
        )
        let identifiers = try MapAuthoringError.wrap { () throws(MapPackageError) in
            try source.hasUniqueIdentifiers(layer)
        }
        let table = try MapAuthoringError.wrap { [definition] () throws(MapPackageError) in
            try source.copySystem(of: layer, to: writer)
            return try writer.makeTable(definition)
        }
        try MapAuthoringError.wrap { () throws(MapPackageError) in
            try source.readRows(layer) { row throws(MapPackageError) in
                let identifier = identifiers ? row.identifier : nil
                if row.identifier != nil && !identifiers { replaced += 1 }
                try table.add(
                    key: row.key,
                    identifier: identifier ?? newIdentifier(),
                    blob: row.geometry,
                    values: row.values
                )
                count += 1
                guard count % 1000 == 0 || count == total else { return true }
                do throws(MapAuthoringError) {
                    try report(count, of: total, title)
                } catch {
                    failure = error
                }
                return failure == nil
            }
        }
        if let failure { throw failure }
        if replaced > 0 {
            notes.append("The column “uuid” does not tell features apart; \(replaced) features have new ones.")
        }
        add(table, named: definition.name, title: title, kind: layer.table.geometryKind, count: count, notes: notes)
    }
}
