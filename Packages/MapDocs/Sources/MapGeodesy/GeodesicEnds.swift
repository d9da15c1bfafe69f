/// Two points, mirrored and exchanged into the standard orientation, and how to get back.
///
/// Equation 44: the first point is in the south, no nearer to the equator than the second, and the second lies east of
/// it by at most half a turn. Every other pair is a mirror image of such a pair.
struct GeodesicEnds {
    let beta1: Angle
    let beta2: Angle
    /// sqrt(1 + e'^2 sin^2 beta) at both ends.
    let metric1: Double
    let metric2: Double
    /// The longitude difference: as an angle, in radians, and what is missing from it to half a turn, in degrees.
    let lambda12: Angle
    let lambda12Radians: Double
    let lambda12Supplement: Double
    let startsAtPole: Bool
    let areSame: Bool

    let isExchanged: Bool
    let isWestward: Bool
    let isMirroredNorthSouth: Bool
    /// Degrees eastwards from the first point to the second as they were given, -180...180.
    let eastwardDegrees: Double

    @inline(__always)
    init(from start: GeodesicPoint, to end: GeodesicPoint, on geodesic: Geodesic) {
        // The difference and what its rounding left out, so that points on both sides of the antimeridian lose nothing.
        let (difference, missing) = CompensatedSum.exactSum(end.longitude.wrapped, -start.longitude.wrapped)
        var eastward = difference
        if difference > 180 || (difference == 180 && missing > 0) {
            eastward -= 360
        } else if difference < -180 || (difference == -180 && missing < 0) {
            eastward += 360
        }
        isWestward = eastward < 0
        var degrees = abs(eastward)
        var rest = isWestward ? -missing : missing
        if degrees < 0.0625 {
            degrees = (degrees + rest).withoutTinyPart
            rest = 0
        }
        lambda12 = Angle(halfTurnDegrees: degrees, rest: rest)
        lambda12Radians = (degrees + rest) * .radiansPerDegree
        lambda12Supplement = (180 - degrees) - rest
        eastwardDegrees = isWestward ? -degrees : degrees

        var phi1 = start.latitude.withoutTinyPart
        var phi2 = end.latitude.withoutTinyPart
        isExchanged = abs(phi1) < abs(phi2)
        if isExchanged { swap(&phi1, &phi2) }
        isMirroredNorthSouth = phi1 >= 0
        if isMirroredNorthSouth {
            phi1 = -phi1
            phi2 = -phi2
        }
        startsAtPole = phi1 == -90
        areSame = phi1 == phi2 && degrees == 0

        let beta1 = geodesic.reducedLatitude(phi1)
        var beta2 = geodesic.reducedLatitude(phi2)
        // Latitudes that differ by less than their rounding have to agree in both parts, or alpha2 becomes noise.
        if beta1.cosine < -beta1.sine {
            if beta2.cosine == beta1.cosine { beta2.sine = beta2.sine < 0 ? beta1.sine : -beta1.sine }
        } else if abs(beta2.sine) == -beta1.sine {
            beta2.cosine = beta1.cosine
        }
        self.beta1 = beta1
        self.beta2 = beta2
        metric1 = geodesic.metric(beta1)
        metric2 = geodesic.metric(beta2)
    }

    /// The path's direction at the first point as it was given.
    @inline(__always)
    func initialAzimuth(of path: GeodesicPath) -> Angle {
        asGiven(isExchanged ? path.alpha2 : path.alpha1)
    }

    /// The path's direction at the second point as it was given.
    @inline(__always)
    func finalAzimuth(of path: GeodesicPath) -> Angle {
        asGiven(isExchanged ? path.alpha1 : path.alpha2)
    }

    @inline(__always)
    private func asGiven(_ azimuth: Angle) -> Angle {
        // An exchange turns the path round, east and west too; the standard path has been turned eastwards again.
        if areSame { return Angle(sine: 0, cosine: 1) }
        return Angle(
            sine: isWestward ? -azimuth.sine : azimuth.sine,
            cosine: isMirroredNorthSouth != isExchanged ? -azimuth.cosine : azimuth.cosine
        )
    }
}

extension Double {
    /// The same longitude in -180...180.
    @inline(__always)
    var wrapped: Double {
        abs(self) <= 180 ? self : remainder(dividingBy: 360)
    }
}
