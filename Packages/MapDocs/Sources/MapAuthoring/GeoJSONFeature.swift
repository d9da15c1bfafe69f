import MapDocs
import TransportCore

/// One feature of a GeoJSON text (RFC 7946, section 3.2); a geometry alone is a feature without properties.
struct GeoJSONFeature {
    /// What identifies a feature.
    enum Identifier: Hashable {
        case text(String)
        case number(Int64)
    }

    let id: Identifier?
    let geometry: MapGeometry?
    let properties: [JSONValue.Member]
    /// What the geometry had that was put right or left out.
    let remarks: GeoJSONGeometryReader.Remarks

    init(_ json: JSONValue) throws(GeoJSONProblem) {
        guard json.members != nil else { throw GeoJSONProblem(path: "", reason: "is no object") }
        guard let type = json["type"]?.stringValue else { throw GeoJSONProblem(path: "type", reason: "is missing") }
        var reader = GeoJSONGeometryReader()
        guard type == "Feature" else {
            geometry = try reader.read(json, path: "")
            (id, properties, remarks) = (nil, [], reader.remarks)
            return
        }
        switch json["geometry"] {
        case nil, .null: geometry = nil
        case .some(let value): geometry = try reader.read(value, path: "geometry")
        }
        remarks = reader.remarks
        switch json["properties"] {
        case nil, .null: properties = []
        case .object(let members): properties = members
        default: throw GeoJSONProblem(path: "properties", reason: "is neither an object nor null")
        }
        switch json["id"] {
        case nil, .null: id = nil
        case .string(let text): id = .text(text)
        case .number(let number): id = Self.wholeNumber(number).map { .number($0) } ?? .text(number.text)
        default: throw GeoJSONProblem(path: "id", reason: "is neither a text nor a number")
        }
    }

    /// The number where it is written as an integer of 64 bits.
    static func wholeNumber(_ number: JSONNumber) -> Int64? { Int64(number.text) }
}
