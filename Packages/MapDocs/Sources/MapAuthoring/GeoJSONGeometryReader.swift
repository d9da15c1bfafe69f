import MapDocs
import TransportCore

/// Reads the geometries of GeoJSON (RFC 7946, section 3.1).
struct GeoJSONGeometryReader {
    /// What was found on the way, for the notes of an import.
    struct Remarks {
        /// Rings that did not end where they began.
        var openRings = 0
        /// Positions with more than three numbers, of which the others were left out.
        var extraOrdinates = 0
        /// Whether it goes around the world the long way, or beyond 180 degrees: it was not cut at the antimeridian.
        var crossesAntimeridian = false
        /// Whether it brings a coordinate system of its own.
        var hasSystem = false
    }

    private(set) var remarks = Remarks()
    private static let maximumDepth = 30

    /// Reads a geometry.
    ///
    /// - Parameters:
    ///   - json: The geometry.
    ///   - path: Where it is, for messages.
    ///   - depth: How many collections it lies in.
    /// - Returns: The geometry.
    /// - Throws: `GeoJSONProblem`.
    mutating func read(_ json: JSONValue, path: String, depth: Int = 0) throws(GeoJSONProblem) -> MapGeometry {
        guard json.members != nil else { throw GeoJSONProblem(path: path, reason: "is no object") }
        if json["crs"] != nil { try check(json["crs"], path: path) }
        guard let type = json["type"]?.stringValue else {
            throw GeoJSONProblem(path: join(path, "type"), reason: "is missing")
        }
        if type == "GeometryCollection" {
            guard let list = json["geometries"]?.elements else {
                throw GeoJSONProblem(path: join(path, "geometries"), reason: "is no list")
            }
            guard depth < Self.maximumDepth else { throw GeoJSONProblem(path: path, reason: "is nested too deeply") }
            var geometries: [MapGeometry] = []
            for (index, value) in list.enumerated() {
                let inner = join(path, "geometries[\(index)]")
                geometries.append(try read(value, path: inner, depth: depth + 1))
            }
            return .collection(geometries)
        }
        let kinds = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"]
        guard kinds.contains(type) else {
            throw GeoJSONProblem(path: join(path, "type"), reason: "is “\(type)”, which is no kind of geometry")
        }
        let inner = join(path, "coordinates")
        guard let coordinates = json["coordinates"] else { throw GeoJSONProblem(path: inner, reason: "is missing") }
        switch type {
        case "Point": return .point(try point(coordinates, inner))
        case "LineString": return .lineString(try line(coordinates, inner))
        case "Polygon": return .polygon(try polygon(coordinates, inner))
        case "MultiPoint":
            return .multiPoint(
                try each(coordinates, inner) { reader, value, path throws(GeoJSONProblem) in
                    try reader.point(value, path)
                }
            )
        case "MultiLineString":
            return .multiLineString(
                try each(coordinates, inner) { reader, value, path throws(GeoJSONProblem) in
                    try reader.line(value, path)
                }
            )
        default:
            return .multiPolygon(
                try each(coordinates, inner) { reader, value, path throws(GeoJSONProblem) in
                    try reader.polygon(value, path)
                }
            )
        }
    }

    /// Refuses a coordinate system other than that of GeoJSON (`crs` of the format before RFC 7946).
    mutating func check(_ system: JSONValue?, path: String) throws(GeoJSONProblem) {
        guard let system, system != .null else { return }
        let name =
            system["properties"]?["name"]?.stringValue ?? system["properties"]?["code"]?.stringValue ?? system.text
        let folded = name.uppercased()
        let isWGS84 = folded.hasSuffix("CRS84") || folded.hasSuffix(":4326") || folded == "4326"
        guard isWGS84 else {
            throw GeoJSONProblem(
                path: join(path, "crs"),
                reason: "names the coordinate system “\(name)”, but GeoJSON is in WGS 84 (EPSG:4326); convert it first"
            )
        }
        remarks.hasSystem = true
    }

    // MARK: Positions

    private func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private mutating func each<Part>(
        _ json: JSONValue,
        _ path: String,
        _ read: (inout GeoJSONGeometryReader, JSONValue, String) throws(GeoJSONProblem) -> Part
    ) throws(GeoJSONProblem) -> [Part] {
        guard let list = json.elements else { throw GeoJSONProblem(path: path, reason: "is no list") }
        var parts: [Part] = []
        parts.reserveCapacity(list.count)
        for (index, value) in list.enumerated() { parts.append(try read(&self, value, "\(path)[\(index)]")) }
        return parts
    }

    /// A point, or none for an empty list.
    private mutating func point(_ json: JSONValue, _ path: String) throws(GeoJSONProblem) -> MapPosition? {
        if json.elements?.isEmpty == true { return nil }
        return try position(json, path)
    }

    private mutating func position(_ json: JSONValue, _ path: String) throws(GeoJSONProblem) -> MapPosition {
        guard let list = json.elements, list.count >= 2 else {
            throw GeoJSONProblem(path: path, reason: "is no position: a list of two or three numbers")
        }
        var numbers: [Double] = []
        for (index, value) in list.prefix(3).enumerated() {
            guard let number = value.doubleValue else {
                throw GeoJSONProblem(path: "\(path)[\(index)]", reason: "is no number that can be kept")
            }
            numbers.append(number)
        }
        guard abs(numbers[1]) <= 90, abs(numbers[0]) <= 540 else {
            throw GeoJSONProblem(
                path: path,
                reason: "is not in degrees of longitude and latitude; convert the document to WGS 84 first"
            )
        }
        if list.count > 3 { remarks.extraOrdinates += 1 }
        if abs(numbers[0]) > 180 { remarks.crossesAntimeridian = true }
        return MapPosition(longitude: numbers[0], latitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil)
    }

    private mutating func line(_ json: JSONValue, _ path: String) throws(GeoJSONProblem) -> [MapPosition] {
        let positions = try each(json, path) { reader, value, path throws(GeoJSONProblem) in
            try reader.position(value, path)
        }
        for (first, second) in zip(positions, positions.dropFirst())
        where abs(first.longitude - second.longitude) > 180 {
            remarks.crossesAntimeridian = true
        }
        return positions
    }

    private mutating func polygon(_ json: JSONValue, _ path: String) throws(GeoJSONProblem) -> [[MapPosition]] {
        try each(json, path) { reader, value, path throws(GeoJSONProblem) in
            var ring = try reader.line(value, path)
            if let first = ring.first, ring.last != first {
                reader.remarks.openRings += 1
                ring.append(first)
            }
            return ring
        }
    }
}
