import Foundation

/// The shortest path between two ends in the standard orientation; lengths in units of the polar radius.
struct GeodesicPath {
    var alpha1 = Angle(sine: 0, cosine: 1)
    var alpha2 = Angle(sine: 0, cosine: 1)
    /// The arc on the auxiliary sphere, in radians.
    var arc = 0.0
    var length = 0.0
    var reducedLength = 0.0
    var course = Course.meridional

    /// What is known of a path beyond its azimuths.
    enum Course {
        case meridional
        /// Along the equator or short: with the longitude difference on the auxiliary sphere.
        case spherical(omega12: Angle)
        case general
    }

    init(between ends: GeodesicEnds, on geodesic: Geodesic) {
        if ends.areSame { return }
        if ends.lambda12.sine == 0 || ends.startsAtPole {
            followMeridian(between: ends, on: geodesic)
        } else if ends.beta1.sine == 0, ends.lambda12Supplement >= geodesic.flattening * 180 {
            followEquator(between: ends, on: geodesic)
        } else {
            var search = GeodesicSearch(between: ends, on: geodesic)
            if !followSphere(from: search, between: ends) {
                search.solve(for: &self)
            }
        }
    }

    /// Goes along the meridian, over a pole if need be: on an oblate ellipsoid no path between its points is shorter.
    @inline(__always)
    private mutating func followMeridian(between ends: GeodesicEnds, on geodesic: Geodesic) {
        alpha1 = ends.lambda12
        let meridian = GeodesicArc(
            from: Angle(sine: ends.beta1.sine, cosine: alpha1.cosine * ends.beta1.cosine),
            to: ends.beta2,
            epsilon: geodesic.thirdFlattening
        )
        let lengths = meridian.lengths(metric1: ends.metric1, metric2: ends.metric2, waves: meridian.waves)
        arc = meridian.radians
        length = lengths.length
        reducedLength = max(0, lengths.reduced)
    }

    @inline(__always)
    private mutating func followEquator(between ends: GeodesicEnds, on geodesic: Geodesic) {
        alpha1 = Angle(sine: 1, cosine: 0)
        alpha2 = alpha1
        arc = ends.lambda12Radians / geodesic.axisRatio
        length = arc
        let omega12 = Angle(radians: arc)
        reducedLength = omega12.sine
        course = .spherical(omega12: omega12)
    }

    /// Takes the great circle of the start for the path if that is so short that both are the same.
    @inline(__always)
    private mutating func followSphere(from search: GeodesicSearch, between ends: GeodesicEnds) -> Bool {
        guard let short = search.shortPath else { return false }
        alpha1 = search.alpha1
        alpha2 = short.alpha2
        arc = short.arc
        length = short.arc * short.metric
        reducedLength = short.metric * short.metric * sin(short.arc / short.metric)
        course = .spherical(omega12: short.omega12)
        return true
    }
}
