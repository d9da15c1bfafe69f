import HopeTokens
import Testing

/// The expected values come from halving the parameter 130 times in 40-digit arithmetic (Python with mpmath).
struct TimingCurveTests {
    @Test(
        arguments: [
            (TimingCurve.linear, [0.1, 0.25, 0.5, 0.75, 0.9]),
            (.ease, [0.09479630571604, 0.4085105913554, 0.8024033875849, 0.960458978349, 0.9943164774846]),
            (.easeIn, [0.01702660965156, 0.09346465071882, 0.3153568125725, 0.6218618691749, 0.8394278457625]),
            (.easeOut, [0.1605721542375, 0.3781381308251, 0.6846431874275, 0.9065353492812, 0.9829733903484]),
            (.easeInOut, [0.01972245354831, 0.1291619310473, 0.5, 0.8708380689527, 0.9802775464517]),
            (
                .cubicBezier(0.22, 1, 0.36, 1),
                [0.4010968955188, 0.7648647190589, 0.9613825478043, 0.9968942173251, 0.9998395258793]
            ),
            (
                .cubicBezier(0.34, 1.56, 0.64, 1),
                [0.4039330419791, 0.8162891986925, 1.087400670219, 1.059646859964, 1.012615579146]
            ),
            (
                .cubicBezier(0.9, 0.05, 0.1, 0.95),
                [0.009962572079233, 0.04910753028129, 0.5, 0.9508924697187, 0.9900374279208]
            ),
            (
                .cubicBezier(0, 1, 0, 1),
                [0.8461462430743, 0.9493307858662, 0.99122000311, 0.9992354525772, 0.9999588984584]
            ),
        ])
    func `progress matches the curve`(curve: TimingCurve, expected: [Double]) {
        for (fraction, value) in zip([0.1, 0.25, 0.5, 0.75, 0.9], expected) {
            #expect(abs(curve.progress(at: fraction) - value) < 1e-9, "at \(fraction)")
        }
    }

    @Test(arguments: [TimingCurve.linear, .ease, .cubicBezier(0.22, 1, 0.36, 1), .cubicBezier(1, 0, 0, 1)])
    func `the ends are exact and times outside are held`(curve: TimingCurve) {
        #expect([-1, -0.0, 0, .nan, -.infinity].map(curve.progress) == [0, 0, 0, 0, 0])
        #expect([1, 1.5, .infinity].map(curve.progress) == [1, 1, 1])
    }

    @Test(arguments: [TimingCurve.ease, .easeInOut, .cubicBezier(1, 0, 0, 1), .cubicBezier(0, 0, 0, 0)])
    func `a curve that does not overshoot never goes back`(curve: TimingCurve) {
        let values = (0...2000).map { curve.progress(at: Double($0) / 2000) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
        #expect(values.allSatisfy { (0...1).contains($0) })
    }

    @Test func `control points with times outside 0 to 1 are held to it`() {
        let fraction = 0.3
        #expect(
            TimingCurve.cubicBezier(-2, 0.2, 9, 0.8).progress(at: fraction)
                == TimingCurve.cubicBezier(0, 0.2, 1, 0.8).progress(at: fraction)
        )
        #expect(TimingCurve.cubicBezier(.nan, 0, .nan, 1).progress(at: fraction).isFinite)
    }
}
