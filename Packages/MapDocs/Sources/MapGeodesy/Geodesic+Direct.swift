import Foundation

extension Geodesic {
    /// Walks straight ahead from a point.
    ///
    /// - Parameters:
    ///   - start: Where the walk begins.
    ///   - azimuth: The direction in degrees clockwise from north, any finite value. At a pole, north is along the
    ///     meridian that the point's longitude names.
    ///   - distance: How far in metres, any finite value; a negative one walks backwards.
    /// - Returns: The end and the direction there; all NaN if the start is no place or a value is not finite.
    public func direct(from start: GeodesicPoint, azimuth: Double, distance: Double) -> GeodesicDirect {
        guard start.isPlace, azimuth.isFinite, distance.isFinite else { return .invalid }
        let alpha1 = Angle(degrees: azimuth.remainder(dividingBy: 360).withoutTinyPart)
        let beta1 = reducedLatitude(start.latitude.withoutTinyPart)

        // The geodesic's azimuth where it crosses the equator, equation 5, and where the start lies on it, 11 and 12.
        let alpha0 = Angle(
            sine: alpha1.sine * beta1.cosine,
            cosine: Angle(sine: alpha1.sine * beta1.sine, cosine: alpha1.cosine).length
        )
        let northward = beta1.sine == 0 && alpha1.cosine == 0 ? 1 : alpha1.cosine * beta1.cosine
        let sigma1 = Angle(sine: beta1.sine, cosine: northward).normalized
        let omega1 = Angle(sine: alpha0.sine * beta1.sine, cosine: northward)

        // The arc of the distance, equations 7, 15 and 20.
        let epsilon = epsilon(equatorialAzimuthCosine: alpha0.cosine)
        let start1 = GeodesicSeries.c1(epsilon).sum(at: sigma1)
        let tau1 = sigma1.turned(by: start1)
        let tau12 = distance / (polarRadius * GeodesicSeries.a1(epsilon))
        let end1 = GeodesicSeries.revertedC1(epsilon).sum(at: tau1 + Angle(radians: tau12))
        let sigma12 = tau12 + end1 + start1
        let arc = Angle(radians: sigma12)
        let sigma2 = sigma1 + arc

        // Back to azimuth, latitude and longitude there, equations 8 and 12 to 14.
        let alpha2 = Angle(sine: alpha0.sine, cosine: max(0, alpha0.cosine) * sigma2.cosine)
        let beta2 = Angle(sine: alpha0.cosine * sigma2.sine, cosine: alpha2.length)
        let omega12 = (Angle(sine: alpha0.sine * sigma2.sine, cosine: sigma2.cosine) - omega1).radians
        let waves = series.c3(epsilon).sum(over: SineDifferences(from: sigma1, to: sigma2, arc: arc))
        let lambda12 =
            omega12 - flattening * series.longitudeFactor(epsilon) * alpha0.sine * (sigma12 + waves)
        let longitude =
            start.longitude.remainder(dividingBy: 360) + lambda12 * .degreesPerRadian
        return GeodesicDirect(
            end: GeodesicPoint(
                latitude: Angle(sine: beta2.sine, cosine: axisRatio * beta2.cosine).degrees,
                longitude: longitude.remainder(dividingBy: 360) + 0
            ),
            finalAzimuth: alpha2.degrees,
            arcLength: sigma12 * .degreesPerRadian
        )
    }
}
