/// The power series of the geodesic integrals on one ellipsoid, to the order 6 in the flattening.
///
/// C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87, 43-55 (2013); equation numbers here and in this module
/// are that paper's. The coefficients were derived anew from the integrals, in rational arithmetic, by the script
/// make_series.py beside this module's tests. `epsilon` is the third flattening of a geodesic's own ellipse, equation 16.
struct GeodesicSeries: Sendable {
    private let a3: Quintic
    private let c31: Quartic
    private let c32: Cubic
    private let c33: Quadratic
    private let c34: Linear
    private let c35: Double
    private let c40: Quintic
    private let c41: Quartic
    private let c42: Cubic
    private let c43: Quadratic
    private let c44: Linear
    private let c45: Double

    /// Fits the longitude and area series to an ellipsoid of the third flattening n = f / (2 - f); equations 24, 25, 63.
    init(thirdFlattening n: Double) {
        a3 = Quintic(
            a: 1,
            b: Linear(a: -1 / 2, b: 1 / 2)(n),
            c: Quadratic(a: -1 / 4, b: -1 / 8, c: 3 / 8)(n),
            d: Quadratic(a: -1 / 16, b: -3 / 16, c: -1 / 16)(n),
            e: Linear(a: -3 / 64, b: -1 / 32)(n),
            f: -3 / 128
        )
        c31 = Quartic(
            a: Linear(a: 1 / 4, b: -1 / 4)(n),
            b: Quadratic(a: 1 / 8, b: 0, c: -1 / 8)(n),
            c: Quadratic(a: 3 / 64, b: 3 / 64, c: -1 / 64)(n),
            d: Linear(a: 5 / 128, b: 1 / 64)(n),
            e: 3 / 128
        )
        c32 = Cubic(
            a: Quadratic(a: 1 / 16, b: -3 / 32, c: 1 / 32)(n),
            b: Quadratic(a: 3 / 64, b: -1 / 32, c: -3 / 64)(n),
            c: Linear(a: 3 / 128, b: 1 / 128)(n),
            d: 5 / 256
        )
        c33 = Quadratic(
            a: Quadratic(a: 5 / 192, b: -3 / 64, c: 5 / 192)(n),
            b: Linear(a: 3 / 128, b: -5 / 192)(n),
            c: 7 / 512
        )
        c34 = Linear(
            a: Linear(a: 7 / 512, b: -7 / 256)(n),
            b: 7 / 512
        )
        c35 = 21 / 2560
        c40 = Quintic(
            a: Quintic(a: 2 / 3, b: -4 / 15, c: 8 / 105, d: 4 / 315, e: 16 / 3465, f: 20 / 9009)(n),
            b: Quartic(a: -1 / 5, b: 16 / 35, c: -32 / 105, d: 16 / 385, e: 64 / 15_015)(n),
            c: Cubic(a: -2 / 105, b: -32 / 315, c: 1088 / 3465, d: -1184 / 5005)(n),
            d: Quadratic(a: 11 / 315, b: -368 / 3465, c: -32 / 6435)(n),
            e: Linear(a: 4 / 1155, b: 1088 / 45_045)(n),
            f: 97 / 15_015
        )
        c41 = Quartic(
            a: Quartic(a: 1 / 45, b: -16 / 315, c: 32 / 945, d: -16 / 3465, e: -64 / 135_135)(n),
            b: Cubic(a: -2 / 105, b: 64 / 945, c: -128 / 1485, d: 1984 / 45_045)(n),
            c: Quadratic(a: -1 / 105, b: 16 / 2079, c: 5792 / 135_135)(n),
            d: Linear(a: 4 / 1155, b: -2944 / 135_135)(n),
            e: 1 / 9009
        )
        c42 = Cubic(
            a: Cubic(a: 4 / 525, b: -32 / 1575, c: 64 / 3465, d: -32 / 5005)(n),
            b: Quadratic(a: -8 / 1575, b: 128 / 5775, c: -256 / 6825)(n),
            c: Linear(a: -8 / 1925, b: 1856 / 225_225)(n),
            d: 8 / 10_725
        )
        c43 = Quadratic(
            a: Quadratic(a: 8 / 2205, b: -256 / 24_255, c: 512 / 45_045)(n),
            b: Linear(a: -16 / 8085, b: 1024 / 105_105)(n),
            c: -136 / 63_063
        )
        c44 = Linear(
            a: Linear(a: 64 / 31_185, b: -512 / 81_081)(n),
            b: -128 / 135_135
        )
        c45 = 128 / 99_099
    }
}

