import Foundation
import MapAuthoring
import MapDocs
import MapGeoPackage
import Testing
import TransportCore

struct GeoJSONImportTests {
    private func geometry(_ json: String) throws -> MapGeometry? {
        let folder = try AuthoringFolder()
        try folder.make(geoJSON: json)
        return try folder.features().first?.geometry
    }

    private func position(_ x: Double, _ y: Double, _ z: Double? = nil) -> MapPosition {
        MapPosition(longitude: x, latitude: y, altitude: z)
    }

    // The examples of RFC 7946, appendix A.
    @Test("All seven kinds of geometry are read")
    func kinds() throws {
        #expect(try geometry(#"{"type": "Point", "coordinates": [100.0, 0.0]}"#) == .point(position(100, 0)))
        #expect(
            try geometry(#"{"type": "LineString", "coordinates": [[100.0, 0.0], [101.0, 1.0]]}"#)
                == .lineString([position(100, 0), position(101, 1)])
        )
        #expect(
            try geometry(
                """
                {"type": "Polygon", "coordinates": [
                  [[100.0, 0.0], [101.0, 0.0], [101.0, 1.0], [100.0, 1.0], [100.0, 0.0]],
                  [[100.8, 0.8], [100.8, 0.2], [100.2, 0.2], [100.2, 0.8], [100.8, 0.8]]]}
                """
            )
                == .polygon([
                    [position(100, 0), position(101, 0), position(101, 1), position(100, 1), position(100, 0)],
                    [
                        position(100.8, 0.8), position(100.8, 0.2), position(100.2, 0.2), position(100.2, 0.8),
                        position(100.8, 0.8),
                    ],
                ])
        )
        #expect(
            try geometry(#"{"type": "MultiPoint", "coordinates": [[100.0, 0.0], [101.0, 1.0]]}"#)
                == .multiPoint([position(100, 0), position(101, 1)])
        )
        #expect(
            try geometry(
                #"{"type": "MultiLineString", "coordinates": [[[100.0, 0.0], [101.0, 1.0]], [[102.0, 2.0], [103.0, 3.0]]]}"#
            )
                == .multiLineString([[position(100, 0), position(101, 1)], [position(102, 2), position(103, 3)]])
        )
        #expect(
            try geometry(
                #"{"type": "MultiPolygon", "coordinates": [[[[102.0, 2.0], [103.0, 2.0], [103.0, 3.0], [102.0, 2.0]]]]}"#
            )
                == .multiPolygon([[[position(102, 2), position(103, 2), position(103, 3), position(102, 2)]]])
        )
        #expect(
            try geometry(
                """
                {"type": "GeometryCollection", "geometries": [
                  {"type": "Point", "coordinates": [100.0, 0.0]},
                  {"type": "GeometryCollection", "geometries": [
                    {"type": "LineString", "coordinates": [[101.0, 0.0, 5], [102.0, 1.0, 6]]}]}]}
                """
            )
                == .collection([
                    .point(position(100, 0)), .collection([.lineString([position(101, 0, 5), position(102, 1, 6)])]),
                ])
        )
    }

    @Test("NULL and empty geometries stay apart, and heights are kept")
    func emptiness() throws {
        let folder = try AuthoringFolder()
        try folder.make(
            geoJSON: """
                {"type": "FeatureCollection", "features": [
                  {"type": "Feature", "geometry": null, "properties": null},
                  {"type": "Feature", "properties": {}},
                  {"type": "Feature", "geometry": {"type": "Point", "coordinates": []}, "properties": {}},
                  {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2, 3.5]}, "properties": {}}]}
                """
        )
        #expect(try folder.features().map(\.geometry) == [nil, nil, .point(nil), .point(position(1, 2, 3.5))])
        #expect(try folder.open().tables().first?.geometryKind == .point)
    }

    @Test(
        "The column's type follows from all values",
        arguments: [
            (
                ["1", "2192502720", "null", "-9223372036854775808"], FeatureColumnType.integer(bits: 64),
                [FeatureValue.integer(1), .integer(2_192_502_720), .null, .integer(.min)]
            ),
            (["9007199254740993"], .integer(bits: 64), [.integer(9_007_199_254_740_993)]),
            (["1", "2.5", "1e3"], .double, [.real(1), .real(2.5), .real(1000)]),
            (["1.0"], .double, [.real(1)]),
            (["true", "false", "null"], .boolean, [.integer(1), .integer(0), .null]),
            (["\"a\"", "\"\"", "null"], .text(maximumLength: nil), [.text("a"), .text(""), .null]),
            (["\"007\"", "\"1e5\""], .text(maximumLength: nil), [.text("007"), .text("1e5")]),
            (
                ["1", "\"a\"", "true", "null"], .text(maximumLength: nil),
                [.text("1"), .text("a"), .text("true"), .null]
            ),
            (["{\"b\": [1, 2.50]}", "[]"], .text(maximumLength: nil), [.text("{\"b\":[1,2.50]}"), .text("[]")]),
            (["null", "null"], .text(maximumLength: nil), [.null, .null]),
            (["9223372036854775808"], .text(maximumLength: nil), [.text("9223372036854775808")]),
            (["9007199254740993", "0.5"], .text(maximumLength: nil), [.text("9007199254740993"), .text("0.5")]),
            (["1e400"], .text(maximumLength: nil), [.text("1e400")]),
        ]
    )
    func columns(values: [String], type: FeatureColumnType, stored: [FeatureValue]) throws {
        let folder = try AuthoringFolder()
        let features = values.map { #"{"type": "Feature", "geometry": null, "properties": {"p": \#($0)}}"# }
        try folder.make(geoJSON: #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#)
        let column = try #require(try folder.open().tables().first?.columns.last)
        #expect(column.name == "p")
        #expect(column.type == type)
        #expect(try folder.features().map { $0.values["p"] } == stored)
    }

    @Test("Names that collide, with SQLite's rules or with ours, get other columns and keep their words")
    func names() throws {
        let folder = try AuthoringFolder()
        let layers = try folder.make(
            geoJSON:
                #"{"type": "Feature", "geometry": null, "properties": {"Name": 1, "name": 2, "FID": 3, "geom": 4, "a\"b": 5, "": 6, "gpkg_x": 7}}"#
        )
        let columns = try #require(try folder.open().tables().first?.columns.dropFirst(3))
        #expect(columns.map(\.name) == ["Name", "name_2", "FID_2", "geom_2", "a\"b", "column", "gpkg_x"])
        #expect(columns.map(\.label) == ["Name", "name", "FID", "geom", "a\"b", "column", "gpkg_x"])
        #expect(try folder.features().first?.values.count == 7)
        #expect(layers[0].notes.count == 4)
    }

    @Test("Texts identify features as they are, whole numbers are their keys, and what repeats gets a new one")
    func identifiers() throws {
        let folder = try AuthoringFolder()
        let features = ["\"a\"", "7", "\"a\"", "7", "-1", "null", "1.5"].map {
            #"{"type": "Feature", "id": \#($0), "geometry": null}"#
        }
        let layers = try folder.make(
            geoJSON: #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
        )
        let read = try folder.features()
        #expect(read.map(\.key) == [7, 8, 9, 10, 11, 12, 13])
        #expect(read.map(\.id.text).filter { $0 == "a" || $0 == "1.5" } == ["a", "1.5"])
        #expect(Set(read.map(\.id)).count == 7)
        #expect(
            layers[0].notes == [
                "3 features have an identifier that is empty, below 1 or another's; they have new ones."
            ]
        )
    }

    @Test("The same document and seed make the same package, another seed other identifiers")
    func repeatable() throws {
        let json = #"{"type": "Point", "coordinates": [1, 2]}"#
        let digests = try [UInt64(1), 1, 2].map { seed in
            let folder = try AuthoringFolder()
            try folder.make(seed: seed) { author throws(MapAuthoringError) in
                try author.importGeoJSON(Array(json.utf8), named: "x")
            }
            let project = try Data(contentsOf: URL(fileURLWithPath: folder.package + "/project.json"))
            let database = try Data(contentsOf: URL(fileURLWithPath: folder.package + "/data.gpkg"))
            return [project, database]
        }
        #expect(digests[0] == digests[1])
        #expect(digests[0] != digests[2])
    }

    @Test("A byte order mark, a crs member that names WGS 84, open rings and further numbers are noted")
    func notes() throws {
        let folder = try AuthoringFolder()
        let layers = try folder.make(
            geoJSON: "\u{FEFF}" + #"""
                {"type": "FeatureCollection",
                 "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}},
                 "features": [
                  {"type": "Feature", "properties": {}, "geometry":
                    {"type": "Polygon", "coordinates": [[[0, 0, 0, 9], [1, 0], [1, 1]]]}},
                  {"type": "Feature", "properties": {}, "geometry":
                    {"type": "LineString", "coordinates": [[179, 0], [-179, 1]]}}]}
                """#
        )
        #expect(layers[0].featureCount == 2)
        #expect(layers[0].notes.count == 4)
        for words in ["1 rings", "1 positions", "1 features cross the antimeridian", "“crs”"] {
            #expect(layers[0].notes.contains { $0.contains(words) }, "\(words): \(layers[0].notes)")
        }
    }

    @Test(
        "A document that is none says where and why, and leaves nothing",
        arguments: [
            ("", "line 1, column 1"),
            ("[]", "no “type”"),
            ("{\"type\": \"FeatureCollection\",\n \"features\": [{\"type\": \"Feature\",}]}", "line 2, column 34"),
            ("{\"type\": \"FeatureCollection\", \"features\": [1 2]}", "line 1"),
            ("{\"type\": \"FeatureCollection\", \"features\": []} x", "line 1, column 47"),
            (#"{"type": "FeatureCollection"}"#, "no list of features"),
            (#"{"type": "FeatureCollection", "features": {}}"#, "no list of features"),
            (
                "{\"type\": \"FeatureCollection\", \"features\": [\n  {\"type\": \"Feature\", \"geometry\": null},\n  7]}",
                "“features[1]” is no object (in the feature at line 3, column 3)"
            ),
            (
                #"{"type": "FeatureCollection", "features": [{"type": "Point", "coordinates": [1, 2]}]}"#,
                "“features[0].type” is not “Feature”"
            ),
            (
                #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1]}}"#,
                "“geometry.coordinates” is no position"
            ),
            (
                #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, "2"]}}"#,
                "“geometry.coordinates[1]” is no number"
            ),
            (
                #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 1e400]}}"#,
                "“geometry.coordinates[1]” is no number"
            ),
            (
                #"{"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[1, 2]]}}"#,
                "“geometry.coordinates[0][0]” is no position"
            ),
            (#"{"type": "Feature", "geometry": {"type": "Circle", "coordinates": []}}"#, "no kind of geometry"),
            (#"{"type": "Feature", "geometry": {"coordinates": []}}"#, "“geometry.type” is missing"),
            (#"{"type": "Feature", "geometry": 5}"#, "“geometry” is no object"),
            (#"{"type": "Feature", "geometry": null, "properties": []}"#, "“properties” is neither"),
            (#"{"type": "Feature", "geometry": null, "id": []}"#, "“id” is neither"),
            (#"{"type": "Point", "coordinates": [674032, 6580821]}"#, "not in degrees"),
            (
                #"{"type": "FeatureCollection", "features": [], "crs": {"type": "name", "properties": {"name": "EPSG:3006"}}}"#,
                "“EPSG:3006”"
            ),
            (#"{"type": "Topology"}"#, "“Topology”, which is no kind of geometry"),
        ]
    )
    func refuses(json: String, words: String) throws {
        let folder = try AuthoringFolder()
        let error = #expect(throws: MapAuthoringError.self) { try folder.make(geoJSON: json, named: "Bad") }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix("“Bad” cannot be imported: ") == true)
        #expect(try folder.names == [])
    }

    @Test("Mutated documents are imported whole or refused, as the reader of JSON decides", arguments: UInt64(1)...4)
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let whole = Array(
            #"""
            {"type": "FeatureCollection", "name": "x,]}\"", "features": [
              {"type": "Feature", "id": "a", "properties": {"n": 1, "t": "[{\\", "o": {"x": [1, {}]}},
               "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 0]]]}},
              {"type": "Feature", "properties": null, "geometry": null}, {"type": "Feature", "id": 3,
               "geometry": {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}]}}]}
            """#.utf8
        )
        let pieces = Array("{}[],:\"\\ 0-1e\u{FEFF}".utf8)
        var imported = 0
        for _ in 0..<60 {
            var bytes = whole
            for _ in 0...random.nextInt(below: 3) {
                let place = random.nextInt(below: bytes.count)
                switch random.nextInt(below: 3) {
                case 0: bytes[place] = pieces[random.nextInt(below: pieces.count)]
                case 1: bytes.remove(at: place)
                default: bytes.insert(pieces[random.nextInt(below: pieces.count)], at: place)
                }
            }
            let json = try? JSONValue(parsing: bytes)
            let folder = try AuthoringFolder()
            do throws(MapAuthoringError) {
                let layers = try MapPackageAuthor.make(
                    at: folder.package,
                    format: AuthoringFolder.format,
                    random: SeededRandom(seed: 1)
                ) { author throws(MapAuthoringError) in try author.importGeoJSON(bytes, named: "x") }
                imported += 1
                #expect(layers[0].featureCount == json?["features"]?.elements?.count)
            } catch {
                #expect(error.code == .invalidDocument || error.code == .unsupported, "\(error)")
                #expect((try? folder.names) == [])
            }
        }
        #expect(imported > 0)
    }

    @Test("An empty collection makes an empty layer")
    func empty() throws {
        let folder = try AuthoringFolder()
        try folder.make(geoJSON: #"{"features": [], "type": "FeatureCollection"}"#)
        #expect(try folder.open().featureCount(in: "Layer") == 0)
        #expect(try AuthoringFolder.format.findFaults(in: folder.package) == [])
    }
}
