import Foundation
import MapGeodesy
import Testing

struct EllipsoidTests {
    @Test(arguments: [Double.nan, .infinity, 0, -6_378_137, 1e13])
    func refusesARadiusThatIsNone(_ radius: Double) {
        #expect(throws: EllipsoidError.self) { try Ellipsoid(equatorialRadius: radius, flattening: 0) }
    }

    @Test(arguments: [Double.nan, .infinity, -0.001, 0.0101, 298.257_223_563])
    func refusesAFlatteningThatTheSeriesDoNotCover(_ flattening: Double) {
        #expect(throws: EllipsoidError.self) {
            try Ellipsoid(equatorialRadius: 6_378_137, flattening: flattening)
        }
    }

    @Test func aRefusalSaysWhatToGiveInstead() {
        let error = EllipsoidError.flattening(298)
        #expect("\(error)".contains("298.0") && "\(error)".contains("1 / 298.257223563"))
    }

    @Test(arguments: [UInt64(31), 32])
    func onASpherePathsAreGreatCircles(_ seed: UInt64) throws {
        let sphere = Geodesic(try Ellipsoid(equatorialRadius: 6_371_000, flattening: 0))
        var random = RandomPoints(seed: seed)
        for _ in 0..<200 {
            let (start, end) = (random.point(), random.point())
            let (one, other) = (vector(start), vector(end))
            let cross = [
                one[1] * other[2] - one[2] * other[1], one[2] * other[0] - one[0] * other[2],
                one[0] * other[1] - one[1] * other[0],
            ]
            let sine = (cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]).squareRoot()
            let cosine = one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
            let path = sphere.inverse(from: start, to: end)
            #expect(abs(path.distance - 6_371_000 * atan2(sine, cosine)) <= 20e-9, "seed \(seed): \(start) \(end)")
            #expect(abs(path.reducedLength - 6_371_000 * sine) <= 20e-9)
        }
    }

    @Test func onASphereAnOctantIsAnEighth() throws {
        let sphere = Geodesic(try Ellipsoid(equatorialRadius: 1000, flattening: 0))
        let octant = sphere.ring(
            of: [(0.0, 0.0), (0, 90), (90, 0)].map { GeodesicPoint(latitude: $0, longitude: $1) }
        )
        #expect(abs(octant.signedArea - Double.pi / 2 * 1_000_000) <= 1e-8)
        #expect(abs(sphere.surfaceArea - 4 * Double.pi * 1_000_000) <= 1e-8)
    }

    private func vector(_ point: GeodesicPoint) -> [Double] {
        let (latitude, longitude) = (point.latitude * Double.pi / 180, point.longitude * Double.pi / 180)
        return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
    }

    /// Radius, flattening; latitude and longitude twice; distance, azimuths: GeographicLib's, made with GeodSolve -E.
    static let foreignPaths: [[Double]] = [
        [6_378_388, 1 / 297, 40.64, -73.78, 1.36, 103.99, 15348078.3946016189, 3.305673229018583, 177.487901248811255],
        [6_378_388, 1 / 297, -30, 0, 29.9, 179.8, 19990487.8668450974, 161.953398694515784, 18.02793325463443],
        [6_378_388, 1 / 297, 0, 0, 0, 179.5, 19981603.2781440206, 55.611021634058865, 124.388978365941142],
        [6_378_388, 1 / 297, 52.5, 13.4, 52.50001, 13.40002, 1.755916964, 50.672744894573249, 50.672760761641115],
        [6_378_388, 1 / 297, 89.9, 20, -89.7, -110, 19976891.1620844863, -68.001797653975871, -161.997018550279591],
        [6_400_000, 0.01, 40.64, -73.78, 1.36, 103.99, 15382034.7287503872, 3.259398261641967, 177.516084016878068],
        [6_400_000, 0.01, -30, 0, 29.9, 179.8, 19993599.1198332161, 173.135373639967042, 6.857797396864886],
        [6_400_000, 0.01, 0, 0, 0, 179.5, 19998012.5564204045, 16.166038982796923, 163.83396101720308],
        [6_400_000, 0.01, 52.5, 13.4, 52.50001, 13.40002, 1.7657175351, 50.812869855378779, 50.812885722446651],
        [6_400_000, 0.01, 89.9, 20, -89.7, -110, 19977823.1337408461, -67.999554609791772, -161.997309976987452],
        [1000, 1e-5, 40.64, -73.78, 1.36, 103.99, 2407.6919328243, 3.329534558422937, 177.473373963941839],
        [1000, 1e-5, -30, 0, 29.9, 179.8, 3138.0938063718, 120.105620126278836, 59.795204211340547],
        [1000, 1e-5, 0, 0, 0, 179.5, 3132.8660073298, 90.0, 90.0],
        [1000, 1e-5, 52.5, 13.4, 52.50001, 13.40002, 0.0002749865, 50.602573091361805, 50.602588958429678],
        [1000, 1e-5, 89.9, 20, -89.7, -110, 3137.250995882, -68.002924376655002, -161.996872160258363],
    ]

    @Test(arguments: foreignPaths)
    func pathsOnOtherEllipsoids(_ row: [Double]) throws {
        let geodesic = Geodesic(try Ellipsoid(equatorialRadius: row[0], flattening: row[1]))
        let path = geodesic.inverse(
            from: GeodesicPoint(latitude: row[2], longitude: row[3]),
            to: GeodesicPoint(latitude: row[4], longitude: row[5])
        )
        #expect(abs(path.distance - row[6]) <= 20e-9)
        let lever = path.reducedLength * Double.pi / 180
        #expect(turn(path.initialAzimuth, row[7]) * lever <= 20e-9)
        #expect(turn(path.finalAzimuth, row[8]) * lever <= 20e-9)
    }

    /// Values of GeographicLib's exact geodesics, made with Planimeter -E.
    static let foreignRings: [(Double, Double, Double, Double)] = [
        (6_378_388, 1 / 297, -26_992_759_310_240.785, 19_763_277.493_028_13),
        (6_400_000, 0.01, -26_904_098_242_573.859, 19_725_381.417_660_233),
        (1000, 1e-5, -666_842.429_090, 3106.793_614_344),
    ]

    @Test(arguments: foreignRings)
    func ringsOnOtherEllipsoids(_ radius: Double, _ flattening: Double, _ area: Double, _ perimeter: Double) throws {
        let geodesic = Geodesic(try Ellipsoid(equatorialRadius: radius, flattening: flattening))
        let ring = geodesic.ring(
            of: [(10.0, 20.0), (12, 60), (-30, 70), (-40, 15)].map { GeodesicPoint(latitude: $0, longitude: $1) }
        )
        #expect(abs(ring.signedArea - area) <= 1e-13 * -area * 10)
        #expect(abs(ring.perimeter - perimeter) <= 40e-9)
    }
}
