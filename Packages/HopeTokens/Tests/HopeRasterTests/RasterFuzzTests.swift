import HopeRaster
import HopeTokens
import Testing

struct RasterFuzzTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `any measures give a picture`(seed: UInt64) {
        var state = seed
        func number() -> Double {
            let choices = [
                0, -0.0, 1, -1, 3.5, 7, 0.3, 1e-300, 1e20, -1e20, 1e300, -1e300, .greatestFiniteMagnitude, .infinity,
                -.infinity, .nan, .leastNonzeroMagnitude, 1e38, 4e38,
            ]
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return choices[Int(state >> 33) % choices.count]
        }
        func point() -> RasterPoint { RasterPoint(x: number(), y: number()) }
        for _ in 0..<40 {
            var canvas = RasterCanvas(width: 6, height: 6, background: .black)
            let shapes: [RasterShape] = [
                .circle(center: point(), radius: number()),
                .ellipse(center: point(), radiusX: number(), radiusY: number(), rotation: number()),
                .roundedRectangle(x: number(), y: number(), width: number(), height: number(), radius: number()),
                .line(from: point(), to: point(), width: number()),
                .stroke(.line(from: point(), to: point(), width: number()), width: number()),
            ]
            let stops = [
                GradientStop(position: number(), color: .white), GradientStop(position: number(), color: .black),
            ]
            let paints: [RasterPaint] = [
                .solid(.white), .glow(.white, radius: number()),
                .linearGradient(from: point(), to: point(), stops: stops),
                .radialGradient(center: point(), radius: number(), stops: stops),
            ]
            for shape in shapes {
                for paint in paints { canvas.fill(shape, with: paint) }
            }
            let pixels = canvas.image().pixels
            let opaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
            #expect(opaque, "seed \(seed): opaque colours over an opaque background stay opaque")
        }
    }
}
