import Foundation

/// The image of a geodesic on the auxiliary sphere, between the parallels of its two ends.
///
/// Figure 1: a great circle crosses the equator at the azimuth alpha0; sigma counts along it, from its crossing.
struct GeodesicArc {
    let sigma1: Angle
    let sigma2: Angle
    /// sigma2 - sigma1, in 0...pi, as an angle and in radians.
    let sigma12: Angle
    let radians: Double
    let epsilon: Double

    @inline(__always)
    init(from sigma1: Angle, to sigma2: Angle, epsilon: Double) {
        self.sigma1 = sigma1
        self.sigma2 = sigma2
        self.epsilon = epsilon
        var difference = sigma2 - sigma1
        // Never a negative zero, which would be half a turn the other way.
        difference.sine = max(0, difference.sine) + 0
        sigma12 = difference
        radians = difference.radians
    }

    /// The length and the reduced length in units of the polar radius, equations 7, 15, 38 to 41.
    @inline(__always)
    func lengths(metric1: Double, metric2: Double, waves: SineDifferences) -> (length: Double, reduced: Double) {
        let a1 = GeodesicSeries.a1(epsilon)
        let a2 = GeodesicSeries.a2(epsilon)
        let distance = GeodesicSeries.c1(epsilon).sum(over: waves)
        let scale = GeodesicSeries.c2(epsilon).sum(over: waves)
        let j = (a1 - a2) * radians + (a1 * distance - a2 * scale)
        let reduced =
            metric2 * (sigma1.cosine * sigma2.sine) - metric1 * (sigma1.sine * sigma2.cosine)
            - sigma1.cosine * sigma2.cosine * j
        return (a1 * (radians + distance), reduced)
    }

    var waves: SineDifferences {
        @inline(__always) get { SineDifferences(from: sigma1, to: sigma2, arc: sigma12) }
    }
}

/// A geodesic that leaves the first end at some azimuth, up to the parallel of the second: it may meet it elsewhere.
struct GeodesicTrial {
    let alpha0: Angle
    let alpha2: Angle
    let arc: GeodesicArc
    /// The longitude difference on the auxiliary sphere; its length is not 1.
    let omega12: Angle

    /// Equations 5, 8, 11, 12 and 45.
    @inline(__always)
    init(from alpha1: Angle, between ends: GeodesicEnds, on geodesic: Geodesic) {
        let (beta1, beta2) = (ends.beta1, ends.beta2)
        let northward1 = alpha1.cosine * beta1.cosine
        let sine0 = alpha1.sine * beta1.cosine
        let cosine0 = Angle(sine: alpha1.sine * beta1.sine, cosine: alpha1.cosine).length
        alpha0 = Angle(sine: sine0, cosine: cosine0)

        let northward2: Double
        if beta2.cosine != beta1.cosine || abs(beta2.sine) != -beta1.sine {
            let gain =
                beta1.cosine < -beta1.sine
                ? (beta2.cosine - beta1.cosine) * (beta1.cosine + beta2.cosine)
                : (beta1.sine - beta2.sine) * (beta1.sine + beta2.sine)
            northward2 = (northward1 * northward1 + gain).squareRoot()
            alpha2 = Angle(sine: sine0 / beta2.cosine, cosine: northward2 / beta2.cosine)
        } else {
            northward2 = abs(northward1)
            alpha2 = Angle(sine: alpha1.sine, cosine: abs(alpha1.cosine))
        }
        arc = GeodesicArc(
            from: Angle(sine: beta1.sine, cosine: northward1).normalized,
            to: Angle(sine: beta2.sine, cosine: northward2).normalized,
            epsilon: geodesic.epsilon(equatorialAzimuthCosine: cosine0)
        )
        let omega1 = Angle(sine: sine0 * beta1.sine, cosine: northward1)
        let omega2 = Angle(sine: sine0 * beta2.sine, cosine: northward2)
        var difference = omega2 - omega1
        difference.sine = max(0, difference.sine) + 0
        omega12 = difference
    }

    /// How far omega12 is ahead of the longitude difference, in radians, equations 8 and 23.
    @inline(__always)
    func lead(on geodesic: Geodesic, waves: SineDifferences) -> Double {
        geodesic.flattening * geodesic.series.longitudeFactor(arc.epsilon) * alpha0.sine
            * (arc.radians + geodesic.series.c3(arc.epsilon).sum(over: waves))
    }
}
