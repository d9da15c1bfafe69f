import Foundation
import MapGeodesy
import Testing

struct GeodesicInverseTests {
    private let geodesic = Geodesic.wgs84

    @Test(arguments: [UInt64(1), 2, 3])
    func mirrorImagesHaveTheSameLength(_ seed: UInt64) {
        var random = RandomPoints(seed: seed)
        for _ in 0..<200 {
            let (start, end) = (random.point(), random.point())
            let path = geodesic.inverse(from: start, to: end)
            let south = geodesic.inverse(from: start.mirroredNorthSouth, to: end.mirroredNorthSouth)
            let west = geodesic.inverse(from: start.mirroredEastWest, to: end.mirroredEastWest)
            #expect(south.distance == path.distance && west.distance == path.distance, "seed \(seed): \(start) \(end)")
            #expect(west.initialAzimuth == -path.initialAzimuth && west.finalAzimuth == -path.finalAzimuth)
            #expect(turn(south.initialAzimuth, 180 - path.initialAzimuth) < 1e-13)
            #expect(turn(south.finalAzimuth, 180 - path.finalAzimuth) < 1e-13)
        }
    }

    @Test(arguments: [UInt64(4), 5, 6])
    func theWayBackIsAsLongAndTurnedRound(_ seed: UInt64) {
        var random = RandomPoints(seed: seed)
        for _ in 0..<200 {
            let (start, end) = (random.point(), random.point())
            let there = geodesic.inverse(from: start, to: end)
            let back = geodesic.inverse(from: end, to: start)
            #expect(there.distance == back.distance, "seed \(seed): \(start) \(end)")
            #expect(turn(there.initialAzimuth, back.finalAzimuth + 180) < 1e-13)
            #expect(turn(there.finalAzimuth, back.initialAzimuth + 180) < 1e-13)
        }
    }

    @Test(arguments: [-1080.0, -360, 360, 720])
    func wholeTurnsOfLongitudeChangeNothing(_ turns: Double) {
        var random = RandomPoints(seed: 7)
        for _ in 0..<50 {
            // Whole degrees, so that the sum is exact.
            let start = GeodesicPoint(latitude: random.number(-90, 90), longitude: random.number(-180, 180).rounded())
            let end = random.point()
            let moved = GeodesicPoint(latitude: start.latitude, longitude: start.longitude + turns)
            #expect(geodesic.inverse(from: moved, to: end) == geodesic.inverse(from: start, to: end))
        }
    }

    @Test(arguments: [UInt64(8), 9])
    func nearlyAntipodalPathsEndWhereTheyShould(_ seed: UInt64) {
        var random = RandomPoints(seed: seed)
        for _ in 0..<300 {
            let (start, end) = random.antipodalPair()
            let path = geodesic.inverse(from: start, to: end)
            let walk = geodesic.direct(from: start, azimuth: path.initialAzimuth, distance: path.distance)
            #expect(gap(walk.end, end) <= 40e-9, "seed \(seed): \(start) \(end)")
            // Half the circumference through the poles is the longest way there is.
            #expect(path.distance <= 20_003_931.458_625_5)
        }
    }

    @Test(arguments: [UInt64(10), 11])
    func noDetourIsShorter(_ seed: UInt64) {
        var random = RandomPoints(seed: seed)
        for _ in 0..<200 {
            let (start, end) = random.antipodalPair()
            let straight = geodesic.inverse(from: start, to: end).distance
            for _ in 0..<5 {
                let detour = geodesic.length(of: [start, random.point(), end])
                #expect(straight <= detour + 20e-9, "seed \(seed): \(start) \(end)")
            }
        }
    }

    /// NIMA TR8350.2 gives 10001965.7293 m for the quarter of a meridian.
    @Test func quarterMeridian() {
        let path = geodesic.inverse(
            from: GeodesicPoint(latitude: 0, longitude: 20),
            to: GeodesicPoint(latitude: 90, longitude: 20)
        )
        #expect(abs(path.distance - 10_001_965.729_3) < 5e-5)
        #expect(path.initialAzimuth == 0)
        #expect(path.arcLength == 90)
    }

    @Test func alongTheEquatorLengthIsRadiusTimesAngle() {
        let path = geodesic.inverse(
            from: GeodesicPoint(latitude: 0, longitude: -10),
            to: GeodesicPoint(latitude: 0, longitude: 80)
        )
        #expect(abs(path.distance - 6_378_137 * Double.pi / 2) < 5e-9)
        #expect(path.initialAzimuth == 90 && path.finalAzimuth == 90)
    }

    @Test(arguments: [
        GeodesicPoint(latitude: 0, longitude: 0), GeodesicPoint(latitude: 47.6, longitude: -122.3),
        GeodesicPoint(latitude: 90, longitude: 12), GeodesicPoint(latitude: -90, longitude: 180),
        GeodesicPoint(latitude: -33.9, longitude: 511.2),
    ])
    func samePointIsNoDistanceAway(_ point: GeodesicPoint) {
        let path = geodesic.inverse(from: point, to: point)
        #expect(path.distance == 0 && path.reducedLength == 0 && path.arcLength == 0)
        #expect(path.initialAzimuth == 0 && path.finalAzimuth == 0)
    }

    @Test func bothSidesOfTheAntimeridianAreOnePlace() {
        let path = geodesic.inverse(
            from: GeodesicPoint(latitude: 12, longitude: 180),
            to: GeodesicPoint(latitude: 12, longitude: -180)
        )
        #expect(path.distance == 0)
    }