/// The factors of sin 2 l sigma, l = 1...6.
struct SineCoefficients {
    var c1: Double, c2: Double, c3: Double, c4: Double, c5: Double, c6: Double

    /// The sum of the sines of one angle, by Clenshaw's recurrence.
    @inline(__always)
    func sum(at sigma: Angle) -> Double {
        let double = sigma.doubled
        let step = 2 * double.cosine
        let b5 = c5 + step * c6
        let b4 = c4 + step * b5 - c6
        let b3 = c3 + step * b4 - b5
        let b2 = c2 + step * b3 - b4
        let b1 = c1 + step * b2 - b3
        return b1 * double.sine
    }

    /// The sum's difference between the ends of an arc, from the sines' own differences.
    @inline(__always)
    func sum(over differences: SineDifferences) -> Double {
        let high = c6 * differences.d6 + c5 * differences.d5 + c4 * differences.d4
        return high + c3 * differences.d3 + c2 * differences.d2 + c1 * differences.d1
    }
}

/// sin 2 l sigma2 - sin 2 l sigma1, l = 1...6: what all series of one arc share.
///
/// Taken as 2 cos l(sigma1 + sigma2) sin l(sigma2 - sigma1), so that nothing cancels on a short arc.
struct SineDifferences {
    let d1: Double, d2: Double, d3: Double, d4: Double, d5: Double, d6: Double

    @inline(__always)
    init(from sigma1: Angle, to sigma2: Angle, arc: Angle) {
        let middle = 2 * (sigma1.cosine * sigma2.cosine - sigma1.sine * sigma2.sine)
        let step = 2 * arc.cosine
        // Twice the cosines, so that they need no factor later; the recurrence is linear.
        let c2 = middle * middle - 2
        let c3 = middle * c2 - middle
        let c4 = middle * c3 - c2
        let c5 = middle * c4 - c3
        let c6 = middle * c5 - c4
        let s2 = step * arc.sine
        let s3 = step * s2 - arc.sine
        let s4 = step * s3 - s2
        let s5 = step * s4 - s3
        let s6 = step * s5 - s4
        d1 = middle * arc.sine
        d2 = c2 * s2
        d3 = c3 * s3
        d4 = c4 * s4
        d5 = c5 * s5
        d6 = c6 * s6
    }
}

/// The factors of cos (2 l + 1) sigma, l = 0...5.
struct CosineCoefficients {
    var c0: Double, c1: Double, c2: Double, c3: Double, c4: Double, c5: Double

    /// The sum of the cosines of one angle, by Clenshaw's recurrence.
    @inline(__always)
    func sum(at sigma: Angle) -> Double {
        let step = 2 * sigma.doubled.cosine
        let b4 = c4 + step * c5
        let b3 = c3 + step * b4 - c5
        let b2 = c2 + step * b3 - b4
        let b1 = c1 + step * b2 - b3
        let b0 = c0 + step * b1 - b2
        return (b0 - b1) * sigma.cosine
    }
}

extension GeodesicSeries {
    /// A3, equation 24.
    @inline(__always)
    func longitudeFactor(_ epsilon: Double) -> Double {
        a3(epsilon)
    }

