import Foundation
import FoundationXML
import HopeRaster
import HopeTokens
import MapDocs
import MapRendering
import Testing
import TransportCore

struct MapDrawingTests {
    private static let red = style(ColorValue(rgb: 0xFF0000))
    private static let blue = style(ColorValue(rgb: 0x0000FF))

    private static func style(_ color: ColorValue) -> MapLayerStyle {
        MapLayerStyle(fill: color, stroke: color, strokeWidth: 2, radius: 6)
    }

    /// What was drawn, in order.
    private struct RecordingSurface: MapSurface {
        var marks: [String] = []
        var points: [ScreenPoint] = []

        mutating func fill(_ rings: [[ScreenPoint]], color: ColorValue) {
            marks.append("fill \(color.hex) \(rings.map(\.count))")
            points += rings.flatMap { $0 }
        }

        mutating func stroke(_ lines: [[ScreenPoint]], width _: Double, color: ColorValue) {
            marks.append("stroke \(color.hex)")
            points += lines.flatMap { $0 }
        }

        mutating func dot(_ center: ScreenPoint, radius _: Double, color: ColorValue) {
            marks.append("dot \(color.hex)")
            points.append(center)
        }

        mutating func write(_ text: String, at _: ScreenPoint, size _: Double, isCentered _: Bool, color _: ColorValue)
        {
            marks.append("text \(text)")
        }

        mutating func begin(_ name: String) { marks.append("# \(name)") }
    }

    private func package(_ tables: KeyValuePairs<String, [MapGeometry?]>) throws -> InMemoryMapPackage {
        let package = InMemoryMapPackage(
            tables: tables.map {
                FeatureTable(
                    name: $0.key,
                    columns: [
                        FeatureColumn(name: "fid", type: .integer(bits: 64), role: .key),
                        FeatureColumn(name: "uuid", type: .text(maximumLength: nil), role: .identifier),
                        FeatureColumn(name: "geom", type: .geometry, role: .geometry),
                    ],
                    geometryKind: nil
                )
            },
            digest: SoftwareContentDigest()
        )
        try package.transaction { edits throws(MapPackageError) in
            for (table, shapes) in tables {
                for (number, shape) in shapes.enumerated() {
                    try edits.insert(FeatureID("\(table)-\(number)"), geometry: shape, values: [:], into: table)
                }
            }
        }
        return package
    }

    private func snapshot(
        _ latitude: Double = 0,
        _ longitude: Double = 0,
        zoom: Double = 4,
        bearing: Double = 0,
        pitch: Double = 0
    ) throws -> MapSnapshot {
        let center = try MapCoordinate(latitude: latitude, longitude: longitude)
        let camera = try MapCamera(center: center, zoom: zoom, bearing: bearing, pitch: pitch)
        return MapSnapshot(title: "Test", projection: try MapProjection(camera: camera, width: 200, height: 300))
    }

    private func square(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [MapPosition] {
        [(west, south), (east, south), (east, north), (west, north), (west, south)].map {
            MapPosition(longitude: $0.0, latitude: $0.1)
        }
    }

    private func point(_ longitude: Double, _ latitude: Double) -> MapGeometry {
        .point(MapPosition(longitude: longitude, latitude: latitude))
    }

    @Test func `layers lie over each other in their order, then selection, notes and the measured line`() throws {
        var snapshot = try snapshot()
        snapshot.hasFurniture = false
        snapshot.layers = [
            MapSnapshot.Layer(name: "Lower", table: "lower", style: Self.red),
            MapSnapshot.Layer(name: "Upper", table: "upper", style: Self.blue),
        ]
        snapshot.selection = point(0, 0)
        snapshot.notes = [MapSnapshot.Note(anchor: try MapCoordinate(latitude: 1, longitude: 1), text: "Here")]
        snapshot.measured = try [MapCoordinate(latitude: 0, longitude: 0), MapCoordinate(latitude: 1, longitude: 1)]
        var surface = RecordingSurface()
        let package = try package(["lower": [.polygon([square(-1, -1, 1, 1)])], "upper": [point(0, 0)]])
        try MapDrawing(of: snapshot).draw(package, on: &surface)
        #expect(
            surface.marks.filter { $0.hasPrefix("#") } == [
                "# Lower", "# Upper", "# Selection", "# Notes", "# Measured",
            ]
        )
        #expect(Array(surface.marks.prefix(4)) == ["# Lower", "fill FF0000 [4]", "stroke FF0000", "# Upper"])
        #expect(surface.marks.contains("text Here"))
    }

