import MapDocs
import Testing
import TransportCore

struct MapProjectTests {
    private func project(_ text: String) throws -> MapProject {
        try MapProject(parsing: Array(text.utf8))
    }

    /// A project with members of another program at every level, and digits that no program would write again.
    private static let foreign = #"""
        {"format":"gispad","version":1,"x_first":{"deep":[1.50,1e2,null]},"id":"p1","name":"Harbour",
         "revision":{"number":5,"x_by":"QGIS","fingerprint":"","published_at":1.0},
         "camera":{"center":[-122.330,47.6],"zoom":12.40,"x_roll":3},
         "basemap":{"preset":"standard","x_contrast":0.10},
         "layers":[7,{"id":"l1","table":"parcels","visible":true,"style":{"fill":"teal","x_dash":[2,1]},"x_note":"é"},
                   {"x_group":"no table"}],
         "bookmarks":[{"id":"b1","name":"Dock","camera":{"center":[1,2]},"x_icon":"⚓"},{"x_folder":true}],
         "x_last":"end"}
        """#

    @Test("Members of other programs survive changes at every level, in their order and with their digits (case 25)")
    func keepsUnknown() throws {
        var project = try project(Self.foreign)
        project.updateLayer("l1") { $0.isVisible = false }
        project.updateBookmark("b1") { $0.name = "Quay" }
        project.basemap = .satellite
        project.camera = try MapCamera(center: MapCoordinate(latitude: 1, longitude: 2), zoom: 3)
        let fingerprint = try #require(DocumentFingerprint(sha256: String(repeating: "a", count: 64)))
        project.setRevision(
            DocumentRevision(number: 6, fingerprint: fingerprint, publishedAt: 9.5, publishedBy: "Phone")
        )
        let expected =
            #"{"format":"gispad","version":1,"x_first":{"deep":[1.50,1e2,null]},"id":"p1","name":"Harbour","#
            + #""revision":{"number":6,"x_by":"QGIS","fingerprint":"\#(fingerprint.sha256)","published_at":9.5,"#
            + #""published_by":"Phone"},"#
            + #""camera":{"center":[2,1],"zoom":3,"x_roll":3,"bearing":0,"pitch":0},"#
            + #""basemap":{"preset":"satellite","x_contrast":0.10},"#
            + #""layers":[7,{"id":"l1","table":"parcels","visible":false,"style":{"fill":"teal","x_dash":[2,1]},"#
            + #""x_note":"é"},{"x_group":"no table"}],"#
            + #""bookmarks":[{"id":"b1","name":"Quay","camera":{"center":[1,2]},"x_icon":"⚓"},{"x_folder":true}],"#
            + #""x_last":"end"}"#
        #expect(project.json.text == expected)
        #expect(try MapProject(parsing: project.bytes) == project)
    }

    @Test("Setting what is there already changes no byte")
    func settingTheSame() throws {
        var project = try project(Self.foreign)
        let before = project.bytes
        project.updateLayer("l1") { $0.isVisible = true }
        project.updateBookmark("b1") { $0.name = "Dock" }
        project.basemap = .standard
        project.camera = project.camera
        #expect(project.bytes == before)
    }

    @Test("Missing parts have defaults")
    func defaults() throws {
        let project = try project(#"{"layers":[{"table":"wells"}],"camera":{"center":[1,2],"zoom":4}}"#)
        let layer = try #require(project.layers.first)
        #expect(layer.id == "wells" && layer.name == "wells" && layer.role == .authoritative)
        #expect(layer.isVisible && !layer.isLocked && layer.geometryKind == nil && layer.style == MapStyle())
        #expect(project.revisionNumber == 0 && project.publishedAt == nil && project.claimedFingerprint == nil)
        #expect(project.camera?.pitch == 0 && project.camera?.bearing == 0)
        #expect(project.bookmarks.isEmpty && project.basemap == .standard && project.name == nil)
        #expect(project.readOnlyReason == nil)
    }

    @Test(
        "A newer format can be looked at but not changed",
        arguments: [("1", false), ("0", false), ("null", false), ("2", true), ("1.5", true), ("\"1\"", true)]
    )
    func version(text: String, isNewer: Bool) throws {
        let reason = try project(#"{"version":\#(text)}"#).readOnlyReason
        #expect((reason != nil) == isNewer)
        if isNewer { #expect(reason?.contains("newer version of the app (format \(text)") == true) }
    }

    @Test(
        "What is no project is refused by name",
        arguments: ["", "[]", "7", #"{"format":"other"}"#, #"{"a":1,"a":2}"#, #"{"id":"#]
    )
    func refuses(text: String) {
        #expect {
            _ = try project(text)
        } throws: { error in
            (error as? MapPackageError)?.code == .damaged && "\(error)".hasPrefix("“project.json” cannot be used: ")
        }
    }

    @Test(
        "A bookmark's camera comes back equal to the bit (case 21)",
        arguments: [(315, 60, 16.53), (0.1, 1e-300, 0.1 + 0.2), (359.99999999999994, 59.99999999999999, 22), (7, 0, 0)]
    )
    func exactCameras(bearing: Double, pitch: Double, zoom: Double) throws {
        let center = try MapCoordinate(latitude: 47.606209999999997, longitude: -0.0)
        let camera = try MapCamera(center: center, zoom: zoom, bearing: bearing, pitch: pitch)
        var project = MapProject(id: "p", name: "P")
        project.addBookmark(MapBookmark(id: "b", name: "Here", camera: camera))
        let read = try #require(try MapProject(parsing: project.bytes).bookmark("b")?.camera)
        func bits(_ camera: MapCamera) -> [UInt64] {
            [camera.center.latitude, camera.center.longitude, camera.zoom, camera.bearing, camera.pitch].map(
                \.bitPattern
            )
        }
        #expect(bits(read) == bits(camera))
    }

    @Test("A basemap that was chosen elsewhere is kept and named")
    func otherBasemap() throws {
        let text = #"{"preset":"pmtiles","name":"Our tiles","url":"https://tiles.example/x"}"#
        let project = try project(#"{"basemap":\#(text)}"#)
        #expect(project.basemap.name == "Our tiles")
        #expect(project.json.text == #"{"basemap":\#(text)}"#)
        #expect(try self.project(#"{"basemap":"topo"}"#).basemap.name == "topo")
    }

    @Test("No text makes reading or changing stop the process", arguments: 0..<8)
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let source = Array(Self.foreign.utf8)
        for _ in 0..<60 {
            var bytes = source
            for _ in 0...random.nextInt(below: 3) {
                let index = random.nextInt(below: bytes.count)
                switch random.nextInt(below: 3) {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: index)
                default: bytes.insert(contentsOf: source.dropFirst(index).prefix(9), at: index)
                }
            }
            guard var project = try? MapProject(parsing: bytes) else { continue }
            for layer in project.layers { project.updateLayer(layer.id) { $0.isVisible.toggle() } }
            for bookmark in project.bookmarks { project.removeBookmark(bookmark.id) }
            project.basemap = .satellite
            #expect(throws: Never.self, "seed \(seed)") { try MapProject(parsing: project.bytes) }
        }
    }
}
