import HopeRaster
import HopeTokens
import Testing

struct RasterPathTests {
    private typealias Point = RasterPoint

    /// The opacities of a 64 × 64 canvas, row after row, from 0 to 1.
    private func coverage(_ draw: (inout RasterCanvas) -> Void) -> [Double] {
        var canvas = RasterCanvas(width: 64, height: 64)
        draw(&canvas)
        let pixels = canvas.image().pixels
        return stride(from: 3, to: pixels.count, by: 4).map { Double(pixels[$0]) / 255 }
    }

    private func area(_ rings: [[RasterPoint]]) -> Double {
        coverage { $0.fill(rings: rings, with: .solid(.white)) }.reduce(0, +)
    }

    private static let square = [Point(x: 10, y: 10), Point(x: 50, y: 10), Point(x: 50, y: 50), Point(x: 10, y: 50)]
    private static let hole = [Point(x: 20, y: 20), Point(x: 30, y: 20), Point(x: 30, y: 30), Point(x: 20, y: 30)]

    /// Rings with the areas that geometry gives them.
    private static let rings: [([[RasterPoint]], Double)] = [
        ([square], 1600),
        ([square, hole], 1500),
        ([square, hole.reversed()], 1500),
        (
            [[Point(x: 10.25, y: 10.5), Point(x: 20.75, y: 10.5), Point(x: 20.75, y: 11.5), Point(x: 10.25, y: 11.5)]],
            10.5
        ),
        ([[Point(x: 2, y: 3), Point(x: 60, y: 20), Point(x: 15, y: 55)]], 1397.5),
        ([[Point(x: -100, y: -100), Point(x: 200, y: -100), Point(x: 200, y: 200), Point(x: -100, y: 200)]], 4096),
        ([[Point(x: -64, y: 32), Point(x: 32, y: -64), Point(x: 32, y: 32)]], 1024),
    ]

    @Test(arguments: rings)
    func `rings cover their area, holes left out`(rings: [[RasterPoint]], expected: Double) {
        #expect(abs(area(rings) - expected) < 0.005 * expected, "\(area(rings)) instead of \(expected)")
    }

    @Test func `pixels inside a ring are whole and those outside and in holes are untouched`() {
        let pixels = coverage { $0.fill(rings: [Self.square, Self.hole], with: .solid(.white)) }
        #expect(pixels[15 * 64 + 15] == 1)
        #expect(pixels[25 * 64 + 25] == 0)
        #expect(pixels[25 * 64 + 55] == 0)
        #expect(pixels[49 * 64 + 49] == 1)
        #expect(pixels[50 * 64 + 50] == 0)
    }

    @Test func `a translucent line that crosses itself is no darker where it does`() {
        let cross = [Point(x: 10, y: 32), Point(x: 54, y: 32), Point(x: 32, y: 10), Point(x: 32, y: 54)]
        let half = ColorValue(red: 1, green: 1, blue: 1, opacity: 0.5)
        let pixels = coverage { $0.stroke([cross], width: 6, with: .solid(half)) }
        #expect(abs(pixels[32 * 64 + 32] - 0.5) < 0.01)
        #expect(pixels.allSatisfy { $0 < 0.51 })
    }

    @Test(arguments: [
        ([Point(x: 10, y: 30), Point(x: 50, y: 30)], 4.0, 172.566),
        ([Point(x: 10, y: 12), Point(x: 40, y: 52)], 6.0, 328.274),
        ([Point(x: 32, y: 32)], 10.0, 78.54),
        ([Point(x: -1e9, y: 32), Point(x: 1e9, y: 32)], 2.0, 128.0),
    ])
    func `a stroke covers its area`(line: [RasterPoint], width: Double, expected: Double) {
        let area = coverage { $0.stroke([line], width: width, with: .solid(.white)) }.reduce(0, +)
        #expect(abs(area - expected) < 0.02 * expected, "\(area) instead of \(expected)")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func `corners that are no places crash nothing`(value: Double) {
        let odd = [Point(x: value, y: 3), Point(x: 9, y: value), Point(x: 20, y: 40)]
        let pixels = coverage {
            $0.fill(rings: [odd, []], with: .solid(.white))
            $0.stroke([odd, []], width: value, with: .solid(.white))
            $0.stroke([odd], width: 2, with: .solid(.white))
        }
        #expect(pixels.allSatisfy { (0...1).contains($0) })
    }

    @Test("A short line costs what it reaches, not what the canvas has", .timeLimit(.minutes(1)))
    func shortLines() {
        var canvas = RasterCanvas(width: 4096, height: 2048)
        for index in 0..<100_000 {
            let x = Double(index % 4000) + 0.5
            let y = Double(index / 50) + 0.5
            canvas.stroke([[RasterPoint(x: x, y: y), RasterPoint(x: x + 1, y: y)]], width: 1, with: .solid(.white))
        }
        #expect(canvas.image().pixels[3] == 255)
    }
}
