import MapGeodesy
import Testing

struct GeodesicReferenceTests {
    private let geodesic = Geodesic.wgs84

    @Test func everyRowHasAKindThatIsTested() throws {
        let kinds = Set(try GeodesicReference.all().map(\.kind))
        #expect(kinds == Set(GeodesicReference.kinds))
    }

    @Test(arguments: GeodesicReference.kinds)
    func inverseDistanceIsRightTo20Nanometres(_ kind: String) throws {
        for row in try GeodesicReference.rows(ofKind: kind) {
            let path = geodesic.inverse(from: row.start, to: row.end)
            #expect(abs(path.distance - row.distance) <= 20e-9, "\(row)")
        }
    }

    @Test(arguments: GeodesicReference.kinds)
    func inverseDirectionIsRightTo15NanometresAtTheOtherEnd(_ kind: String) throws {
        for row in try GeodesicReference.rows(ofKind: kind) where row.hasUniqueAzimuth {
            let path = geodesic.inverse(from: row.start, to: row.end)
            let lever = row.reducedLength * Double.pi / 180
            #expect(turn(path.initialAzimuth, row.initialAzimuth) * lever <= 15e-9, "\(row)")
            #expect(turn(path.finalAzimuth, row.finalAzimuth) * lever <= 15e-9, "\(row)")
        }
    }

    @Test(arguments: GeodesicReference.kinds)
    func reducedLengthIsRightTo20Nanometres(_ kind: String) throws {
        for row in try GeodesicReference.rows(ofKind: kind) {
            let path = geodesic.inverse(from: row.start, to: row.end)
            #expect(abs(path.reducedLength - row.reducedLength) <= 20e-9, "\(row)")
        }
    }

    @Test(arguments: GeodesicReference.kinds)
    func directArrivesWithin20Nanometres(_ kind: String) throws {
        for row in try GeodesicReference.rows(ofKind: kind) {
            let walk = geodesic.direct(from: row.start, azimuth: row.initialAzimuth, distance: row.distance)
            #expect(gap(walk.end, row.end) <= 20e-9, "\(row)")
            #expect(abs(walk.end.longitude) <= 180)
        }
    }

    @Test(arguments: GeodesicReference.kinds)
    func directArrivesInTheRightDirection(_ kind: String) throws {
        // At a pole the direction follows from the longitude that the arrival happens to get.
        for row in try GeodesicReference.rows(ofKind: kind) where row.hasUniqueAzimuth && abs(row.end.latitude) < 89.9 {
            let walk = geodesic.direct(from: row.start, azimuth: row.initialAzimuth, distance: row.distance)
            let lever = row.reducedLength * Double.pi / 180
            #expect(turn(walk.finalAzimuth, row.finalAzimuth) * lever <= 20e-9, "\(row)")
        }
    }

    @Test(arguments: GeodesicReference.kinds)
    func areaBetweenPathAndEquatorIsRight(_ kind: String) throws {
        for row in try GeodesicReference.rows(ofKind: kind) where row.hasUniqueAzimuth {
            let east = (row.end.longitude - row.start.longitude).remainder(dividingBy: 360)
            // Beyond that the shortest path between the two feet is not the equator.
            guard abs(east) < 179 else { continue }
            let ring = geodesic.ring(of: [
                row.start, GeodesicPoint(latitude: 0, longitude: row.start.longitude),
                GeodesicPoint(latitude: 0, longitude: row.end.longitude), row.end,
            ])
            #expect(abs(ring.signedArea - row.areaBelow) <= 0.1, "\(row)")
        }
    }
}
