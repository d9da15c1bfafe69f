import Foundation
import MapGeodesy
import Testing

/// A pair of points with the path between them as GeographicLib computed it.
struct GeodesicReference: Sendable {
    let kind: String
    let start: GeodesicPoint
    let end: GeodesicPoint
    let distance: Double
    let initialAzimuth: Double
    let finalAzimuth: Double
    let hasUniqueAzimuth: Bool
    let reducedLength: Double
    /// The area between the path and the equator.
    let areaBelow: Double

    static let kinds = [
        "random", "field", "antipodal", "short", "antimeridian", "vertex", "near-one-pole", "meridional", "over-pole",
        "pole-one-end", "near-meridional", "equatorial", "near-equatorial", "opposite-poles", "coincident",
    ]

    private static let table = Result { try read() }

    static func all() throws -> [GeodesicReference] {
        try table.get()
    }

    private static func read() throws -> [GeodesicReference] {
        try referenceText("geod_reference").split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: ",").map(String.init)
            func number(_ column: Int) throws -> Double { try #require(Double(fields[column])) }
            return GeodesicReference(
                kind: fields[7],
                start: GeodesicPoint(latitude: try number(0), longitude: try number(1)),
                end: GeodesicPoint(latitude: try number(2), longitude: try number(3)),
                distance: try number(4),
                initialAzimuth: try number(5),
                finalAzimuth: try number(6),
                hasUniqueAzimuth: fields[8] == "1",
                reducedLength: try number(9),
                areaBelow: try number(10)
            )
        }
    }

    /// The rows of one kind; never none.
    static func rows(ofKind kind: String) throws -> [GeodesicReference] {
        let rows = try all().filter { $0.kind == kind }
        try #require(!rows.isEmpty)
        return rows
    }
}

/// A polygon with its perimeter and area as GeographicLib computed them.
struct AreaReference: Sendable {
    let kind: String
    /// Without the repetition of the first vertex at the end.
    let vertices: [GeodesicPoint]
    let perimeter: Double
    let signedArea: Double
    let leftArea: Double

    static let kinds = [
        "parcel", "region", "box", "equator-crossing", "antimeridian", "north-pole", "south-pole", "pole-vertex",
        "edge-over-pole", "pole-not-inside", "thin", "zero-area", "degenerate", "repeated-vertex", "clockwise",
        "concave",
        "bow-tie", "many", "huge", "hemisphere", "pole-twice",
    ]

    private static let table = Result { try read() }

    static func all() throws -> [AreaReference] {
        try table.get()
    }

    private static func read() throws -> [AreaReference] {
        try referenceText("area_reference").split(separator: "\n").dropFirst().map { line in
            let parts = line.split(separator: "\"").map(String.init)
            let fields = parts[1].split(separator: ",").map(String.init)
            func number(_ column: Int) throws -> Double { try #require(Double(fields[column])) }
            let ring = try #require(parts[0].split(separator: "(").last).prefix { $0 != ")" }
            let points = try ring.split(separator: ",").map { pair in
                let numbers = try pair.split(separator: " ").map { try #require(Double($0)) }
                return GeodesicPoint(latitude: numbers[1], longitude: numbers[0])
            }
            return AreaReference(
                kind: fields[2],
                vertices: points.dropLast(),
                perimeter: try number(0),
                signedArea: try number(1),
                leftArea: try number(4)
            )
        }
    }

    /// The rows of one kind; never none.
    static func rows(ofKind kind: String) throws -> [AreaReference] {
        let rows = try all().filter { $0.kind == kind }
        try #require(!rows.isEmpty)
        return rows
    }
}

private func referenceText(_ name: String) throws -> String {
    let url = try #require(Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Fixtures"))
    return try String(contentsOf: url, encoding: .utf8)
}
