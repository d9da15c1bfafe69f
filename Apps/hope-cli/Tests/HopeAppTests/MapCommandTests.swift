import Foundation
import HopeApp
import Testing

/// Map commands on a folder store and real GeoPackages, as people run them.
struct MapCommandTests {
    /// A store with the project Harbour, and devices with a home of their own.
    private struct Shore {
        let folder: URL

        func run(_ home: String, _ words: String...) async throws -> ToolRun { try await run(home, words) }

        func run(_ home: String, _ words: [String]) async throws -> ToolRun {
            let maps = MapBackends.live(
                home: folder.appendingPathComponent(home).path,
                secrets: folder.appendingPathComponent("secrets").path
            )
            let places = words.first == "import" ? [] : ["--store", "folder:\(folder.path)/store"]
            return try await ToolRun(["map"] + words + places, maps: maps)
        }

        func json(_ home: String, _ words: String...) async throws -> [String: Any] {
            let maps = MapBackends.live(
                home: folder.appendingPathComponent(home).path,
                secrets: folder.appendingPathComponent("secrets").path
            )
            let run = try await ToolRun(
                ["map"] + words + ["--json", "--store", "folder:\(folder.path)/store"],
                maps: maps
            )
            return try ToolRun.object(try #require(run.lines.first, "\(words): \(run.messages)"))
        }
    }