    /// Three units in the last place of 180 degrees, half of one of which the difference itself cannot hold.
    @Test func theLastBitCountsOnBothSidesOfTheAntimeridian() {
        let path = geodesic.inverse(
            from: GeodesicPoint(latitude: 0, longitude: 180 - 0x1p-45),
            to: GeodesicPoint(latitude: 0, longitude: -180 + 0x1p-44)
        )
        #expect(abs(path.distance - 6_378_137 * Double.pi / 180 * 3 * 0x1p-45) <= 1e-12)
        #expect(path.initialAzimuth == 90)
    }

    @Test func barelyMoreThanHalfATurnEastIsWest() {
        let path = geodesic.inverse(
            from: GeodesicPoint(latitude: 10, longitude: -1e-15),
            to: GeodesicPoint(latitude: 20, longitude: 180)
        )
        #expect(path.initialAzimuth < 0 && path.finalAzimuth == -180)
    }

    /// This pair kept an earlier implementation of the algorithm from converging; the values are GeodSolve -E's.
    @Test func latitudesThatDifferInTheLastBitConverge() {
        let path = geodesic.inverse(
            from: GeodesicPoint(latitude: 48.522876735459, longitude: 0),
            to: GeodesicPoint(latitude: -48.522876735458983, longitude: 179.59972045622308)
        )
        #expect(abs(path.distance - 19_989_144.773_857_697_8) <= 20e-9)
        #expect(turn(path.initialAzimuth, 89.999_964_419_035_607) * path.reducedLength <= 1e-9)
    }

    @Test(arguments: [90.0, -90])
    func aPoleIsOnePlaceWhateverItsLongitude(_ latitude: Double) {
        let pole = GeodesicPoint(latitude: latitude, longitude: 0)
        let other = GeodesicPoint(latitude: latitude, longitude: 77)
        #expect(geodesic.inverse(from: pole, to: other).distance <= 1e-9)
        let place = GeodesicPoint(latitude: 10, longitude: 30)
        let difference =
            geodesic.inverse(from: pole, to: place).distance - geodesic.inverse(from: other, to: place).distance
        #expect(abs(difference) <= 1e-9)
    }

    /// A millionth of a millionth of a degree is 0.1117 micrometres on the meridian there.
    @Test func tenthOfAMicrometreBesideAPoleIsNotNothing() {
        let path = geodesic.inverse(
            from: GeodesicPoint(latitude: 89.999_999, longitude: 40),
            to: GeodesicPoint(latitude: 89.999_999_000_001, longitude: 40)
        )
        let degrees = 89.999_999_000_001 - 89.999_999
        #expect(abs(path.distance - degrees * Double.pi / 180 * 6_399_593.6) < 1e-9)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 90.000_001, -91, 1e300])
    func aLatitudeThatIsNoneIsAnsweredWithNaN(_ latitude: Double) {
        let place = GeodesicPoint(latitude: 1, longitude: 2)
        let nowhere = GeodesicPoint(latitude: latitude, longitude: 2)
        for path in [geodesic.inverse(from: place, to: nowhere), geodesic.inverse(from: nowhere, to: place)] {
            #expect(path.distance.isNaN && path.initialAzimuth.isNaN && path.finalAzimuth.isNaN)
            #expect(path.arcLength.isNaN && path.reducedLength.isNaN)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func aLongitudeThatIsNoneIsAnsweredWithNaN(_ longitude: Double) {
        let place = GeodesicPoint(latitude: 1, longitude: 2)
        let nowhere = GeodesicPoint(latitude: 1, longitude: longitude)
        #expect(geodesic.inverse(from: place, to: nowhere).distance.isNaN)
        #expect(geodesic.inverse(from: nowhere, to: place).distance.isNaN)
    }

    @Test func anyFiniteValuesGiveANumber() {
        let latitudes = [-90, -45, -Double.leastNonzeroMagnitude, -0.0, 0, 1e-200, 1e-17, 45, 90.0.nextDown, 90]
        let longitudes = [
            -1e300, -180, -1e-300, 0, Double.leastNonzeroMagnitude, 1e-10, 179.5, 180.0.nextDown, 180, 1e17,
        ]
        for (startLatitude, startLongitude) in zip(latitudes, longitudes) {
            for endLatitude in latitudes {
                for endLongitude in longitudes {
                    let start = GeodesicPoint(latitude: startLatitude, longitude: startLongitude)
                    let end = GeodesicPoint(latitude: endLatitude, longitude: endLongitude)
                    let path = geodesic.inverse(from: start, to: end)
                    #expect(path.distance >= 0 && path.distance < 20_003_932, "\(start) \(end)")
                    #expect(abs(path.initialAzimuth) <= 180 && abs(path.finalAzimuth) <= 180, "\(start) \(end)")
                    #expect(path.reducedLength >= -20e-9 && path.reducedLength < 6_400_000, "\(start) \(end)")
                    #expect(path.arcLength >= 0 && path.arcLength <= 180.61, "\(start) \(end)")
                }
            }
        }
    }

    @Test func lengthOfALineIsTheSumOfItsPaths() {
        let points = [(0.0, 0.0), (10, 5), (-3, 170), (-3, -170)].map { GeodesicPoint(latitude: $0, longitude: $1) }
        let sum = zip(points, points.dropFirst()).map { geodesic.inverse(from: $0, to: $1).distance }.reduce(0, +)
        #expect(abs(geodesic.length(of: points) - sum) < 1e-8)
        #expect(geodesic.length(of: points.prefix(1)) == 0)
        #expect(geodesic.length(of: []) == 0)
        #expect(geodesic.length(of: [points[0], GeodesicPoint(latitude: 91, longitude: 0)]).isNaN)
    }
}

extension GeodesicPoint {
    fileprivate var mirroredNorthSouth: GeodesicPoint { GeodesicPoint(latitude: -latitude, longitude: longitude) }
    fileprivate var mirroredEastWest: GeodesicPoint { GeodesicPoint(latitude: latitude, longitude: -longitude) }
}
