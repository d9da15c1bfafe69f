import MapGeodesy
import Testing

struct GeodesicPolygonTests {
    private let geodesic = Geodesic.wgs84
    private let field = [(47.0, 8.0), (47.1, 8.2), (47.3, 8.1), (47.2, 7.9)]
        .map { GeodesicPoint(latitude: $0, longitude: $1) }

    @Test func everyRowHasAKindThatIsTested() throws {
        #expect(Set(try AreaReference.all().map(\.kind)) == Set(AreaReference.kinds))
    }

    @Test(arguments: AreaReference.kinds)
    func areaIsRightToATenthOfASquareMetreOrThirteenDigits(_ kind: String) throws {
        for row in try AreaReference.rows(ofKind: kind) {
            let ring = geodesic.ring(of: row.vertices)
            #expect(abs(ring.signedArea - row.signedArea) <= max(0.1, 1e-13 * abs(row.signedArea)), "\(row)")
            #expect(abs(ring.leftArea - row.leftArea) <= max(0.1, 1e-13 * row.leftArea), "\(row)")
        }
    }

    @Test(arguments: AreaReference.kinds)
    func perimeterIsRightTo20NanometresForEachEdge(_ kind: String) throws {
        for row in try AreaReference.rows(ofKind: kind) {
            let perimeter = geodesic.ring(of: row.vertices).perimeter
            #expect(abs(perimeter - row.perimeter) <= 20e-9 * Double(row.vertices.count), "\(row)")
        }
    }

    @Test(arguments: AreaReference.kinds)
    func theOtherWayRoundIsTheOtherSide(_ kind: String) throws {
        for row in try AreaReference.rows(ofKind: kind) {
            let ring = geodesic.ring(of: row.vertices)
            let reversed = geodesic.ring(of: row.vertices.reversed())
            #expect(abs(ring.perimeter - reversed.perimeter) <= 1e-8)
            // Half the surface has no smaller side, and is positive either way.
            let isHalf = ring.area > 0.499_999_999 * geodesic.surfaceArea
            #expect(abs(reversed.signedArea - (isHalf ? 1 : -1) * ring.signedArea) <= 0.1, "\(row)")
        }
    }

    @Test(arguments: AreaReference.kinds)
    func anyVertexMayComeFirst(_ kind: String) throws {
        for row in try AreaReference.rows(ofKind: kind) where row.vertices.count < 100 {
            let ring = geodesic.ring(of: row.vertices)
            for first in row.vertices.indices {
                let rotated = geodesic.ring(of: Array(row.vertices[first...] + row.vertices[..<first]))
                #expect(abs(ring.signedArea - rotated.signedArea) <= 0.1, "\(row) from \(first)")
                #expect(abs(ring.perimeter - rotated.perimeter) <= 1e-7)
            }
        }
    }

    @Test(arguments: AreaReference.kinds)
    func otherCopiesOfTheWorldHaveTheSameArea(_ kind: String) throws {
        for row in try AreaReference.rows(ofKind: kind) where row.vertices.count < 100 {
            let area = geodesic.ring(of: row.vertices).signedArea
            // Every other vertex moves, so that edges cross from copy to copy.
            let moved = row.vertices.enumerated().map { index, vertex in
                GeodesicPoint(latitude: vertex.latitude, longitude: vertex.longitude + (index % 2 == 0 ? 360 : -720))
            }
            // Adding whole turns rounds longitudes, to some 1e-13 degrees.
            let tolerance = max(0.1, 1e-8 * geodesic.ring(of: row.vertices).perimeter)
            #expect(abs(geodesic.ring(of: moved).signedArea - area) <= tolerance, "\(row)")
        }
    }

    @Test func repeatingTheFirstVertexChangesNothing() {
        #expect(geodesic.ring(of: field + [field[0]]) == geodesic.ring(of: field))
    }

    @Test func isUpToDateAfterEachVertex() {
        var polygon = GeodesicPolygon()
        for (index, vertex) in field.enumerated() {
            polygon.add(vertex)
            #expect(polygon.vertexCount == index + 1)
            #expect(polygon.lineLength == geodesic.length(of: field.prefix(index + 1)))
            #expect(polygon.ring == geodesic.ring(of: field.prefix(index + 1)))
        }
        #expect(polygon.ring.isCounterclockwise)
        #expect(polygon.ring.perimeter > polygon.lineLength)
    }

    @Test func aCopyFromBeforeUndoesAVertex() {
        var polygon = GeodesicPolygon()
        field.forEach { polygon.add($0) }
        let before = polygon
        polygon.add(GeodesicPoint(latitude: -50, longitude: 100))
        #expect(polygon.ring != before.ring)
        polygon = before
        #expect(polygon.ring == geodesic.ring(of: field))
    }

    @Test(arguments: 0...2)
    func fewerThanThreeVerticesHaveNoArea(_ count: Int) {
        let ring = geodesic.ring(of: field.prefix(count))
        #expect(ring.signedArea == 0 && ring.leftArea == 0 && ring.signedArea.sign == .plus)
        let there = count < 2 ? 0 : geodesic.inverse(from: field[0], to: field[1]).distance
        #expect(ring.perimeter == 2 * there)
        #expect(!ring.isCounterclockwise)
    }

    @Test func clockwiseIsNegative() {
        let ring = geodesic.ring(of: field.reversed())
        #expect(ring.signedArea < 0 && !ring.isCounterclockwise)
        #expect(ring.area == -ring.signedArea)
        #expect(abs(ring.leftArea - (geodesic.surfaceArea + ring.signedArea)) <= 0.1)
    }

    @Test func aPlaceThatIsNoneIsAnsweredWithNaN() {
        let ring = geodesic.ring(of: field + [GeodesicPoint(latitude: 95, longitude: 0)] + field)
        #expect(ring.perimeter.isNaN && ring.signedArea.isNaN && ring.leftArea.isNaN)
    }

    /// NIMA TR8350.2 gives 510065621.724 km2 for the surface of the earth.
    @Test func surfaceOfTheEarth() {
        #expect(abs(geodesic.surfaceArea - 510_065_621_724_088) < 1)
    }

    /// Each of them is less than half a unit in the last place of the long edge before them.
    @Test func edgesOfANanometreAreNotLost() {
        var polygon = GeodesicPolygon()
        polygon.add(GeodesicPoint(latitude: 0, longitude: -179))
        polygon.add(GeodesicPoint(latitude: 0, longitude: 0))
        let long = polygon.lineLength
        for step in 1...1000 { polygon.add(GeodesicPoint(latitude: 0, longitude: Double(step) * 1e-14)) }
        #expect(abs(polygon.lineLength - long - 6_378_137 * Double.pi / 180 * 1e-11) <= 4e-9)
    }

    @Test func aThousandTinyEdgesAddUpToAStraightLine() {
        var polygon = GeodesicPolygon()
        for step in 0...1000 { polygon.add(GeodesicPoint(latitude: 0, longitude: Double(step) / 1024)) }
        #expect(abs(polygon.lineLength - 6_378_137 * Double.pi / 180 * 1000 / 1024) <= 5e-9)
    }
}
