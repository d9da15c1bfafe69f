import Foundation
import MapAuthoring
import MapDocsPeers
import Testing

@Suite("GDAL on new packages", .enabled(if: PeerProgram.path("ogrinfo") != nil, "GDAL is not installed"))
struct AuthoringPeerTests {
    @Test("GDAL reads a new package without a word of warning")
    func reads() throws {
        let folder = try AuthoringFolder()
        let json = #"""
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [18.07, 59.33, 12]},
               "properties": {"n": 9007199254740993, "r": 1.5, "b": true, "t": "Å", "o": {"x": [1]}}},
              {"type": "Feature", "id": "b", "geometry": null, "properties": {"n": null}}]}
            """#
        try folder.make { author throws(MapAuthoringError) in
            try author.importGeoJSON(Array(json.utf8), named: "Places")
            try author.importGeoPackage(fileAt: AuthoringFolder.fixture("countries"))
        }
        let info = try PeerProgram.run("ogrinfo", ["-ro", "-al", folder.package + "/data.gpkg", "Places"])
        #expect(info.status == 0)
        #expect(info.errors.isEmpty, "\(info.errors)")
        for words in [
            "Geometry: 3D Point", "Feature Count: 2", "Extent: (18.070000, 59.330000) - (18.070000, 59.330000)",
            "n: Integer64 (0.0)", "r: Real (0.0)", "b: Integer(Boolean) (0.0)", "t: String (0.0)",
            "n (Integer64) = 9007199254740993", "t (String) = Å", "o (String) = {\"x\":[1]}",
            "POINT Z (18.07 59.33 12)",
        ] {
            #expect(info.output.contains(words), "\(words) in \(info.output)")
        }
        let countries = try PeerProgram.run("ogrinfo", ["-ro", "-so", folder.package + "/data.gpkg", "countries"])
        #expect(countries.errors.isEmpty, "\(countries.errors)")
        #expect(countries.output.contains("Feature Count: 177"))
        #expect(countries.output.contains("Geometry: Multi Polygon"))
        let all = try PeerProgram.run("ogrinfo", ["-ro", folder.package + "/data.gpkg"])
        #expect(
            all.output.components(separatedBy: "\n").filter { $0.contains(": ") && $0.first?.isNumber == true }.count
                == 2
        )
    }
}
