import Foundation

/// Looks for the azimuth at which a geodesic reaches the second end: section 4 of the paper.
struct GeodesicSearch {
    /// A path that the auxiliary sphere, scaled to the place, gives at once.
    struct ShortPath {
        let alpha2: Angle
        let arc: Double
        /// The sphere's radius in units of the polar radius.
        let metric: Double
        let omega12: Angle
    }

    private(set) var alpha1: Angle
    private(set) var shortPath: ShortPath?

    private let ends: GeodesicEnds
    private let geodesic: Geodesic

    /// A unit in the last place of 1, and how many Newton steps and halvings there may be at most.
    private static let roundingUnit = Double.ulpOfOne
    private static let newtonSteps = 20
    private static let allSteps = newtonSteps + 53 + 10

    @inline(__always)
    init(between ends: GeodesicEnds, on geodesic: Geodesic) {
        self.ends = ends
        self.geodesic = geodesic
        let (beta1, beta2) = (ends.beta1, ends.beta2)
        let beta12 = beta2 - beta1
        let isNear = beta12.cosine >= 0 && beta12.sine < 0.5 && beta2.cosine * ends.lambda12Radians < 0.5

        // On the sphere whose radius is that of the ellipsoid's cross section at the middle latitude, equation 48.
        if isNear {
            let square = (beta1.sine + beta2.sine) * (beta1.sine + beta2.sine)
            let cosines = beta1.cosine + beta2.cosine
            let metric =
                (1 + geodesic.secondEccentricitySquared * (square / (square + cosines * cosines))).squareRoot()
            let omega12 = Angle(radians: ends.lambda12Radians / (geodesic.axisRatio * metric))
            let circle = GreatCircle(between: beta1, and: beta2, omega12: omega12, difference: beta12.sine)
            alpha1 = circle.alpha1.normalized
            if circle.arc.sine < geodesic.shortArc {
                shortPath = ShortPath(
                    alpha2: circle.alpha2.normalized,
                    arc: circle.arc.radians,
                    metric: metric,
                    omega12: omega12
                )
            }
            return
        }

        let circle = GreatCircle(between: beta1, and: beta2, omega12: ends.lambda12, difference: beta12.sine)
        let antipodalZone = 6 * geodesic.thirdFlattening * Double.pi * beta1.cosine * beta1.cosine
        if circle.arc.cosine >= 0 || circle.arc.sine >= antipodalZone {
            // The longitude on the sphere is ahead by about f sigma sin alpha0; one correction is worth a Newton step.
            let first = circle.alpha1.normalized
            let lead = geodesic.flattening * first.sine * beta1.cosine * circle.arc.radians
            let better = GreatCircle(
                between: beta1,
                and: beta2,
                omega12: ends.lambda12.turned(by: lead),
                difference: beta12.sine
            )
            alpha1 = better.alpha1.sine > 0 ? better.alpha1.normalized : first
        } else {
            alpha1 = Self.nearlyAntipodal(ends, geodesic)
        }
    }

    /// The great circle between two reduced latitudes whose longitudes differ by omega12, equations 49 to 51.
    private struct GreatCircle {
        /// Directions, not of length 1.
        let alpha1: Angle
        let alpha2: Angle
        let arc: Angle

        @inline(__always)
        init(between beta1: Angle, and beta2: Angle, omega12: Angle, difference: Double) {
            // 1 - cos omega12, without cancelling.
            let versine =
                omega12.cosine >= 0
                ? omega12.sine * omega12.sine / (1 + omega12.cosine)
                : 1 - omega12.cosine
            let northward =
                omega12.cosine >= 0
                ? difference + beta2.cosine * beta1.sine * versine
                : beta2.sine * beta1.cosine + beta2.cosine * beta1.sine
                    - beta2.cosine * beta1.sine * (omega12.sine * omega12.sine / (1 - omega12.cosine))
            alpha1 = Angle(sine: beta2.cosine * omega12.sine, cosine: northward)
            alpha2 = Angle(
                sine: beta1.cosine * omega12.sine,
                cosine: difference - beta1.cosine * beta2.sine * versine
            )
            arc = Angle(
                sine: alpha1.length,
                cosine: beta1.sine * beta2.sine + beta1.cosine * beta2.cosine * omega12.cosine
            )
        }
    }

    /// The start for nearly antipodal ends, from the astroid into which the geodesics crowd there, equations 52 to 58.
    private static func nearlyAntipodal(_ ends: GeodesicEnds, _ geodesic: Geodesic) -> Angle {
        let (beta1, beta2) = (ends.beta1, ends.beta2)
        let epsilon = geodesic.epsilon(equatorialAzimuthCosine: beta1.sine)
        let longitudeScale =
            geodesic.flattening * beta1.cosine * geodesic.series.longitudeFactor(epsilon) * Double.pi
        let latitudeScale = longitudeScale * beta1.cosine
        let latitudeSum = beta2.sine * beta1.cosine + beta2.cosine * beta1.sine
        let x = -(ends.lambda12Supplement * .radiansPerDegree) / longitudeScale
        let y = latitudeSum / latitudeScale

        if y > -200 * roundingUnit, x > -1 - 1000 * roundingUnit.squareRoot() {
            // On the line between the cusps: the exact solution for conjugate points, equation 57.
            let sine = min(1, -x)
            return Angle(sine: sine, cosine: -(1 - sine * sine).squareRoot()).orEastward
        }
        let kappa = astroidRoot(x: x, y: y)
        let omega = Angle(radians: longitudeScale * (-x * kappa / (1 + kappa)))
        return Angle(
            sine: beta2.cosine * omega.sine,
            cosine: latitudeSum - beta2.cosine * beta1.sine * omega.sine * omega.sine / (1 + omega.cosine)
        ).orEastward
    }

