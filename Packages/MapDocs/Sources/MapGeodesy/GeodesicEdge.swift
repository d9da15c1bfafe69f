import Foundation

/// What one edge adds to a ring.
struct GeodesicEdge {
    let length: Double
    /// The area between the edge and the equator in square metres, positive for an eastward edge in the north.
    let area: Double
    /// The longitude difference along the edge, -180...180.
    let eastwardDegrees: Double
}

extension Geodesic {
    func edge(from start: GeodesicPoint, to end: GeodesicPoint) -> GeodesicEdge {
        guard start.isPlace, end.isPlace else {
            return GeodesicEdge(length: .nan, area: .nan, eastwardDegrees: 0)
        }
        let ends = GeodesicEnds(from: start, to: end, on: self)
        let path = GeodesicPath(between: ends, on: self)
        let area = path.length == 0 ? 0 : areaBelow(path, between: ends)
        return GeodesicEdge(
            length: path.length * polarRadius,
            area: ends.isWestward != ends.isMirroredNorthSouth ? -area : area,
            eastwardDegrees: ends.eastwardDegrees
        )
    }

    /// The area between a path in the standard orientation and the equator, equations 58 to 64.
    @inline(__always)
    private func areaBelow(_ path: GeodesicPath, between ends: GeodesicEnds) -> Double {
        let (beta1, beta2, alpha1, alpha2) = (ends.beta1, ends.beta2, path.alpha1, path.alpha2)
        let alpha0 = Angle(
            sine: alpha1.sine * beta1.cosine,
            cosine: Angle(sine: alpha1.sine * beta1.sine, cosine: alpha1.cosine).length
        )
        let arc = GeodesicArc(
            from: Angle(sine: beta1.sine, cosine: alpha1.cosine * beta1.cosine).normalized,
            to: Angle(sine: beta2.sine, cosine: alpha2.cosine * beta2.cosine).normalized,
            epsilon: epsilon(equatorialAzimuthCosine: alpha0.cosine)
        )
        // What the ellipsoid adds to the sphere of the same area.
        var bulge = 0.0
        if alpha0.sine != 0, alpha0.cosine != 0 {
            let waves = series.c4(arc.epsilon)
            bulge =
                equatorialRadius * equatorialRadius * eccentricitySquared * alpha0.cosine * alpha0.sine
                * (waves.sum(at: arc.sigma2) - waves.sum(at: arc.sigma1))
        }

        var omega12: Angle?
        switch path.course {
        case .meridional: break
        case .spherical(let angle): omega12 = angle
        case .general:
            let lead =
                flattening * series.longitudeFactor(arc.epsilon) * alpha0.sine
                * (arc.radians + series.c3(arc.epsilon).sum(over: arc.waves))
            omega12 = ends.lambda12.turned(by: lead)
        }
        // The azimuth's turn along the path: from the longitude by equation 64, or where that is ill conditioned directly.
        let turn: Double
        if let omega12, omega12.cosine > -0.7071, beta2.sine - beta1.sine < 1.75 {
            turn =
                2
                * atan2(
                    omega12.sine * (beta1.sine * (1 + beta2.cosine) + beta2.sine * (1 + beta1.cosine)),
                    (1 + omega12.cosine) * (beta1.sine * beta2.sine + (1 + beta1.cosine) * (1 + beta2.cosine))
                )
        } else {
            let difference = alpha2 - alpha1
            turn =
                difference.sine == 0 && difference.cosine < 0
                ? (alpha1.cosine < 0 ? -Double.pi : Double.pi)
                : difference.radians
        }
        return authalicRadiusSquared * turn + bulge
    }
}
