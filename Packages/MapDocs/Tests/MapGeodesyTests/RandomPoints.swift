import Foundation
import MapGeodesy

/// Points that come out the same in every run: SplitMix64 by Guy Steele, Doug Lea and Christine Flood (OOPSLA 2014).
struct RandomPoints {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func number(_ low: Double, _ high: Double) -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return low + (high - low) * (Double((z ^ (z >> 31)) >> 11) * 0x1p-53)
    }

    /// Of either sign and any magnitude from 1e-12 to 1, or 0.
    mutating func smallNumber() -> Double {
        let size = pow(10, number(-12, 0))
        let choice = number(0, 5)
        return choice < 1 ? 0 : choice < 3 ? size : -size
    }

    mutating func point() -> GeodesicPoint {
        GeodesicPoint(latitude: asin(number(-1, 1)) / Double.pi * 180, longitude: number(-180, 180))
    }

    /// Points that are opposite each other but for a small difference.
    mutating func antipodalPair() -> (GeodesicPoint, GeodesicPoint) {
        let start = point()
        let latitude = min(max(-start.latitude + smallNumber(), -90), 90)
        return (start, GeodesicPoint(latitude: latitude, longitude: start.longitude + 180 + smallNumber()))
    }
}

/// How far apart two points are that are nearly the same, in metres on WGS84, from the radii of curvature there.
func gap(_ one: GeodesicPoint, _ other: GeodesicPoint) -> Double {
    let eccentricitySquared = 0.006_694_379_990_141_316_5
    let latitude = one.latitude * Double.pi / 180
    let root = (1 - eccentricitySquared * sin(latitude) * sin(latitude)).squareRoot()
    let meridianRadius = 6_378_137 * (1 - eccentricitySquared) / (root * root * root)
    let parallelRadius = 6_378_137 / root * cos(latitude)
    let north = (one.latitude - other.latitude) * Double.pi / 180 * meridianRadius
    let east = (one.longitude - other.longitude).remainder(dividingBy: 360) * Double.pi / 180 * parallelRadius
    return (north * north + east * east).squareRoot()
}

/// The angle between two directions in degrees, 0...180.
func turn(_ one: Double, _ other: Double) -> Double {
    abs((one - other).remainder(dividingBy: 360))
}
