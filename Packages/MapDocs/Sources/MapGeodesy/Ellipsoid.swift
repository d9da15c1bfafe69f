/// An oblate ellipsoid of revolution, or a sphere: the figure on which lines are measured.
public struct Ellipsoid: Hashable, Sendable {
    /// Half the longest axis, in metres.
    public let equatorialRadius: Double
    /// How much shorter the polar half axis is, as a part of the equatorial one: 0 for a sphere, at most 0.01.
    public let flattening: Double

    /// The World Geodetic System 1984: a = 6378137 m, 1/f = 298.257223563 (NIMA TR8350.2, table 3.1).
    public static let wgs84 = Ellipsoid(validEquatorialRadius: 6_378_137, flattening: 1 / 298.257_223_563)

    /// Makes an ellipsoid.
    ///
    /// - Parameters:
    ///   - equatorialRadius: Half the longest axis in metres, 1 to 1e12.
    ///   - flattening: 0 (a sphere) to 0.01; the series behind the results keep their full accuracy in that range.
    /// - Throws: `EllipsoidError` when a value is not a number or out of its range; the message says which and why.
    public init(equatorialRadius: Double, flattening: Double) throws(EllipsoidError) {
        guard equatorialRadius >= 1, equatorialRadius <= 1e12 else { throw .equatorialRadius(equatorialRadius) }
        guard flattening >= 0, flattening <= 0.01 else { throw .flattening(flattening) }
        self.init(validEquatorialRadius: equatorialRadius, flattening: flattening)
    }

    private init(validEquatorialRadius: Double, flattening: Double) {
        equatorialRadius = validEquatorialRadius
        self.flattening = flattening
    }
}

/// Why an ellipsoid cannot be made of the values given.
public enum EllipsoidError: Error, Hashable, Sendable {
    /// The radius, in metres, is not a number from 1 to 1e12.
    case equatorialRadius(Double)
    /// The flattening is not a number from 0 to 0.01.
    case flattening(Double)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension EllipsoidError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .equatorialRadius(let value):
            "An equatorial radius of \(value) m is not usable; give a number from 1 to 1e12."
        case .flattening(let value):
            "A flattening of \(value) is not usable; give a number from 0 (a sphere) to 0.01, such as 1 / 298.257223563."
        }
    }
}
