import HopeTokens
import Testing

struct ColorParserFuzzTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `any text is a colour that reads back, or an error`(seed: UInt64) {
        var state = seed
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pieces = [
            "#", "f", "0", "9", "A", "rgb(", "rgba(", "RGB", "(", ")", ",", " ", "/", "%", "-", "+", ".", "e", "12",
            "255",
            "none", "\t", "\0", "é", "🟦", "1e400", "0.5",
        ]
        for _ in 0..<200 {
            let text = (0..<next(14)).map { _ in pieces[next(pieces.count)] }.joined()
            for candidate in [text, "rgb(" + text + ")", "#" + text] {
                guard let color = try? ColorValue(parsing: candidate) else { continue }
                let components = [color.red, color.green, color.blue, color.opacity]
                #expect(components.allSatisfy { (0...1).contains($0) }, "seed \(seed): \(candidate.debugDescription)")
                let again = try? ColorValue(parsing: color.cssText)
                #expect(again?.hex == color.hex && again?.opacity == color.opacity, "seed \(seed): \(color.cssText)")
            }
        }
    }
}
