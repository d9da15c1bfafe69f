import Foundation
import MapAuthoring
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

struct MapPackageAuthorTests {
    private let point = Array(#"{"type": "Point", "coordinates": [18.07, 59.33]}"#.utf8)

    @Test("A package has a project with its layers in drawing order, and a whole database")
    func makes() throws {
        let folder = try AuthoringFolder()
        let layers = try folder.make { author throws(MapAuthoringError) in
            try author.importGeoPackage(fileAt: AuthoringFolder.fixture("countries"))
            try author.importGeoPackage(fileAt: AuthoringFolder.fixture("cities"))
            try author.importGeoJSON(point, named: "Here: \"x\"")
        }
        #expect(try folder.names == ["Map.gispad"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.package).sorted() == [
                "data.gpkg", "project.json",
            ]
        )
        let project = try folder.project()
        #expect(project.name == "Map")
        #expect(project.id.count == 36)
        #expect(project.readOnlyReason == nil)
        #expect(project.revisionNumber == 0)
        #expect(project.layers.map(\.table) == ["countries", "cities", "Here: \"x\""])
        #expect(project.layers.map(\.id) == layers.map(\.id))
        #expect(Set(layers.map(\.id)).count == 3)
        #expect(project.layers.map(\.geometryKind) == [.multiPolygon, .point, .point])
        #expect(project.layers.allSatisfy { $0.role == .authoritative && $0.isVisible && !$0.isLocked })
        #expect(project.layers.allSatisfy { $0.style.stroke?.hasPrefix("#") == true })
        #expect(layers.map(\.featureCount) == [177, 243, 1])
        #expect(project.camera != nil)
        #expect(try AuthoringFolder.format.findFaults(in: folder.package) == [])
        #expect(try folder.open().tables().map(\.name) == ["Here: \"x\"", "cities", "countries"])
    }

    @Test("Layers of a GeoPackage are the same afterwards: keys, values, schema and the bytes of geometries")
    func copies() throws {
        let folder = try AuthoringFolder()
        let layers = try folder.make { author throws(MapAuthoringError) in
            try author.importGeoPackage(fileAt: AuthoringFolder.fixture("countries"), layers: ["countries"])
        }
        #expect(layers[0].notes == [])
        let database = try RawDatabase(folder.package + "/data.gpkg")
        try database.run("ATTACH '\(AuthoringFolder.fixture("countries"))' AS source")
        let columns = "fid, geom, pop_est, continent, name, iso_a3, gdp_md_est"
        for (first, second) in [("main", "source"), ("source", "main")] {
            let sql = "SELECT \(columns) FROM \(first).countries EXCEPT SELECT \(columns) FROM \(second).countries"
            #expect(try database.rows(sql) == [])
        }
        #expect(try database.rows("SELECT count(DISTINCT uuid), min(length(uuid)) FROM countries") == ["177|36"])
        let types = "SELECT name || ' ' || type FROM pragma_table_info('countries') WHERE name NOT IN ('fid', 'uuid')"
        #expect(
            try database.rows(types) == [
                "geom MULTIPOLYGON", "pop_est REAL", "continent TEXT(80)", "name TEXT(80)", "iso_a3 TEXT(80)",
                "gdp_md_est INTEGER",
            ]
        )
        let extent = try database.rows("SELECT min_x, min_y, max_x FROM gpkg_contents")
        #expect(extent == ["-180.0|-90.0|180.0"])
    }

    @Test("What the standard asks of a GeoPackage 1.3 is there")
    func standard() throws {
        let folder = try AuthoringFolder()
        try folder.make { author throws(MapAuthoringError) in try author.importGeoJSON(point, named: "Here") }
        let database = try RawDatabase(folder.package + "/data.gpkg")
        #expect(try database.rows("PRAGMA application_id") == ["1196444487"])
        #expect(try database.rows("PRAGMA user_version") == ["10300"])
        #expect(try database.rows("PRAGMA journal_mode") == ["delete"])
        #expect(try database.rows("SELECT srs_id FROM gpkg_spatial_ref_sys ORDER BY 1") == ["-1", "0", "4326"])
        #expect(
            try database.rows("SELECT table_name, data_type, identifier, last_change, min_x, srs_id FROM gpkg_contents")
                == ["Here|features|Here|2026-11-29T14:03:45.000Z|18.07|4326"]
        )
        #expect(try database.rows("SELECT * FROM gpkg_geometry_columns") == ["Here|geom|POINT|4326|0|0"])
        #expect(
            try database.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY 1")
                == ["delete", "insert", "update1", "update2", "update3", "update4"].map { "rtree_Here_geom_\($0)" }
        )
        #expect(
            try database.rows("SELECT extension_name, scope, definition FROM gpkg_extensions")
                == ["gpkg_rtree_index|write-only|http://www.geopackage.org/spec120/#extension_rtree"]
        )
        #expect(try database.rows("SELECT \"unique\" FROM pragma_index_list('Here')") == ["1"])
        #expect(try database.rows("SELECT rtreecheck('rtree_Here_geom')") == ["ok"])
    }

    @Test("Columns of other programs keep domains, defaults and types; other coordinate systems stay locked")
    func foreignSchema() throws {
        let folder = try AuthoringFolder()
        let source = folder.path + "/source.gpkg"
        try FileManager.default.copyItem(atPath: AuthoringFolder.fixture("cities"), toPath: source)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: source)
        let raw = try RawDatabase(source)
        try raw.run(
            """
            ALTER TABLE cities ADD COLUMN size INTEGER NOT NULL DEFAULT 3;
            ALTER TABLE cities ADD COLUMN code VARCHAR(9) DEFAULT 'it''s';
            ALTER TABLE cities ADD COLUMN twice AS (name || name);
            ALTER TABLE cities ADD COLUMN uuid TEXT; UPDATE cities SET uuid = 'same';
            ALTER TABLE cities ADD COLUMN "odd; DROP TABLE x" "A) CHECK (1";
            CREATE TABLE gpkg_data_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, name TEXT, title TEXT,
              description TEXT, mime_type TEXT, constraint_name TEXT, PRIMARY KEY (table_name, column_name));
            CREATE TABLE gpkg_data_column_constraints (constraint_name TEXT NOT NULL, constraint_type TEXT NOT NULL,
              value TEXT, min NUMERIC, min_is_inclusive BOOLEAN, max NUMERIC, max_is_inclusive BOOLEAN, description TEXT);
            INSERT INTO gpkg_data_columns VALUES ('cities', 'size', NULL, 'Size', 'How big', NULL, 'sizes');
            INSERT INTO gpkg_data_column_constraints VALUES ('sizes', 'enum', '3', NULL, NULL, NULL, NULL, 'Large');
            INSERT INTO gpkg_spatial_ref_sys VALUES ('SWEREF99 TM', 3006, 'EPSG', 3006, 'PROJCS[…]', NULL);
            UPDATE gpkg_geometry_columns SET srs_id = 3006;
            UPDATE gpkg_contents SET srs_id = 3006, description = 'Towns';
            """
        )
        raw.close()
        let layers = try folder.make { author throws(MapAuthoringError) in try author.importGeoPackage(fileAt: source) }
        let table = try #require(try folder.open().tables().first)
        let columns = table.columns.filter { $0.role == .attribute }
        #expect(columns.map(\.name) == ["name", "size", "code", "twice", "odd; DROP TABLE x"])
        #expect(columns.map(\.type)[0..<3] == [.text(maximumLength: 80), .integer(bits: 64), .other("VARCHAR(9)")])
        #expect(columns[1].label == "Size")
        #expect(columns[1].details == "How big")
        #expect(columns[1].domain == .choices([.init(value: .integer(3), label: "Large")]))
        #expect(!columns[1].isRequired)
        #expect(table.lockReason?.contains("EPSG:3006") == true)
        let database = try RawDatabase(folder.package + "/data.gpkg")
        #expect(
            try database.rows(
                "SELECT \"notnull\", dflt_value FROM pragma_table_info('cities') WHERE name IN ('size', 'code')"
            )
                == ["1|3", "0|'it''s'"]
        )
        #expect(try database.rows("SELECT srs_name FROM gpkg_spatial_ref_sys WHERE srs_id = 3006") == ["SWEREF99 TM"])
        #expect(try database.rows("SELECT description FROM gpkg_contents") == ["Towns"])
        #expect(try database.rows("SELECT count(DISTINCT uuid) FROM cities") == ["243"])
        #expect(layers[0].notes.contains { $0.contains("“twice” was computed") })
        #expect(layers[0].notes.contains { $0.contains("243 features have new ones") })
        #expect(try AuthoringFolder.format.findFaults(in: folder.package) == [])
    }

    @Test("Layers of the same name get tables of their own")
    func sameName() throws {
        let folder = try AuthoringFolder()
        try folder.make { author throws(MapAuthoringError) in
            try author.importGeoPackage(fileAt: AuthoringFolder.fixture("cities"))
            try author.importGeoPackage(fileAt: AuthoringFolder.fixture("cities"))
            try author.importGeoJSON(point, named: "CITIES")
            try author.importGeoJSON(point, named: "gpkg_contents")
        }
        #expect(try folder.project().layers.map(\.table) == ["cities", "cities_2", "CITIES_3", "layer_gpkg_contents"])
        #expect(try folder.project().layers.map(\.name) == ["cities", "cities", "CITIES", "gpkg_contents"])
    }

    @Test("Bookmarks, camera and name can be set while importing")
    func project() throws {
        let folder = try AuthoringFolder()
        let camera = try MapCamera(
            center: MapCoordinate(latitude: 1, longitude: 2),
            zoom: 16.53,
            bearing: 315,
            pitch: 60
        )
        try folder.make { author throws(MapAuthoringError) in
            author.project.camera = camera
            author.project.addBookmark(MapBookmark(id: "b", name: "There", camera: camera))
            try author.importGeoJSON(point, named: "Here")
        }
        #expect(try folder.project().camera == camera)
        #expect(try folder.project().bookmarks.map(\.camera) == [camera])
        #expect(try folder.project().layers.count == 1)
    }

    @Test("What is there is never overwritten, and names that cannot be are refused")
    func refuses() throws {
        let folder = try AuthoringFolder()
        try folder.make { _ in }
        let before = try folder.project()
        let error = #expect(throws: MapAuthoringError.self) { try folder.make { _ in } }
        #expect(error?.code == .exists)
        #expect(try folder.project() == before)
        for (name, code) in [("x.gpkg", MapAuthoringError.Code.invalidName), ("none/x.gispad", .storage)] {
            let error = #expect(throws: MapAuthoringError.self) {
                try MapPackageAuthor.make(
                    at: folder.path + "/" + name,
                    format: AuthoringFolder.format,
                    random: SystemRandomNumberGenerator()
                ) { _ in }
            }
            #expect(error?.code == code)
        }
        #expect(try folder.names == ["Map.gispad"])
    }

    @Test("Progress is told as it is, and ending it leaves nothing")
    func progress() throws {
        let features = Array(repeating: #"{"type": "Feature", "geometry": null}"#, count: 2500).joined(separator: ",")
        let json = Array(#"{"type": "FeatureCollection", "features": [\#(features)]}"#.utf8)
        let folder = try AuthoringFolder()
        var steps: [Int] = []
        try folder.make(
            progress: { step in
                #expect(step.layer == "Many" && step.total == 2500)
                steps.append(step.done)
                return true
            }
        ) { author throws(MapAuthoringError) in try author.importGeoJSON(json, named: "Many") }
        #expect(steps == [1000, 2000, 2500])
        let other = try AuthoringFolder()
        for isGeoJSON in [true, false] {
            let error = #expect(throws: MapAuthoringError.self) {
                try other.make(progress: { _ in false }) { author throws(MapAuthoringError) in
                    if isGeoJSON { try author.importGeoJSON(json, named: "Many") }
                    try author.importGeoPackage(fileAt: AuthoringFolder.fixture("cities"))
                }
            }
            #expect(error?.code == .cancelled)
            #expect(try other.names == [])
        }
    }

    @Test("Files that are missing, damaged or lack the layer are named, and nothing is left")
    func failures() throws {
        let folder = try AuthoringFolder()
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: folder.path + "/bad.gpkg"))
        for (file, layers, code) in [
            (folder.path + "/none.gpkg", nil, MapAuthoringError.Code.notFound),
            (folder.path + "/bad.gpkg", nil, .invalidDocument),
            (AuthoringFolder.fixture("cities"), ["towns"], .noLayer),
        ] as [(String, [String]?, MapAuthoringError.Code)] {
            let error = #expect(throws: MapAuthoringError.self) {
                try folder.make { author throws(MapAuthoringError) in
                    try author.importGeoPackage(fileAt: file, layers: layers)
                }
            }
            #expect(error?.code == code)
        }
        let error = #expect(throws: MapAuthoringError.self) {
            try folder.make { author throws(MapAuthoringError) in
                try author.importGeoJSON(fileAt: folder.path + "/none.geojson")
            }
        }
        #expect(error?.code == .notFound)
        #expect(try folder.names == ["bad.gpkg"])
    }

    @Test("What an earlier attempt left when its process ended is in nobody's way")
    func leftovers() throws {
        let folder = try AuthoringFolder()
        let staging = folder.path + "/.Map.gispad.making"
        try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: staging + "/data.gpkg"))
        try folder.make { _ in }
        #expect(try folder.names == ["Map.gispad"])
    }

    @Test("A package that was made is edited like any other")
    func edits() throws {
        let folder = try AuthoringFolder()
        let json =
            #"{"type": "Feature", "id": "f-1", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"n": 1}}"#
        try folder.make(geoJSON: json)
        let package = try AuthoringFolder.format.open(folder.package, for: .editing)
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["n": .integer(9_007_199_254_740_993)], of: FeatureID("f-1"), in: "Layer")
            try edits.insert(
                FeatureID("f-2"),
                geometry: .point(MapPosition(longitude: 3, latitude: 4)),
                values: [:],
                into: "Layer"
            )
        }
        package.close()
        #expect(try folder.features().map { $0.values["n"] } == [.integer(9_007_199_254_740_993), .null])
        #expect(try AuthoringFolder.format.findFaults(in: folder.package) == [])
    }
}
