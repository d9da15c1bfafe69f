import Foundation
import MapDocs
import MapGeoPackage
import TransportCore

extension MapPackageAuthor {
    /// Imports a GeoJSON document (RFC 7946) as one layer.
    ///
    /// A collection, a single feature or a single geometry. Properties become columns: whole numbers INTEGER, other
    /// numbers DOUBLE, `true` and `false` BOOLEAN, everything else TEXT, in which lists, objects and values of several
    /// kinds stand as JSON. Texts that identify features become their `uuid`, whole numbers their `fid`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - name: The layer's name; nil for that of the file.
    /// - Throws: `MapAuthoringError`: `notFound`, `invalidDocument` with line, column and path, `unsupported`,
    ///   `cancelled`, `full`, `storage`.
    public func importGeoJSON(fileAt path: String, named name: String? = nil) throws(MapAuthoringError) {
        let url = URL(fileURLWithPath: path)
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw MapAuthoringError(
                code: .notFound,
                subject: url.lastPathComponent,
                message: "“\(url.lastPathComponent)” cannot be read; check that it is there."
            )
        }
        try importGeoJSON(
            [UInt8](data),
            named: name ?? url.deletingPathExtension().lastPathComponent,
            from: url.lastPathComponent
        )
    }

    /// Imports a GeoJSON document (RFC 7946) as one layer.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - name: The layer's name.
    /// - Throws: `MapAuthoringError`, as `importGeoJSON(fileAt:named:)`.
    public func importGeoJSON(_ bytes: [UInt8], named name: String) throws(MapAuthoringError) {
        try importGeoJSON(bytes, named: name, from: name)
    }

    private func importGeoJSON(
        _ bytes: [UInt8],
        named name: String,
        from file: String
    ) throws(MapAuthoringError) {
        let document: GeoJSONDocument
        do throws(JSONSyntaxError) {
            document = try GeoJSONDocument(bytes)
        } catch {
            throw Self.invalid(file, error.message)
        }
        try Self.check(document, file)
        let survey = try GeoJSONSurvey(document, file)
        let tableName = try tableName(for: name)
        var definition = NewFeatureTable(
            tableName,
            columns: survey.table.columns.map { NewFeatureTable.Column($0) },
            geometryKind: survey.kind,
            title: name
        )
        definition.z = survey.z
        let table = try MapAuthoringError.wrap { [definition] () throws(MapPackageError) in
            try writer.makeTable(definition)
        }
        var nextKey = survey.firstFreeKey
        var identifiers: Set<[UInt8]> = []
        var keys: Set<Int64> = []
        var repeated = 0
        for index in 0..<document.count {
            let feature = try GeoJSONSurvey.feature(index, of: document, file)
            var key: Int64?
            var identifier: String?
            switch feature.id {
            case .text(let text) where !text.isEmpty && identifiers.insert(Array(text.utf8)).inserted: identifier = text
            case .number(let number) where number > 0 && keys.insert(number).inserted: key = number
            case nil: break
            default: repeated += 1
            }
            if key == nil {
                key = nextKey
                nextKey += 1
            }
            let own = identifier ?? newIdentifier()
            try MapAuthoringError.wrap { [key] () throws(MapPackageError) in
                try table.add(
                    key: key,
                    identifier: own,
                    geometry: feature.geometry,
                    values: survey.table.values(of: feature.properties)
                )
            }
            if index % 1000 == 999 || index == document.count - 1 { try report(index + 1, of: document.count, name) }
        }
        var notes = survey.notes
        if repeated > 0 {
            notes.append(
                "\(repeated) features have an identifier that is empty, below 1 or another's; they have new ones."
            )
        }
        add(table, named: tableName, title: name, kind: survey.kind, count: document.count, notes: notes)
    }

    private static func check(_ document: GeoJSONDocument, _ file: String) throws(MapAuthoringError) {
        let members = document.members
        guard members.members != nil, let type = members["type"]?.stringValue else {
            throw invalid(file, "It is no GeoJSON: it has no “type”.")
        }
        guard (type == "FeatureCollection") == (document.features != nil) else {
            let reason = type == "FeatureCollection" ? "it has no list of features" : "it is a “\(type)” with features"
            throw invalid(file, "It is no GeoJSON: \(reason).")
        }
        var reader = GeoJSONGeometryReader()
        do throws(GeoJSONProblem) {
            try reader.check(members["crs"], path: "")
        } catch {
            throw MapAuthoringError(
                code: .unsupported,
                subject: "\(file): \(error.path)",
                message: "“\(file)” cannot be imported: \(error.path) \(error.reason)."
            )
        }
    }

    static func invalid(_ file: String, _ reason: String) -> MapAuthoringError {
        MapAuthoringError(code: .invalidDocument, subject: file, message: "“\(file)” cannot be imported: \(reason)")
    }
}
