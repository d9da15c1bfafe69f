/// Polynomials of fixed degree, which live in registers; `a` is the constant term.

struct Linear: Sendable {
    var a: Double, b: Double

    @inline(__always)
    func callAsFunction(_ x: Double) -> Double { a + x * b }
}

struct Quadratic: Sendable {
    var a: Double, b: Double, c: Double

    @inline(__always)
    func callAsFunction(_ x: Double) -> Double { a + x * (b + x * c) }
}

struct Cubic: Sendable {
    var a: Double, b: Double, c: Double, d: Double

    @inline(__always)
    func callAsFunction(_ x: Double) -> Double { a + x * (b + x * (c + x * d)) }
}

struct Quartic: Sendable {
    var a: Double, b: Double, c: Double, d: Double, e: Double

    @inline(__always)
    func callAsFunction(_ x: Double) -> Double { a + x * (b + x * (c + x * (d + x * e))) }
}

struct Quintic: Sendable {
    var a: Double, b: Double, c: Double, d: Double, e: Double, f: Double

    @inline(__always)
    func callAsFunction(_ x: Double) -> Double { a + x * (b + x * (c + x * (d + x * (e + x * f)))) }
}