    private func withShore(_ body: (Shore) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let shore = Shore(folder: folder)
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("store"),
                withIntermediateDirectories: true
            )
            let files = ["basins", "piers", "buoys"].map {
                ToolRun.samples.appendingPathComponent("\($0).geojson").path
            }
            let made = try await ToolRun(
                ["map", "import"] + files + ["--into", "\(folder.path)/store/Harbour.gispad"],
                maps: .live(home: folder.path, secrets: folder.path)
            )
            try #require(made.status == 0, "\(made.messages)")
            try await body(shore)
        }
    }

    @Test func `a value that is set back is no change`() async throws {
        try await withShore { shore in
            let first = try await shore.run("phone", "set", "Harbour", "buoys", "1", "light=amber", "period_s=6")
            #expect(first.lines == ["2 changes to publish"])
            let back = try await shore.run("phone", "set", "Harbour", "buoys", "1", "light=red", "period_s=3")
            #expect(back.lines == ["0 changes to publish"])
        }
    }

    @Test func `no value and empty text are different and both are pending`() async throws {
        try await withShore { shore in
            _ = try await shore.run("phone", "set", "Harbour", "buoys", "1", "light=", "period_s:null")
            let pending = try await shore.json("phone", "pending", "Harbour")
            let changes = try #require(pending["changes"] as? [[String: Any]])
            let to = Dictionary(uniqueKeysWithValues: changes.map { ($0["column"] as? String, $0["to"]) })
            #expect(to["light"] as? String == "")
            #expect(to["period_s"] is NSNull)
        }
    }

    @Test func `of two homes one publishes, the other gets a conflict with a comparison and keeps both`() async throws {
        try await withShore { shore in
            _ = try await shore.run("phone", "open", "Harbour")
            _ = try await shore.run("tablet", "open", "Harbour")
            _ = try await shore.run("phone", "set", "Harbour", "buoys", "1", "light=amber")
            _ = try await shore.run("tablet", "set", "Harbour", "buoys", "1", "light=blue")
            _ = try await shore.run("tablet", "note", "Harbour", "--at", "60.15,24.92", "--text", "Here")
            let published = try await shore.json("phone", "publish", "Harbour")
            #expect(published["outcome"] as? String == "published")
            #expect(published["revision"] as? Int == 1)

            let refused = try await shore.run("tablet", "publish", "Harbour")
            #expect(refused.status == 3)
            #expect(refused.output.contains("There: light of “Buoy 1” in buoys: red → amber. Here:"))
            #expect(refused.messages.contains("Nothing was written"))
            let conflict = try await shore.json("tablet", "publish", "Harbour")
            let comparison = try #require(conflict["comparison"] as? [String: Any])
            #expect((comparison["theirs"] as? [Any])?.count == 1)
            #expect((comparison["ours"] as? [Any])?.count == 2)
            #expect((comparison["both"] as? [Any])?.count == 1)
            #expect(try await shore.json("tablet", "status", "Harbour")["state"] as? String == "conflict")

            let cancelled = try await shore.json("tablet", "resolve", "Harbour", "cancel")
            #expect(cancelled["outcome"] as? String == "cancelled")
            #expect(try await shore.json("tablet", "status", "Harbour")["changes"] as? Int == 2)
            let copied = try await shore.json("tablet", "resolve", "Harbour", "copy")
            let copy = try #require(copied["copy"] as? String)
            #expect(copy.hasPrefix("Harbour (conflict copy, "))
            let library = try await shore.json("tablet", "library")
            let names = try #require(library["documents"] as? [[String: Any]]).compactMap { $0["name"] as? String }
            #expect(names == [copy, "Harbour"])
            let kept = try await shore.json("tablet", "inspect", copy, "buoys", "1")
            let attributes = try #require(kept["attributes"] as? [[String: Any]])
            #expect(attributes.contains { $0["column"] as? String == "light" && $0["value"] as? String == "blue" })
        }
    }

    @Test func `reloading says which changes are lost`() async throws {
        try await withShore { shore in
            for home in ["phone", "tablet"] {
                _ = try await shore.run(home, "set", "Harbour", "buoys", "2", "light=\(home)")
            }
            _ = try await shore.run("phone", "publish", "Harbour")
            let reloaded = try await shore.run("tablet", "resolve", "Harbour", "reload")
            #expect(reloaded.lines == ["lost: light of “Buoy 2” in buoys: green → tablet", "reloaded"])
            #expect(try await shore.json("tablet", "status", "Harbour")["state"] as? String == "synced")
            let again = try await shore.run("tablet", "resolve", "Harbour", "reload")
            #expect(again.status == 1)
            #expect(again.messages.contains("has no conflict"))
        }
    }

    @Test func `a planted secret stops the publish, is located and not printed`() async throws {
        try await withShore { shore in
            let token = "Bearer abcdefghijklmnop0123456789"
            _ = try await shore.run("phone", "note", "Harbour", "--at", "60.15,24.92", "--text", "use \(token)")
            let refused = try await shore.run("phone", "publish", "Harbour")
            #expect(refused.status == 1)
            #expect(refused.messages.contains("data.gpkg"))
            #expect(!(refused.messages + refused.output).contains("abcdefghijklmnop"))
            #expect(try await shore.json("phone", "status", "Harbour")["changes"] as? Int == 1)
            #expect(try await shore.json("tablet", "status", "Harbour")["remote"] != nil)
        }
    }

    @Test func `dropping a working copy names what is lost and wants a yes`() async throws {
        try await withShore { shore in
            _ = try await shore.run("phone", "hide", "Harbour", "piers")
            let asked = try await shore.run("phone", "discard", "Harbour")
            #expect(asked.status == 1)
            #expect(asked.messages.contains("1 change to “Harbour” will be lost"))
            #expect(try await shore.json("phone", "status", "Harbour")["changes"] as? Int == 1)
            let dropped = try await shore.run("phone", "discard", "Harbour", "--yes")
            #expect(dropped.status == 0)
            #expect(try await shore.json("phone", "status", "Harbour")["state"] as? String == "available")
        }
    }

    @Test func `bookmarks and the camera come back equal to the bit`() async throws {
        try await withShore { shore in
            let camera = "--center 60.1535,24.9255 --zoom 16.53 --bearing 315 --pitch 60".split(separator: " ")
            let saving = ["bookmark", "Harbour", "save", "Quay"] + camera.map(String.init)
            #expect(try await shore.run("phone", saving).status == 0)
            _ = try await shore.run("phone", "publish", "Harbour")
            let listed = try await shore.json("tablet", "bookmark", "Harbour", "list")
            let kept = try #require((listed["bookmarks"] as? [[String: Any]])?.first?["camera"] as? [String: Double])
            #expect(kept == ["lat": 60.1535, "lon": 24.9255, "zoom": 16.53, "bearing": 315, "pitch": 60])
            let renamed = try await shore.run("tablet", "bookmark", "Harbour", "rename", "Quay", "Pier")
            #expect(renamed.lines == ["1 change to publish"])
            let back = try await shore.run("tablet", "bookmark", "Harbour", "rename", "Pier", "Quay")
            #expect(back.lines == ["0 changes to publish"])
            let flown = try await shore.json("tablet", "fly-to", "Harbour", "--bookmark", "Quay")
            #expect(flown["zoom"] as? Double == 16.53)
            #expect(try await shore.json("tablet", "status", "Harbour")["changes"] as? Int == 0)
        }
    }

    @Test func `a package by its path is looked at where it lies and a tap hits what is there`() async throws {
        try await withShore { shore in
            let path = "\(shore.folder.path)/store/Harbour.gispad"
            let tapped = try await shore.json(
                "phone",
                "tap",
                path,
                "--at",
                "195,422",
                "--center",
                "60.149727,24.918641",
                "--zoom",
                "16"
            )
            let hit = try #require(tapped["hit"] as? [String: Any])
            #expect(hit["title"] as? String == "Buoy 1")
            #expect((hit["distance_pt"] as? Double ?? 99) < 0.001)
            let empty = try await shore.json("phone", "tap", path, "--at", "1,1", "--center", "0,0", "--zoom", "16")
            #expect(empty["hit"] is NSNull)
            let homes = try FileManager.default.contentsOfDirectory(atPath: shore.folder.path)
            #expect(!homes.contains("phone"), "nothing was fetched")
        }
    }

    @Test func `snapshots are SVG with text and PNG, from above unless tilted`() async throws {
        try await withShore { shore in
            let path = "\(shore.folder.path)/store/Harbour.gispad"
            for name in ["map.svg", "map.png"] {
                let out = shore.folder.appendingPathComponent(name)
                let drawn = try await shore.run("phone", "snapshot", path, "--size", "200x300", "--out", out.path)
                #expect(drawn.status == 0, "\(drawn.messages)")
                let bytes = try Data(contentsOf: out)
                #expect(
                    bytes.starts(with: name.hasSuffix("svg") ? Data("<?xml".utf8) : Data([0x89, 0x50, 0x4E, 0x47]))
                )
            }
            let svg = try String(contentsOf: shore.folder.appendingPathComponent("map.svg"), encoding: .utf8)
            #expect(svg.contains("<title>buoys</title>") && svg.contains("<text"))
        }
    }

    @Test func `the workspace's screen model speaks every control`() async throws {
        try await withShore { shore in
            let path = "\(shore.folder.path)/store/Harbour.gispad"
            let screen = try await shore.json("phone", "workspace", path, "--select", "basins/1")
            #expect(
                Set(screen.keys).isSuperset(of: [
                    "status_pod", "save", "cluster", "sheet", "selection", "measure", "readout", "navigation", "toasts",
                    "spoken",
                ])
            )
            let spoken = try #require(screen["spoken"] as? [String])
            #expect(spoken.contains("Harbour, iCloud, synced"))
            #expect(spoken.contains { $0.hasPrefix("West basin, layer basins, Polygon, 9 vertices") })
        }
    }

    @Test func `measuring and the camera print metres, points and degrees`() async throws {
        try await withShore { shore in
            // GeodSolve and Planimeter of GeographicLib 2.1.2.
            let line = try await ToolRun("map", "measure", "--points", "47.6,-122.3 35.7,139.7", "--json")
            let measured = try ToolRun.object(try #require(line.lines.first))
            #expect(abs((measured["length_m"] as? Double ?? 0) - 7_716_240.636_425_2) < 1e-6)
            #expect(measured["area_m2"] is NSNull && measured["perimeter_m"] is NSNull)
            let center = ["--center", "47.6,-122.3", "--zoom", "12", "--json"]
            let middle = try await ToolRun(["map", "camera", "--project", "47.6,-122.3"] + center)
            #expect(middle.lines == [#"{"x":195,"y":422}"#])
            let place = try await ToolRun(["map", "camera", "--unproject", "195,422"] + center)
            #expect(place.lines == [#"{"lat":47.6,"lon":-122.3}"#])
        }
    }

    @Test func `a column whose name has an equals sign can be set and emptied`() async throws {
        try await withShore { shore in
            let file = shore.folder.appendingPathComponent("odd.geojson")
            let text = #"""
                {"type":"Feature","properties":{"a":"x","a=b":"y"},"geometry":{"type":"Point","coordinates":[1,2]}}
                """#
            try text.write(to: file, atomically: true, encoding: .utf8)
            _ = try await shore.run("phone", "import", file.path, "--into", "\(shore.folder.path)/store/Odd.gispad")
            let set = try await shore.run("phone", "set", "Odd", "odd", "1", "a=b=c", "a=1")
            #expect(set.lines == ["2 changes to publish"], "\(set.messages)")
            _ = try await shore.run("phone", "set", "Odd", "odd", "1", "a=b:null")
            let inspected = try await shore.json("phone", "inspect", "Odd", "odd", "1")
            let attributes = try #require(inspected["attributes"] as? [[String: Any]])
            let values = Dictionary(uniqueKeysWithValues: attributes.map { ($0["column"] as? String, $0["value"]) })
            #expect(values["a"] as? String == "1")
            #expect(values["a=b"] is NSNull)
        }
    }

    @Test(arguments: ["layers", "open"])
    func `a path where no project is is named as it is, not as something a store has lost`(verb: String) async throws {
        try await withShore { shore in
            let path = "\(shore.folder.path)/store/None.gispad"
            let run = try await shore.run("phone", verb, path)
            #expect(run.status == 4)
            #expect(run.messages.contains("there is no project “\(path)”"))
        }
    }

    private static let mistakes: [([String], Int32)] = [
        (["open", "Nowhere"], 4), (["open", ".."], 2), (["layers", "/nowhere/World.gispad"], 4),
        (["set", "Harbour", "buoys", "1"], 2), (["set", "Harbour", "bouys", "1", "light=x"], 4),
        (["set", "Harbour", "buoys", "99", "light=x"], 4), (["set", "Harbour", "buoys", "1", "period_s=often"], 2),
        (["note", "Harbour", "--at", "91,0", "--text", "x"], 2), (["note", "Harbour", "--text", "x"], 2),
        (["note", "Harbour", "--at", "1,1", "--text", " "], 2), (["resolve", "Harbour", "relaod"], 2),
        (["bookmark", "Harbour", "delete", "none"], 4), (["bookmark", "Harbour", "svae", "x"], 2),
        (["tap", "Harbour"], 2),
        (["snapshot", "Harbour", "--out", "x.gif"], 2), (["measure", "--points", "1,1"], 2),
        (["camera", "--zoom", "3", "--project", "1,1"], 2), (["import", "none.geojson"], 2),
    ]

    @Test(arguments: mistakes)
    func `a mistake is named in one sentence with its exit status`(words: [String], status: Int32) async throws {
        try await withShore { shore in
            let maps = MapBackends.live(
                home: shore.folder.appendingPathComponent("phone").path,
                secrets: "/nonexistent"
            )
            let takesStore = !["measure", "camera", "import"].contains(words[0])
            let places = takesStore ? ["--store", "folder:\(shore.folder.path)/store"] : []
            let run = try await ToolRun(["map"] + words + places, maps: maps)
            #expect(run.status == status, "\(run.messages)")
            #expect(run.messages.split(separator: "\n").count == 1)
            #expect(run.output.isEmpty)
        }
    }
}
