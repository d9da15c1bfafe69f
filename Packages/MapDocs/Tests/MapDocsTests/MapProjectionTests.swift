import Foundation
import MapDocs
import Testing
import TransportCore

struct MapProjectionTests {
    /// The columns that every reference table begins with.
    private func projection(_ row: [Double]) throws -> MapProjection {
        let camera = try MapCamera(
            center: MapCoordinate(latitude: row[0], longitude: row[1]),
            zoom: row[2],
            bearing: row[3],
            pitch: row[4]
        )
        return try MapProjection(camera: camera, width: row[5], height: row[6])
    }

    private func tolerance(_ projection: MapProjection, _ magnitude: Double) -> Double {
        // Far outside the viewport only the relative error is meaningful.
        max(projection.camera.zoom > 18 ? 1e-5 : 1e-6, magnitude * 1e-12)
    }

    @Test("Places are drawn where MapLibre's matrices put them")
    func projects() throws {
        let table = try ReferenceTable("projection_reference")
        #expect(table.rows.count > 250)
        for row in table.rows {
            let projection = try projection(row.prefix(9).compactMap(Double.init))
            let place = try MapCoordinate(
                latitude: #require(Double(row[7])),
                longitude: #require(Double(row[8]))
            )
            let point = projection.project(place)
            guard let x = Double(row[9]), let y = Double(row[10]) else {
                #expect(point == nil, "behind the camera: \(row)")
                continue
            }
            let found = try #require(point, "\(row)")
            #expect(abs(found.x - x) < tolerance(projection, hypot(x, y)), "\(row) \(found)")
            #expect(abs(found.y - y) < tolerance(projection, hypot(x, y)), "\(row) \(found)")
        }
    }

    @Test("Points lie over the places where MapLibre's rays meet the ground, and over none above the horizon")
    func unprojects() throws {
        let table = try ReferenceTable("unprojection_reference")
        #expect(table.rows.count > 250)
        for row in table.rows {
            let projection = try projection(row.prefix(7).compactMap(Double.init))
            let point = ScreenPoint(x: try #require(Double(row[7])), y: try #require(Double(row[8])))
            let place = projection.unproject(point)
            guard let latitude = Double(row[9]), let longitude = Double(row[10]) else {
                #expect(place == nil, "above the horizon: \(row)")
                continue
            }
            let found = try #require(place, "\(row)")
            let pointsPerDegree = projection.worldSize / 360
            let east = (longitude - projection.camera.center.longitude) * pointsPerDegree
            let north = (latitude - projection.camera.center.latitude) * pointsPerDegree
            let allowed = tolerance(projection, hypot(east, north)) / pointsPerDegree
            #expect(abs(found.latitude - latitude) <= allowed + 1e-14, "\(row) \(found)")
            #expect(abs(found.longitude - longitude) <= allowed + 6e-14, "\(row) \(found)")
        }
    }

    private func randomProjection(_ random: inout SeededRandom) throws -> MapProjection {
        let camera = try MapCamera(
            center: MapCoordinate(
                latitude: random.nextUnit() * 160 - 80,
                longitude: random.nextUnit() * 360 - 180
            ),
            zoom: random.nextUnit() * 22,
            bearing: random.nextUnit() * 360,
            pitch: random.nextUnit() * 60
        )
        return try MapProjection(camera: camera, width: 390, height: 844)
    }

    private func randomPoint(_ random: inout SeededRandom) -> ScreenPoint {
        ScreenPoint(x: random.nextUnit() * 390, y: random.nextUnit() * 844)
    }

    private func distance(_ first: ScreenPoint?, _ second: ScreenPoint) -> Double {
        first.map { hypot($0.x - second.x, $0.y - second.y) } ?? .infinity
    }

    /// The centre's longitude wraps, so a place that was held can be in another copy of the world afterwards.
    private func nearestCopy(of place: MapCoordinate, to point: ScreenPoint, in projection: MapProjection) -> Double {
        (-3...3).compactMap { copy in
            try? MapCoordinate(latitude: place.latitude, longitude: place.longitude + Double(copy) * 360)
        }.map { distance(projection.project($0), point) }.min() ?? .infinity
    }

    @Test("Every point of the viewport comes back from the place under it", arguments: UInt64(1)...200)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let projection = try randomProjection(&random)
        let point = randomPoint(&random)
        let place = try #require(projection.unproject(point))
        // Near a pole a degree is so many points that the latitude's own digits run out.
        guard abs(place.latitude) < 89 else { return }
        #expect(distance(projection.project(place), point) < 1e-5)
        #expect(distance(projection.project(projection.camera.center), projection.centerPoint) < 1e-9)
    }

