import Foundation

/// Shortest paths on an ellipsoid: their length and directions, walks straight ahead, lengths of lines.
///
/// C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87, 43-55 (2013), with series of the order 6: on the earth
/// distances are right to 20 nm, whatever the points. Nothing here allocates, loops without an end, or traps: what
/// is asked about a point that is no place is answered with NaN. The value is large; make it once and keep it.
public struct Geodesic: Sendable {
    /// The figure on which lines are measured.
    public let ellipsoid: Ellipsoid
    let series: GeodesicSeries

    /// a, f and 1 - f.
    let equatorialRadius: Double
    let flattening: Double
    let axisRatio: Double
    /// b, half the polar axis, in metres.
    let polarRadius: Double
    /// n = f / (2 - f).
    let thirdFlattening: Double
    /// e^2 and e'^2, the squares of the first and second eccentricities.
    let eccentricitySquared: Double
    let secondEccentricitySquared: Double
    /// c^2, the squared radius of the sphere of the same area, equation 60.
    let authalicRadiusSquared: Double
    /// Arcs shorter than this, in radians, are solved on a sphere that fits their place.
    let shortArc: Double

    /// Geodesics on the World Geodetic System 1984.
    public static let wgs84 = Geodesic(.wgs84)

    /// Prepares the series of an ellipsoid.
    public init(_ ellipsoid: Ellipsoid) {
        let f = ellipsoid.flattening
        self.ellipsoid = ellipsoid
        equatorialRadius = ellipsoid.equatorialRadius
        flattening = f
        axisRatio = 1 - f
        polarRadius = ellipsoid.equatorialRadius * (1 - f)
        thirdFlattening = f / (2 - f)
        eccentricitySquared = f * (2 - f)
        secondEccentricitySquared = f * (2 - f) / ((1 - f) * (1 - f))
        let eccentricity = (f * (2 - f)).squareRoot()
        let polarShare = eccentricity == 0 ? 1 : atanh(eccentricity) / eccentricity
        authalicRadiusSquared =
            (equatorialRadius * equatorialRadius + polarRadius * polarRadius * polarShare) / 2
        // The relative error of that sphere is about f sigma^2 / 2 x (1 - f / 2) / 2: a tenth of half a unit in the last place.
        let curvature = max(0.001, f) * (1 - f / 2) / 2
        shortArc = 0.1 * Double.ulpOfOne.squareRoot() / curvature.squareRoot()
        series = GeodesicSeries(thirdFlattening: f / (2 - f))
    }

    /// The area of the whole ellipsoid in square metres.
    public var surfaceArea: Double {
        4 * Double.pi * authalicRadiusSquared
    }

    /// Returns the length of a line through points, in metres.
    ///
    /// - Parameter points: The line's vertices; none or one has the length 0.
    /// - Returns: The sum of the shortest paths from each point to the next; NaN if one of two or more is no place.
    public func length(of points: some Sequence<GeodesicPoint>) -> Double {
        var sum = CompensatedSum()
        var previous: GeodesicPoint?
        for point in points {
            if let previous { sum += inverse(from: previous, to: point).distance }
            previous = point
        }
        return sum.value
    }

    /// epsilon of the geodesic that crosses the equator at an azimuth with this cosine, equations 9 and 16.
    @inline(__always)
    func epsilon(equatorialAzimuthCosine cosine: Double) -> Double {
        let k2 = cosine * cosine * secondEccentricitySquared
        return k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
    }

    /// sqrt(1 + e'^2 sin^2 beta).
    @inline(__always)
    func metric(_ beta: Angle) -> Double {
        (1 + secondEccentricitySquared * beta.sine * beta.sine).squareRoot()
    }

    /// The reduced latitude of a latitude in -90...90 degrees, equation 6; its cosine is never 0.
    @inline(__always)
    func reducedLatitude(_ degrees: Double) -> Angle {
        let phi = Angle(degrees: degrees)
        var beta = Angle(sine: axisRatio * phi.sine, cosine: phi.cosine).normalized
        beta.cosine = max(.nearlyZero, beta.cosine)
        return beta
    }
}
