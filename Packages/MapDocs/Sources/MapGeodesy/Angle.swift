import Foundation

/// An angle as its sine and cosine, which keeps differences exact where radians would round.
struct Angle {
    var sine: Double
    var cosine: Double

    @inline(__always)
    init(sine: Double, cosine: Double) {
        self.sine = sine
        self.cosine = cosine
    }

    /// The angle of so many degrees, 0...180, plus a part that is too small to be added to them.
    ///
    /// The argument of the library's functions stays below 45 degrees, counted from the nearest quarter turn: 90 and
    /// 180 degrees come out exact, and an angle just short of them keeps its distance from them.
    @inline(__always)
    init(halfTurnDegrees degrees: Double, rest: Double = 0) {
        if degrees <= 45 {
            let radians = (degrees + rest) * .radiansPerDegree
            self.init(sine: sin(radians), cosine: cos(radians))
        } else if degrees < 135 {
            let radians = ((90 - degrees) - rest) * .radiansPerDegree
            self.init(sine: cos(radians), cosine: sin(radians))
        } else {
            let radians = ((180 - degrees) - rest) * .radiansPerDegree
            self.init(sine: sin(radians), cosine: -cos(radians))
        }
    }

    /// The angle of so many degrees, -180...180.
    @inline(__always)
    init(degrees: Double) {
        self.init(halfTurnDegrees: abs(degrees))
        if degrees < 0 { sine = -sine }
    }

    @inline(__always)
    init(radians: Double) {
        self.init(sine: sin(radians), cosine: cos(radians))
    }

    @inline(__always)
    var length: Double {
        (sine * sine + cosine * cosine).squareRoot()
    }

    /// The same direction with the length 1.
    @inline(__always)
    var normalized: Angle {
        let length = length
        return Angle(sine: sine / length, cosine: cosine / length)
    }

    @inline(__always)
    var radians: Double {
        atan2(sine, cosine)
    }

    /// The angle in degrees, -180...180; never a negative zero, which would be printed as -0.
    @inline(__always)
    var degrees: Double {
        radians * .degreesPerRadian + 0
    }

    /// Twice the angle.
    @inline(__always)
    var doubled: Angle {
        Angle(sine: 2 * sine * cosine, cosine: (cosine - sine) * (cosine + sine))
    }

    @inline(__always)
    static func + (left: Angle, right: Angle) -> Angle {
        Angle(
            sine: left.sine * right.cosine + left.cosine * right.sine,
            cosine: left.cosine * right.cosine - left.sine * right.sine
        )
    }

    @inline(__always)
    static func - (left: Angle, right: Angle) -> Angle {
        Angle(
            sine: left.sine * right.cosine - left.cosine * right.sine,
            cosine: left.cosine * right.cosine + left.sine * right.sine
        )
    }

    /// Turns by a small angle, in radians; below 0.02 by series whose next terms are below half a unit in the last place.
    @inline(__always)
    func turned(by radians: Double) -> Angle {
        guard abs(radians) < 0.02 else { return self + Angle(radians: radians) }
        let square = radians * radians
        let sine = radians * (1 - square / 6 * (1 - square / 20 * (1 - square / 42)))
        let cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
        return self + Angle(sine: sine, cosine: cosine)
    }

    /// The angle in radians, by a series when it is small; the length need not be 1.
    @inline(__always)
    var smallRadians: Double {
        guard cosine > 0, abs(sine) < 0.016 * cosine else { return radians }
        let tangent = sine / cosine
        let square = tangent * tangent
        return tangent - tangent * square * (1 / 3 - square * (1 / 5 - square * (1 / 7 - square / 9)))
    }
}

extension Double {
    static let radiansPerDegree = Double.pi / 180
    static let degreesPerRadian = 180 / Double.pi

    /// So small that its square is still a normal number; stands for a zero that is divided by.
    static let nearlyZero = 0x1p-511

    /// Rounds a value below 1/16 to a multiple of 2^-57, so that products of small degrees cannot underflow.
    ///
    /// As a coordinate the difference is less than a millionth of a nanometre. Zeros come out positive.
    @inline(__always)
    var withoutTinyPart: Double {
        let rest = 0.0625 - abs(self)
        guard rest > 0 else { return self }
        let rounded = 0.0625 - rest
        return self < 0 ? 0 - rounded : rounded
    }
}