    @Test func `a hole stays open and a point is drawn in the middle`() throws {
        var snapshot = try snapshot()
        snapshot.hasFurniture = false
        snapshot.layers = [MapSnapshot.Layer(name: "Areas", table: "areas", style: Self.red)]
        let holed = MapGeometry.polygon([square(-4, -4, 4, 4), square(-2, -2, 2, 2)])
        var surface = RasterMapSurface(width: 200, height: 300, background: .white)
        try MapDrawing(of: snapshot).draw(try package(["areas": [holed]]), on: &surface)
        let image = surface.image
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(image.pixels[((y * 200 + x) * 4)..<((y * 200 + x) * 4 + 3)]) }
        #expect(pixel(100, 150) == [255, 255, 255])
        // Zoom 4 has 8192 points for 360 degrees, so 3° are 68 points.
        #expect(pixel(100 + 68, 150) == [255, 0, 0])
        #expect(pixel(3, 3) == [255, 255, 255])
    }

    @Test(arguments: [179.99, -179.99], [180.0, -180.0, 179.5, -179.5])
    func `what lies beside the antimeridian is drawn on both of its sides`(longitude: Double, center: Double) throws {
        var snapshot = try snapshot(0, center, zoom: 7)
        snapshot.hasFurniture = false
        snapshot.layers = [MapSnapshot.Layer(name: "Points", table: "points", style: Self.red)]
        var surface = RecordingSurface()
        try MapDrawing(of: snapshot).draw(try package(["points": [point(longitude, 0)]]), on: &surface)
        #expect(surface.marks.count { $0.hasPrefix("dot") } == 2)
        #expect(surface.points.allSatisfy { (-100...300).contains($0.x) })
    }

    @Test(arguments: [0.0, 60], [0.0, 30, 200])
    func `a country at street level is cut to the picture`(pitch: Double, bearing: Double) throws {
        var snapshot = try snapshot(10, 10, zoom: 22, bearing: bearing, pitch: pitch)
        snapshot.layers = [MapSnapshot.Layer(name: "Areas", table: "areas", style: Self.red)]
        snapshot.selection = .polygon([square(-170, -90, 170, 90)])
        var surface = RecordingSurface()
        try MapDrawing(of: snapshot).draw(
            try package(["areas": [.polygon([square(-170, -90, 170, 90)])]]),
            on: &surface
        )
        #expect(surface.marks.contains { $0.hasPrefix("fill FF0000") })
        #expect(surface.points.allSatisfy { (-400...600).contains($0.x) && (-400...700).contains($0.y) })
    }

    @Test func `shapes that are empty or no places draw nothing and crash nothing`() throws {
        let odd = MapPosition(longitude: .nan, latitude: .infinity)
        var snapshot = try snapshot(0, 0, zoom: 1, pitch: 60)
        snapshot.hasFurniture = false
        snapshot.layers = [MapSnapshot.Layer(name: "Odd", table: "odd", style: Self.red)]
        snapshot.selection = .collection([.point(nil), .polygon([]), .lineString([odd, odd])])
        var surface = RecordingSurface()
        let shapes: [MapGeometry?] = [nil, .point(nil), .lineString([]), .polygon([[]]), .collection([])]
        try MapDrawing(of: snapshot).draw(try package(["odd": shapes]), on: &surface)
        #expect(surface.points.isEmpty)
    }

    @Test func `furniture is the graticule, the scale bar with its length and the north arrow`() throws {
        var surface = RecordingSurface()
        try MapDrawing(of: try snapshot(47.6, 11, zoom: 10)).draw(nil, on: &surface)
        #expect(surface.marks.contains("# Scale bar") && surface.marks.contains("# North arrow"))
        #expect(surface.marks.contains("text N"))
        #expect(surface.marks.contains("text 47.6°N") && surface.marks.contains("text 11°E"))
        #expect(surface.marks.contains { $0.hasPrefix("text ") && $0.hasSuffix(" km") })
    }

    @Test(arguments: [0.0, 90, 200])
    func `the north arrow points where north is on the screen`(bearing: Double) throws {
        let snapshot = try snapshot(47.6, 11, zoom: 10, bearing: bearing)
        var surface = SVGMapSurface(width: 200, height: 300, background: .white)
        try MapDrawing(of: snapshot).draw(nil, on: &surface)
        let arrow = surface.document(title: "").split(separator: "North arrow")[1]
        let numbers = arrow.split(separator: "M")[1].prefix { $0 != "Z" }
            .split { $0 == " " || $0 == "L" }.compactMap { Double($0) }
        let middle = snapshot.projection.centerPoint
        let north = try #require(snapshot.projection.project(try MapCoordinate(latitude: 47.7, longitude: 11)))
        let turn = atan2(north.x - middle.x, middle.y - north.y)
        let arrowTurn = atan2(numbers[0] - 170, 32 - numbers[1])
        #expect(abs((turn - arrowTurn).remainder(dividingBy: 2 * .pi)) < 0.01)
    }

    @Test func `an SVG is well formed whatever people write`() throws {
        var snapshot = try snapshot()
        snapshot.notes = [
            MapSnapshot.Note(
                anchor: try MapCoordinate(latitude: 0, longitude: 0),
                target: try MapCoordinate(latitude: 2, longitude: 2),
                text: "<script>alert(\"&\")</script>\u{1B}[31m\u{0}\n👩‍👩‍👧‍👦 zweite Zeile ]]>"
            )
        ]
        var surface = SVGMapSurface(width: 200, height: 300, background: .white)
        try MapDrawing(of: snapshot).draw(nil, on: &surface)
        let reader = TextReader()
        let parser = XMLParser(data: Data(surface.document(title: "A & B <c>").utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(reader.elements["script"] == nil)
        #expect(reader.texts.contains("<script>alert(\"&\")</script>\u{FFFD}[31m\u{FFFD}"))
        #expect(reader.texts.contains("👩‍👩‍👧‍👦 zweite Zeile ]]>"))
        #expect(reader.texts.first == "A & B <c>")
    }

    @Test func `the same map is the same bytes, as SVG and as PNG`() throws {
        var snapshot = try snapshot(10, 20, zoom: 5, bearing: 30, pitch: 45)
        snapshot.layers = [MapSnapshot.Layer(name: "Areas", table: "areas", style: Self.blue)]
        let package = try package(["areas": [.polygon([square(15, 5, 25, 15)])]])
        func draw() throws -> (String, [UInt8]) {
            var vector = SVGMapSurface(width: 200, height: 300, background: snapshot.background)
            try MapDrawing(of: snapshot).draw(package, on: &vector)
            var raster = RasterMapSurface(width: 200, height: 300, background: snapshot.background)
            try MapDrawing(of: snapshot).draw(package, on: &raster)
            return (vector.document(title: "x"), raster.image.pixels)
        }
        let (first, second) = (try draw(), try draw())
        #expect(first == second)
        #expect(Set(first.1).count > 3)
    }
}

/// Collects what an XML parser reads.
private final class TextReader: NSObject, XMLParserDelegate {
    var elements: [String: Int] = [:]
    var texts: [String] = []
    private var text = ""

    func parser(
        _: XMLParser,
        didStartElement name: String,
        namespaceURI _: String?,
        qualifiedName _: String?,
        attributes _: [String: String]
    ) {
        elements[name, default: 0] += 1
        text = ""
    }

    func parser(_: XMLParser, foundCharacters string: String) { text += string }

    func parser(_: XMLParser, didEndElement _: String, namespaceURI _: String?, qualifiedName _: String?) {
        if !text.isEmpty { texts.append(text) }
        text = ""
    }
}