    /// C3, equation 25; five terms, as the longitude integral is multiplied by the flattening.
    @inline(__always)
    func c3(_ epsilon: Double) -> SineCoefficients {
        let square = epsilon * epsilon
        let fourth = square * square
        return SineCoefficients(
            c1: epsilon * c31(epsilon),
            c2: square * c32(epsilon),
            c3: square * epsilon * c33(epsilon),
            c4: fourth * c34(epsilon),
            c5: fourth * epsilon * c35,
            c6: 0
        )
    }

    /// C4, equation 63.
    @inline(__always)
    func c4(_ epsilon: Double) -> CosineCoefficients {
        let square = epsilon * epsilon
        let fourth = square * square
        return CosineCoefficients(
            c0: c40(epsilon),
            c1: epsilon * c41(epsilon),
            c2: square * c42(epsilon),
            c3: square * epsilon * c43(epsilon),
            c4: fourth * c44(epsilon),
            c5: fourth * epsilon * c45
        )
    }

    /// A1, equation 17.
    @inline(__always)
    static func a1(_ epsilon: Double) -> Double {
        Cubic(a: 1, b: 1 / 4, c: 1 / 64, d: 1 / 256)(epsilon * epsilon) / (1 - epsilon)
    }

    /// A2, equation 42.
    @inline(__always)
    static func a2(_ epsilon: Double) -> Double {
        Cubic(a: 1, b: 1 / 4, c: 9 / 64, d: 25 / 256)(epsilon * epsilon) * (1 - epsilon)
    }

    /// C1, equation 18.
    @inline(__always)
    static func c1(_ epsilon: Double) -> SineCoefficients {
        let square = epsilon * epsilon
        let (cube, fourth) = (square * epsilon, square * square)
        let (fifth, sixth) = (fourth * epsilon, fourth * square)
        return SineCoefficients(
            c1: epsilon * Quadratic(a: -1 / 2, b: 3 / 16, c: -1 / 32)(square),
            c2: square * Quadratic(a: -1 / 16, b: 1 / 32, c: -9 / 2048)(square),
            c3: cube * Linear(a: -1 / 48, b: 3 / 256)(square),
            c4: fourth * Linear(a: -5 / 512, b: 3 / 512)(square),
            c5: fifth * (-7 / 1280),
            c6: sixth * (-7 / 2048)
        )
    }

    /// C1', the reversion of C1, equation 21.
    @inline(__always)
    static func revertedC1(_ epsilon: Double) -> SineCoefficients {
        let square = epsilon * epsilon
        let (cube, fourth) = (square * epsilon, square * square)
        let (fifth, sixth) = (fourth * epsilon, fourth * square)
        return SineCoefficients(
            c1: epsilon * Quadratic(a: 1 / 2, b: -9 / 32, c: 205 / 1536)(square),
            c2: square * Quadratic(a: 5 / 16, b: -37 / 96, c: 1335 / 4096)(square),
            c3: cube * Linear(a: 29 / 96, b: -75 / 128)(square),
            c4: fourth * Linear(a: 539 / 1536, b: -2391 / 2560)(square),
            c5: fifth * (3467 / 7680),
            c6: sixth * (38_081 / 61_440)
        )
    }

    /// C2, equation 43.
    @inline(__always)
    static func c2(_ epsilon: Double) -> SineCoefficients {
        let square = epsilon * epsilon
        let (cube, fourth) = (square * epsilon, square * square)
        let (fifth, sixth) = (fourth * epsilon, fourth * square)
        return SineCoefficients(
            c1: epsilon * Quadratic(a: 1 / 2, b: 1 / 16, c: 1 / 32)(square),
            c2: square * Quadratic(a: 3 / 16, b: 1 / 32, c: 35 / 2048)(square),
            c3: cube * Linear(a: 5 / 48, b: 5 / 256)(square),
            c4: fourth * Linear(a: 35 / 512, b: 7 / 512)(square),
            c5: fifth * (63 / 1280),
            c6: sixth * (77 / 2048)
        )
    }
}
