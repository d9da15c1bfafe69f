import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

struct GeoPackageSchemaTests {
    private let one = FeatureID("1")

    private let schema = """
        CREATE TABLE gpkg_data_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, name TEXT, title TEXT,
          description TEXT, mime_type TEXT, constraint_name TEXT, PRIMARY KEY (table_name, column_name));
        CREATE TABLE gpkg_data_column_constraints (constraint_name TEXT NOT NULL, constraint_type TEXT NOT NULL,
          value TEXT, min NUMERIC, min_is_inclusive BOOLEAN, max NUMERIC, max_is_inclusive BOOLEAN, description TEXT,
          UNIQUE (constraint_name, constraint_type, value));
        ALTER TABLE cities ADD COLUMN size INTEGER NOT NULL DEFAULT 3;
        ALTER TABLE cities ADD COLUMN height DOUBLE;
        INSERT INTO gpkg_data_columns VALUES ('CITIES', 'Name', NULL, 'City', 'What it is called', NULL, 'caps');
        INSERT INTO gpkg_data_columns VALUES ('cities', 'size', NULL, '', NULL, NULL, 'sizes');
        INSERT INTO gpkg_data_columns VALUES ('cities', 'height', NULL, NULL, NULL, NULL, 'heights');
        INSERT INTO gpkg_data_column_constraints VALUES ('caps', 'glob', '[A-Z]*', NULL, NULL, NULL, NULL, NULL);
        INSERT INTO gpkg_data_column_constraints VALUES ('sizes', 'enum', '3', NULL, NULL, NULL, NULL, 'Large');
        INSERT INTO gpkg_data_column_constraints VALUES ('sizes', 'enum', '1', NULL, NULL, NULL, NULL, NULL);
        INSERT INTO gpkg_data_column_constraints VALUES ('heights', 'range', NULL, -400, 1, 9000.5, 0, NULL);
        """