    /// The positive root of kappa^4 + 2 kappa^3 - (x^2 + y^2 - 1) kappa^2 - 2 y^2 kappa - y^2, equation 55.
    ///
    /// In closed form as in C. F. F. Karney, "Geodesics on an ellipsoid of revolution", arXiv:1102.1215, appendix B.
    private static func astroidRoot(x: Double, y: Double) -> Double {
        let p = x * x
        let q = y * y
        let r = (p + q - 1) / 6
        guard q > 0 || r > 0 else { return 0 }
        let s = p * q / 4
        let r2 = r * r
        let r3 = r * r2
        let discriminant = s * (s + 2 * r3)
        var u = r
        if discriminant >= 0 {
            let cubed = s + r3
            let t = cbrt(cubed + (cubed < 0 ? -discriminant.squareRoot() : discriminant.squareRoot()))
            u += t == 0 ? 0 : t + r2 / t
        } else {
            let angle = atan2((-discriminant).squareRoot(), -(s + r3))
            u += 2 * r * cos(angle / 3)
        }
        let v = (u * u + q).squareRoot()
        let uv = u < 0 ? q / (v - u) : u + v
        let w = (uv - q) / (2 * v)
        return uv / ((uv + w * w).squareRoot() + w)
    }

    /// Newton's method on the longitude that is reached, within a bracket that is halved where a step leads nowhere.
    @inline(__always)
    mutating func solve(for path: inout GeodesicPath) {
        path.course = .general
        var low = Angle(sine: .nearlyZero, cosine: 1)
        var high = Angle(sine: .nearlyZero, cosine: -1)
        // Both end the search: a step so small that the next would only be noise; a bracket that is closed.
        var isSettled = false
        var isClosed = false
        for step in 0..<Self.allSteps {
            // From the equator along the equator leads nowhere else; the shortest path leaves it to one side.
            if ends.beta1.sine == 0, alpha1.cosine == 0 { alpha1.cosine = -.nearlyZero }
            let trial = GeodesicTrial(from: alpha1, between: ends, on: geodesic)
            let waves = trial.arc.waves
            let lengths = trial.arc.lengths(metric1: ends.metric1, metric2: ends.metric2, waves: waves)
            path.alpha2 = trial.alpha2
            path.arc = trial.arc.radians
            path.length = lengths.length
            path.reducedLength = lengths.reduced
            // A step before this one was so short that its square no longer counts.
            if isClosed { break }

            let error =
                (trial.omega12 - ends.lambda12).smallRadians - trial.lead(on: geodesic, waves: waves)
            guard abs(error) >= (isSettled ? 8 : 1) * Self.roundingUnit else { break }

            if error > 0 {
                if step > Self.newtonSteps || alpha1.cosine * high.sine > high.cosine * alpha1.sine { high = alpha1 }
            } else if step > Self.newtonSteps || alpha1.cosine * low.sine < low.cosine * alpha1.sine {
                low = alpha1
            }
            if step < Self.newtonSteps {
                // Equation 46, with its limit where the path is along a parallel.
                let slope =
                    trial.alpha2.cosine == 0
                    ? -2 * geodesic.axisRatio * ends.metric1 / ends.beta1.sine
                    : lengths.reduced * geodesic.axisRatio / (trial.alpha2.cosine * ends.beta2.cosine)
                let change = -error / slope
                if slope > 0, abs(change) < Double.pi {
                    let next = alpha1.turned(by: change)
                    if next.sine > 0 {
                        alpha1 = next.normalized
                        isSettled = abs(error) <= 16 * Self.roundingUnit
                        // Newton's error is about change^2 over the scale on which the slope changes: small where the
                        // path ends along a parallel or passes close to a pole.
                        let scale = min(trial.alpha2.cosine * trial.alpha2.cosine, trial.alpha0.sine)
                        isClosed = slope > 0.1 && abs(change) < 5e-9 * scale
                        continue
                    }
                }
            }
            let middle = Angle(sine: (low.sine + high.sine) / 2, cosine: (low.cosine + high.cosine) / 2).normalized
            let tolerance = Self.roundingUnit * 0x1p-26
            isSettled = false
            isClosed =
                abs(low.sine - middle.sine) + (low.cosine - middle.cosine) < tolerance
                || abs(middle.sine - high.sine) + (middle.cosine - high.cosine) < tolerance
            alpha1 = middle
        }
        path.alpha1 = alpha1
    }
}

extension Angle {
    /// The same direction with the length 1, or east where it points west or nowhere.
    fileprivate var orEastward: Angle {
        sine > 0 ? normalized : Angle(sine: 1, cosine: 0)
    }
}
