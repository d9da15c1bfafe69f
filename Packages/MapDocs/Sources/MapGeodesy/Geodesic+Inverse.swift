extension Geodesic {
    /// Finds the shortest path between two points.
    ///
    /// - Parameters:
    ///   - start: The first point.
    ///   - end: The second point.
    /// - Returns: The path; all NaN if either point is no place.
    public func inverse(from start: GeodesicPoint, to end: GeodesicPoint) -> GeodesicInverse {
        guard start.isPlace, end.isPlace else { return .invalid }
        let ends = GeodesicEnds(from: start, to: end, on: self)
        let path = GeodesicPath(between: ends, on: self)
        return GeodesicInverse(
            distance: path.length * polarRadius,
            initialAzimuth: ends.initialAzimuth(of: path).degrees,
            finalAzimuth: ends.finalAzimuth(of: path).degrees,
            arcLength: path.arc * .degreesPerRadian,
            reducedLength: path.reducedLength * polarRadius
        )
    }
}