    @Test("A dragged place stays under the finger", arguments: UInt64(1)...100)
    func pans(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let projection = try randomProjection(&random)
        let start = randomPoint(&random)
        let end = randomPoint(&random)
        let held = try #require(projection.unproject(start))
        let camera = projection.panned(from: start, to: end)
        // At the edge of the world the map stops.
        guard abs(camera.center.latitude) < MapCamera.maximumLatitude, abs(held.latitude) < 89 else { return }
        let moved = try MapProjection(camera: camera, width: 390, height: 844)
        #expect(nearestCopy(of: held, to: end, in: moved) < 1e-5)
        #expect(
            [camera.zoom, camera.bearing, camera.pitch] == [
                projection.camera.zoom, projection.camera.bearing, projection.camera.pitch,
            ]
        )
    }

    @Test("Zooming keeps the place under the fingers", arguments: UInt64(1)...100)
    func zooms(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let projection = try randomProjection(&random)
        let point = randomPoint(&random)
        let held = try #require(projection.unproject(point))
        let camera = try projection.zoomed(to: random.nextUnit() * 22, about: point)
        guard abs(camera.center.latitude) < MapCamera.maximumLatitude, abs(held.latitude) < 89 else { return }
        let zoomed = try MapProjection(camera: camera, width: 390, height: 844)
        #expect(nearestCopy(of: held, to: point, in: zoomed) < 1e-4)
    }

    @Test("Panning by points moves the centre's place by as many")
    func pansByPoints() throws {
        let camera = try MapCamera(
            center: MapCoordinate(latitude: 59.3, longitude: 18),
            zoom: 10,
            bearing: 30,
            pitch: 40
        )
        let projection = try MapProjection(camera: camera, width: 400, height: 800)
        let panned = try MapProjection(camera: projection.panned(x: 50, y: -20), width: 400, height: 800)
        #expect(distance(panned.project(camera.center), ScreenPoint(x: 250, y: 380)) < 1e-6)
    }

    @Test("Zoom is clamped while a gesture goes on, and the map stays within the world")
    func clampsGestures() throws {
        let camera = try MapCamera(center: MapCoordinate(latitude: 84, longitude: 179), zoom: 21)
        let projection = try MapProjection(camera: camera, width: 400, height: 800)
        #expect(try projection.zoomed(to: 99, about: ScreenPoint(x: 10, y: 10)).zoom == 22)
        let wide = try MapProjection(
            camera: MapCamera(center: camera.center, zoom: 2),
            width: 400,
            height: 800
        )
        let north = wide.panned(x: -100, y: 5000)
        #expect(north.center.latitude == 85.051129)
        #expect((-180...180).contains(north.center.longitude))
        #expect(throws: MapValueError.notFinite(name: "zoom")) {
            try projection.zoomed(to: .nan, about: ScreenPoint(x: 0, y: 0))
        }
    }

    @Test("Above the horizon there is nothing to take hold of")
    func horizon() throws {
        let camera = try MapCamera(center: MapCoordinate(latitude: 10, longitude: 10), zoom: 8, pitch: 60)
        let projection = try MapProjection(camera: camera, width: 400, height: 800)
        // tan(30°) of 1.5 heights above the middle.
        let horizon = 400 - 1200 * tan(Double.pi / 6)
        #expect(projection.unproject(ScreenPoint(x: 200, y: horizon + 1)) != nil)
        let above = ScreenPoint(x: 200, y: horizon - 1)
        #expect(projection.unproject(above) == nil)
        #expect(projection.panned(from: above, to: projection.centerPoint) == camera)
        #expect(try projection.zoomed(to: 9, about: above).center == camera.center)
        #expect(projection.unproject(ScreenPoint(x: .nan, y: 0)) == nil)
    }

    @Test("The poles are infinitely far away")
    func poles() throws {
        let camera = try MapCamera(center: MapCoordinate(latitude: 10, longitude: 10), zoom: 1)
        let projection = try MapProjection(camera: camera, width: 400, height: 800)
        #expect(projection.project(try MapCoordinate(latitude: 90, longitude: 10)) == nil)
        #expect(projection.project(try MapCoordinate(latitude: -90, longitude: 10)) == nil)
        #expect(projection.project(try MapCoordinate(latitude: 89.9, longitude: 10)) != nil)
    }

    @Test("A viewport needs a size", arguments: [0, -1, Double.nan, .infinity])
    func viewport(length: Double) throws {
        let camera = try MapCamera(center: MapCoordinate(latitude: 0, longitude: 0), zoom: 1)
        #expect(throws: MapValueError.self) { try MapProjection(camera: camera, width: length, height: 1) }
        #expect(throws: MapValueError.self) { try MapProjection(camera: camera, width: 1, height: length) }
    }
}
