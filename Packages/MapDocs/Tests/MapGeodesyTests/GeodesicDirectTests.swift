import MapGeodesy
import Testing

struct GeodesicDirectTests {
    private let geodesic = Geodesic.wgs84

    @Test(arguments: [UInt64(21), 22, 23])
    func inverseFindsTheWalkAgain(_ seed: UInt64) {
        var random = RandomPoints(seed: seed)
        for _ in 0..<200 {
            let (start, azimuth) = (random.point(), random.number(-180, 180))
            // Before the point where another path becomes the shortest.
            let distance = random.number(0, 19_800_000)
            let walk = geodesic.direct(from: start, azimuth: azimuth, distance: distance)
            let path = geodesic.inverse(from: start, to: walk.end)
            #expect(abs(path.distance - distance) <= 40e-9, "seed \(seed): \(start) \(azimuth) \(distance)")
            let lever = path.reducedLength * Double.pi / 180
            #expect(turn(path.initialAzimuth, azimuth) * lever <= 40e-9, "seed \(seed): \(start)")
            #expect(turn(path.finalAzimuth, walk.finalAzimuth) * lever <= 40e-9, "seed \(seed): \(start)")
            #expect(abs(walk.arcLength - path.arcLength) <= 1e-12)
        }
    }

    @Test func walkingBackwardsIsWalkingTheOtherWay() {
        let start = GeodesicPoint(latitude: 47, longitude: 170)
        let backwards = geodesic.direct(from: start, azimuth: 30, distance: -5_000_000)
        let turned = geodesic.direct(from: start, azimuth: 210, distance: 5_000_000)
        #expect(gap(backwards.end, turned.end) <= 10e-9)
        #expect(turn(backwards.finalAzimuth, turned.finalAzimuth + 180) <= 1e-13)
        #expect(backwards.arcLength < 0)
    }

    @Test(arguments: [0.0, 30, 90, -120, 180])
    func noDistanceStaysWhereItIs(_ azimuth: Double) {
        let start = GeodesicPoint(latitude: 47.606_21, longitude: -122.332_07)
        let walk = geodesic.direct(from: start, azimuth: azimuth, distance: 0)
        #expect(gap(walk.end, start) <= 5e-9)
        #expect(turn(walk.finalAzimuth, azimuth) <= 1e-13)
    }

    @Test func fourQuarterMeridiansLeadHome() {
        let start = GeodesicPoint(latitude: 12, longitude: 34)
        let walk = geodesic.direct(from: start, azimuth: 0, distance: 4 * 10_001_965.729_312_7)
        #expect(gap(walk.end, start) <= 1e-6)
        #expect(turn(walk.finalAzimuth, 0) <= 1e-9)
    }

    @Test func beyondThePoleTheWayLeadsSouthOnTheOtherSide() {
        let start = GeodesicPoint(latitude: 80, longitude: 20)
        let toPole = geodesic.inverse(from: start, to: GeodesicPoint(latitude: 90, longitude: 0)).distance
        let walk = geodesic.direct(from: start, azimuth: 0, distance: 2 * toPole)
        #expect(gap(walk.end, GeodesicPoint(latitude: 80, longitude: -160)) <= 10e-9)
        #expect(turn(walk.finalAzimuth, 180) <= 1e-12)
    }

    @Test(arguments: [0.0, 77, 180, -90])
    func atThePoleAzimuthsCountFromTheMeridianItNames(_ azimuth: Double) {
        let walk = geodesic.direct(
            from: GeodesicPoint(latitude: -90, longitude: 30),
            azimuth: azimuth,
            distance: 1_000_000
        )
        #expect(turn(walk.end.longitude, 30 + azimuth) <= 1e-12)
        #expect(turn(walk.finalAzimuth, 0) <= 1e-12)
    }

    @Test(arguments: [-720.0, 360, 3600])
    func wholeTurnsOfAzimuthChangeNothing(_ turns: Double) {
        let start = GeodesicPoint(latitude: -20, longitude: 5)
        #expect(
            geodesic.direct(from: start, azimuth: 40 + turns, distance: 3e6)
                == geodesic.direct(from: start, azimuth: 40, distance: 3e6)
        )
    }

    @Test func acrossTheAntimeridianTheLongitudeStaysInRange() {
        let walk = geodesic.direct(from: GeodesicPoint(latitude: 0, longitude: 179), azimuth: 90, distance: 500_000)
        #expect(walk.end.longitude < -175 && walk.end.longitude > -180)
    }

    static let noWalks: [(Double, Double, Double)] = [
        (.nan, 0, 1), (91, 0, 1), (-.infinity, 0, 1), (0, .nan, 1), (0, .infinity, 1), (0, 0, .nan), (0, 0, .infinity),
    ]

    @Test(arguments: noWalks)
    func whatIsNoWalkIsAnsweredWithNaN(_ latitude: Double, _ azimuth: Double, _ distance: Double) {
        let start = GeodesicPoint(latitude: latitude, longitude: 10)
        let walk = geodesic.direct(from: start, azimuth: azimuth, distance: distance)
        #expect(walk.end.latitude.isNaN && walk.end.longitude.isNaN && walk.finalAzimuth.isNaN && walk.arcLength.isNaN)
    }

    @Test(arguments: [1e12, -1e100, 1e300])
    func anEndlessWalkEndsSomewhere(_ distance: Double) {
        let walk = geodesic.direct(from: GeodesicPoint(latitude: 5, longitude: 1e9), azimuth: 1e15, distance: distance)
        #expect(abs(walk.end.latitude) <= 90 && abs(walk.end.longitude) <= 180 && abs(walk.finalAzimuth) <= 180)
    }
}
