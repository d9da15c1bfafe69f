import MapDocs
import MapGeoPackage
import TransportCore

/// Looks through a whole document once, so that its table can be made before the first feature is written.
struct GeoJSONSurvey {
    let table: GeoJSONTable
    /// The kind of all geometries; nil when there are several, or none.
    let kind: MapGeometry.Kind?
    /// Whether geometries have heights: 0 for none, 1 for all, 2 for some.
    let z: Int64
    /// The first key above all that the document gives.
    let firstFreeKey: Int64
    let notes: [String]

    init(_ document: GeoJSONDocument, _ file: String) throws(MapAuthoringError) {
        var columns = GeoJSONColumns()
        var kinds: Set<MapGeometry.Kind> = []
        var (withHeight, withoutHeight) = (0, 0)
        var highestKey: Int64 = 0
        var (open, extra, crossing) = (0, 0, 0)
        var hasSystem = document.members["crs"].map { $0 != .null } ?? false
        for index in 0..<document.count {
            let feature = try Self.feature(index, of: document, file)
            columns.look(at: feature.properties)
            if let geometry = feature.geometry {
                kinds.insert(geometry.kind)
                geometry.forEachPosition { position in
                    if position.altitude == nil { withoutHeight += 1 } else { withHeight += 1 }
                }
            }
            if case .number(let number) = feature.id { highestKey = max(highestKey, number) }
            open += feature.remarks.openRings
            extra += feature.remarks.extraOrdinates
            crossing += feature.remarks.crossesAntimeridian ? 1 : 0
            hasSystem = hasSystem || feature.remarks.hasSystem
        }
        guard highestKey < Int64.max - Int64(document.count) else {
            throw MapPackageAuthor.invalid(file, "An “id” is too large to be followed by others.")
        }
        table = columns.finish()
        kind = kinds.count == 1 ? kinds.first : nil
        z = withHeight == 0 ? 0 : withoutHeight == 0 ? 1 : 2
        firstFreeKey = highestKey + 1
        var notes = table.notes
        if open > 0 { notes.append("\(open) rings did not end where they began and were closed.") }
        if extra > 0 { notes.append("\(extra) positions had more than three numbers; the others were left out.") }
        if crossing > 0 {
            notes.append(
                "\(crossing) features cross the antimeridian without being cut there; they are kept as they are."
            )
        }
        if hasSystem { notes.append("The member “crs”, which GeoJSON no longer has, names WGS 84 and was left out.") }
        self.notes = notes
    }

    /// Reads a feature, and says in words where it is when it cannot be read.
    static func feature(
        _ index: Int,
        of document: GeoJSONDocument,
        _ file: String
    ) throws(MapAuthoringError) -> GeoJSONFeature {
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try document.feature(index)
        } catch {
            throw MapPackageAuthor.invalid(file, error.message)
        }
        do throws(GeoJSONProblem) {
            let feature = try GeoJSONFeature(json)
            guard document.features == nil || json["type"]?.stringValue == "Feature" else {
                throw GeoJSONProblem(path: "type", reason: "is not “Feature”")
            }
            return feature
        } catch {
            let place = document.place(index, error.path)
            let what = place.path.isEmpty ? "the document" : "“\(place.path)”"
            throw MapAuthoringError(
                code: .invalidDocument,
                subject: place.path.isEmpty ? file : "\(file): \(place.path)",
                message: "“\(file)” cannot be imported: \(what) \(error.reason) "
                    + "(in the feature at line \(place.line), column \(place.column))."
            )
        }
    }
}
