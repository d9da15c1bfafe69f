import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

struct GeoPackageReadingTests {
    @Test("A GeoPackage made by GDAL is described as it is")
    func describes() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open(for: .reading)
        let tables = try package.tables()
        #expect(tables.map(\.name) == ["countries"])
        let table = try #require(tables.first)
        #expect(table.geometryKind == .multiPolygon)
        #expect(table.spatialReference == 4326)
        #expect(table.hasSpatialIndex)
        #expect(table.lockReason == nil)
        #expect(table.columns.map(\.name) == ["fid", "geom", "pop_est", "continent", "name", "iso_a3", "gdp_md_est"])
        #expect(table.columns.map(\.role) == [.key, .geometry] + Array(repeating: .attribute, count: 5))
        #expect(
            table.columns.map(\.type) == [
                .integer(bits: 64), .geometry, .double, .text(maximumLength: 80), .text(maximumLength: 80),
                .text(maximumLength: 80), .integer(bits: 64),
            ]
        )
        #expect(table.columns.allSatisfy { !$0.isRequired })
        #expect(try package.featureCount(in: "countries") == 177)
    }

    // What ogrinfo prints of this feature, with all digits as Python unpacks them.
    @Test("Features have the values and the shapes that GDAL shows")
    func features() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open(for: .reading)
        let fiji = try #require(try package.feature(FeatureID("1"), in: "countries"))
        #expect(fiji.key == 1)
        #expect(fiji.values["name"] == .text("Fiji"))
        #expect(fiji.values["pop_est"] == .real(889_953))
        #expect(fiji.values["gdp_md_est"] == .integer(5496))
        #expect(fiji.values.count == 5)
        guard case .multiPolygon(let polygons) = fiji.geometry else {
            Issue.record("\(String(describing: fiji.geometry))")
            return
        }
        #expect(polygons.count == 3)
        #expect(polygons[0][0][0] == MapPosition(longitude: 180, latitude: -16.067132663642447))
        #expect(polygons.allSatisfy { $0.allSatisfy { $0.first == $0.last } })
        #expect(try package.feature(FeatureID("0"), in: "countries") == nil)
        #expect(try package.feature(FeatureID("01"), in: "countries") == nil)
        #expect(try package.feature(FeatureID("Fiji"), in: "countries") == nil)
        #expect(try package.feature(withKey: 177, in: "countries")?.id == FeatureID(key: 177))
    }

    @Test("Features come in the order of their keys, as much of each as was asked for")
    func queries() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open(for: .reading)
        var keys: [Int64] = []
        let query = FeatureQuery(afterKey: 100, columns: [], includesGeometry: false)
        try package.readFeatures(in: "cities", query) { feature in
            #expect(feature.values.isEmpty && feature.geometry == nil)
            keys.append(feature.key)
            return keys.count < 50
        }
        #expect(keys == Array(101...150))
        let error = #expect(throws: MapPackageError.self) {
            try package.readFeatures(in: "cities", FeatureQuery(columns: ["nam"])) { _ in true }
        }
        #expect(error?.code == .noColumn)
    }

    @Test(
        "A query by box finds what a comparison of every shape finds, with and without an index",
        arguments: [true, false]
    )
    func boxes(hasIndex: Bool) throws {
        let folder = try TestFolder("countries")
        if !hasIndex { try folder.raw("DELETE FROM gpkg_extensions").close() }
        let package = try folder.open(for: .reading)
        #expect(try package.tables().first?.hasSpatialIndex == hasIndex)
        var all: [Int64: MapBounds] = [:]
        try package.readFeatures(in: "countries", FeatureQuery()) { feature in
            all[feature.key] = feature.geometry?.bounds
            return true
        }
        #expect(all.count == 177)
        for box in [
            MapBounds(west: 5, south: 45, east: 11, north: 48), MapBounds(west: -180, south: -90, east: 180, north: 90),
            MapBounds(west: 179.9, south: -20, east: 180, north: -10),
            MapBounds(west: 0, south: 88, east: 1, north: 89),
        ] {
            var found: [Int64] = []
            try package.readFeatures(in: "countries", FeatureQuery(bounds: box, columns: [])) { feature in
                found.append(feature.key)
                return true
            }
            #expect(found == all.filter { $0.value.intersects(box) }.keys.sorted())
        }
        var boxes: [Int64: MapBounds] = [:]
        try package.readBounds(in: "countries") { key, box in boxes[key] = box }
        #expect(boxes.keys.sorted() == all.keys.sorted())
        for (key, box) in boxes {
            let exact = try #require(all[key])
            #expect(
                box.west <= exact.west && box.east >= exact.east && box.south <= exact.south && box.north >= exact.north
            )
            #expect(abs(box.west - exact.west) < 1e-4 && abs(box.north - exact.north) < 1e-4)
        }
    }

    @Test("A call can be made from within another's closure, and a closed package says so")
    func nests() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        var names: [FeatureValue?] = []
        try package.readFeatures(in: "cities", FeatureQuery(columns: [])) { feature throws(MapPackageError) in
            names.append(try package.feature(feature.id, in: "cities")?.values["name"])
            return names.count < 3
        }
        #expect(names == [.text("Vatican City"), .text("San Marino"), .text("Vaduz")])
        package.close()
        package.close()
        let error = #expect(throws: MapPackageError.self) { try package.tables() }
        #expect(error?.code == .closed)
    }

    @Test("Tables that are not there are named")
    func noTable() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open(for: .reading)
        let error = #expect(throws: MapPackageError.self) { try package.featureCount(in: "towns") }
        #expect(error?.code == .noTable)
        #expect(error?.message == "“data.gpkg” has no feature table “towns”; reload the project.")
    }

    @Test("Opening for reading leaves no trace")
    func traceless() throws {
        let folder = try TestFolder("cities")
        try folder.raw("PRAGMA journal_mode = WAL; UPDATE cities SET name = name WHERE fid = 1").close()
        let before = try folder.bytes()
        #expect(before[18...19] == [2, 2])
        let package = try folder.open(for: .reading)
        #expect(try package.featureCount(in: "cities") == 243)
        #expect(package.readOnlyReason != nil)
        let error = #expect(throws: MapPackageError.self) { try package.transaction { _ in } }
        #expect(error?.code == .readOnly)
        package.close()
        #expect(try folder.names == ["data.gpkg"])
        #expect(try folder.bytes() == before)
    }

    @Test("Case 11: a log that came along with a package is not replayed")
    func foreignLog() throws {
        let folder = try TestFolder("cities")
        let other = try folder.raw(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; UPDATE cities SET name = 'INTRUDER'"
        )
        #expect(try folder.names == ["data.gpkg", "data.gpkg-shm", "data.gpkg-wal"])
        let package = try folder.open(for: .reading)
        #expect(try package.feature(FeatureID("1"), in: "cities")?.values["name"] == .text("Vatican City"))
        let copy = folder.path + "/copy.gpkg"
        try package.copyDatabase(to: copy)
        let data = try Data(contentsOf: URL(fileURLWithPath: copy))
        #expect(data.range(of: Data("INTRUDER".utf8)) == nil)
        other.close()
    }
}
