import Foundation
import MapDocs
import Testing
import TransportCore

struct ReadmeExampleTests {
    @Test("The example of the README runs")
    func example() throws {
        let digest = SoftwareContentDigest()
        let project = Array(#"{"format": "gispad", "version": 1}"#.utf8)
        let database = Array("GPKG".utf8)

        // A camera over Seattle and where it draws the city hall.
        let center = try MapCoordinate(latitude: 47.60621, longitude: -122.33207)
        let camera = try MapCamera(center: center, zoom: 12.4, bearing: 315, pitch: 60)
        let projection = try MapProjection(camera: camera, width: 390, height: 844)
        let point = projection.project(try MapCoordinate(latitude: 47.60395, longitude: -122.32995))
        print(camera.coordinateReadout, camera.zoomReadout, point ?? "behind the camera")

        // The fingerprint of a package's content.
        let files = [
            try PublishedFile(path: "project.json", contents: project, digest: digest),
            try PublishedFile(path: "data.gpkg", contents: database, digest: digest),
        ]
        print(try DocumentFingerprint(of: files, digest: digest))

        #expect(point != nil)
    }

    @Test("Every line of the README's example stands in this file")
    func readmeIsCompiled() throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(readme.components(separatedBy: "<!-- example -->").dropFirst().first)
        let source = try String(contentsOf: here, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("```") }
        #expect(lines.count >= 10)
        for line in lines { #expect(source.contains(line), "\(line)") }
    }
}