    @Test("Titles, descriptions and domains come from the schema extension")
    func domains() throws {
        let folder = try TestFolder("cities")
        try folder.raw(schema).close()
        let columns = try #require(try folder.open(for: .reading).tables().first).columns
        #expect(
            Array(columns.dropFirst(2)) == [
                FeatureColumn(
                    name: "name",
                    label: "City",
                    details: "What it is called",
                    type: .text(maximumLength: 80),
                    domain: .glob("[A-Z]*")
                ),
                FeatureColumn(
                    name: "size",
                    type: .integer(bits: 64),
                    domain: .choices([
                        .init(value: .integer(3), label: "Large"), .init(value: .integer(1), label: "1"),
                    ])
                ),
                FeatureColumn(
                    name: "height",
                    type: .double,
                    domain: .range(minimum: -400, includesMinimum: true, maximum: 9000.5, includesMaximum: false)
                ),
            ]
        )
    }

    @Test("Values that arrived outside of their domain are shown, and can be put back")
    func outside() throws {
        let folder = try TestFolder("cities")
        try folder.raw(schema + "UPDATE cities SET name = 'lower', size = 99 WHERE fid = 1").close()
        let package = try folder.open()
        #expect(try package.feature(one, in: "cities")?.values["size"] == .integer(99))
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["size": .integer(3), "name": .text("Upper")], of: one, in: "cities")
            try edits.update(["size": .integer(99), "name": .text("lower")], of: one, in: "cities")
        }
        #expect(try package.feature(one, in: "cities")?.values["name"] == .text("lower"))
    }

    @Test("The types of the standard are known, others are shown by their names")
    func types() throws {
        let folder = try TestFolder("cities")
        let types: [(String, FeatureColumnType)] = [
            ("BOOLEAN", .boolean), ("tinyint", .integer(bits: 8)), ("SMALLINT", .integer(bits: 16)),
            ("MEDIUMINT", .integer(bits: 32)), ("INT", .integer(bits: 64)), ("INTEGER", .integer(bits: 64)),
            ("FLOAT", .float), ("DOUBLE", .double), ("REAL", .double), ("TEXT", .text(maximumLength: nil)),
            ("TEXT(255)", .text(maximumLength: 255)), ("TEXT ( 5 )", .text(maximumLength: 5)),
            ("BLOB", .blob(maximumSize: nil)), ("BLOB(9)", .blob(maximumSize: 9)), ("DATE", .date),
            ("DATETIME", .dateTime), ("VARCHAR(9)", .other("VARCHAR(9)")), ("", .other("")),
            ("NUMERIC", .other("NUMERIC")),
        ]
        let raw = try folder.raw()
        for (index, (name, _)) in types.enumerated() { try raw.run("ALTER TABLE cities ADD COLUMN c\(index) \(name)") }
        raw.close()
        let columns = try #require(try folder.open(for: .reading).tables().first).columns
        #expect(columns.dropFirst(3).map(\.type) == types.map(\.1))
    }

    @Test(
        "A value is required where the column takes no NULL and has no default",
        arguments: [
            ("NOT NULL", true), ("NOT NULL DEFAULT 'x'", false), ("NOT NULL DEFAULT NULL", true),
            ("DEFAULT 'x'", false),
            ("", false),
        ]
    )
    func required(constraint: String, isRequired: Bool) throws {
        let folder = try TestFolder("cities")
        try folder.raw(
            "ALTER TABLE cities RENAME TO old; CREATE TABLE cities (fid INTEGER PRIMARY KEY, geom POINT, v TEXT \(constraint))"
        ).close()
        let columns = try #require(try folder.open(for: .reading).tables().first { $0.name == "cities" }).columns
        #expect(columns.last?.isRequired == isRequired)
        #expect(columns.first?.isRequired == false)
    }

    @Test(
        "Layers in other coordinate systems are listed and locked with a reason",
        arguments: [
            (
                "INSERT INTO gpkg_spatial_ref_sys VALUES ('SWEREF99 TM', 3006, 'EPSG', 3006, 'x', NULL)", 3006,
                "SWEREF99 TM (EPSG:3006)"
            ),
            ("SELECT 1", -1, "Undefined"), ("SELECT 1", 0, "ndefined"),
        ]
    )
    func otherSystems(sql: String, number: Int, words: String) throws {
        let folder = try TestFolder("cities")
        try folder.raw("\(sql); UPDATE gpkg_geometry_columns SET srs_id = \(number)").close()
        let package = try folder.open()
        let table = try #require(try package.tables().first)
        #expect(table.spatialReference == number)
        #expect(table.lockReason?.contains(words) == true, "\(table.lockReason ?? "")")
        let feature = try #require(try package.feature(one, in: "cities"))
        #expect(feature.values["name"] == .text("Vatican City"))
        #expect(feature.geometry == nil)
        #expect(feature.geometryProblem == table.lockReason)
        try package.readBounds(in: "cities") { _, _ in Issue.record("drawn in the wrong place") }
        let box = MapBounds(west: -180, south: -90, east: 180, north: 90)
        try package.readFeatures(in: "cities", FeatureQuery(bounds: box)) { _ in
            Issue.record("drawn in the wrong place")
            return true
        }
        let error = #expect(throws: MapPackageError.self) {
            try package.transaction { edits throws(MapPackageError) in
                try edits.update(["name": .text("x")], of: one, in: "cities")
            }
        }
        #expect(error?.code == .refused)
    }

    @Test("WGS 84 under another number is drawn, and what is written carries that number")
    func otherNumber() throws {
        let folder = try TestFolder("cities")
        let raw = try folder.raw("INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS', 100001, 'epsg', 4326, 'x', NULL)")
        try raw.run("UPDATE gpkg_geometry_columns SET srs_id = 100001; UPDATE gpkg_contents SET srs_id = 100001")
        raw.close()
        let package = try folder.open()
        #expect(try package.tables().first?.lockReason == nil)
        #expect(try package.tables().first?.spatialReference == 4326)
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(.point(MapPosition(longitude: 1, latitude: 2)), of: one, in: "cities")
        }
        // 100001 is 0x000186A1.
        #expect(
            try folder.raw().rows("SELECT substr(hex(geom), 1, 16) FROM cities WHERE fid = 1") == ["47500001A1860100"]
        )
    }

    @Test(
        "A newer GeoPackage is opened for reading only, with a plain message",
        arguments: [(10400, true), (10500, false)]
    )
    func newer(version: Int, isWritable: Bool) throws {
        let folder = try TestFolder("cities")
        try folder.raw("PRAGMA user_version = \(version)").close()
        let package = try folder.open()
        #expect(try package.featureCount(in: "cities") == 243)
        #expect((package.readOnlyReason == nil) == isWritable)
        if !isWritable { #expect(package.readOnlyReason?.contains("GeoPackage 1.5, which is newer") == true) }
    }

    @Test("Rules of the table itself refuse what breaks them")
    func constraints() throws {
        let folder = try TestFolder("cities")
        let raw = try folder.raw("ALTER TABLE cities ADD COLUMN size INTEGER CHECK (size > 0)")
        try raw.run("CREATE UNIQUE INDEX u ON cities (name); CREATE TABLE parent (id INTEGER PRIMARY KEY)")
        try raw.run("ALTER TABLE cities ADD COLUMN parent INTEGER REFERENCES parent (id)")
        raw.close()
        let package = try folder.open()
        for values: [String: FeatureValue] in [
            ["size": .integer(0)], ["name": .text("Vaduz")], ["parent": .integer(5)],
        ] {
            let error = #expect(throws: MapPackageError.self) {
                try package.transaction { edits throws(MapPackageError) in
                    try edits.update(values, of: one, in: "cities")
                }
            }
            #expect(error?.code == .refused)
        }
    }
}
