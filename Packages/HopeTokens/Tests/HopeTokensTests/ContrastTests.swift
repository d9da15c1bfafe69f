import HopeTokens
import Testing

struct ContrastTests {
    @Test(
        arguments: [
            ("#777", 4.478, ContrastLevel.fail), ("#0078d7", 4.49886, .fail), ("#767676", 4.542, .aa),
            ("#000", 21, .aaa), ("#fff", 1, .fail), ("#595959", 7.0047, .aaa),
        ])
    func `K3 ratios on white are never rounded up`(hex: String, ratio: Double, level: ContrastLevel) throws {
        let found = try Contrast.ratio(of: ColorValue(hex: hex), on: .white)
        #expect(abs(found - ratio) < 0.0005)
        #expect(ContrastUsage.body.level(of: found) == level)
    }

    @Test(arguments: [("#949494", 3.033, ContrastLevel.aa), ("#959595", 2.995, .fail)])
    func `glyphs and large text need 3`(hex: String, ratio: Double, level: ContrastLevel) throws {
        let found = try Contrast.ratio(of: ColorValue(hex: hex), on: .white)
        #expect(abs(found - ratio) < 0.001)
        #expect(ContrastUsage.nonText.level(of: found) == level)
        #expect(ContrastUsage.largeText.level(of: found) == level)
    }

    @Test func `levels have the thresholds of WCAG`() {
        #expect([4.499999, 4.5, 6.999999, 7].map(ContrastUsage.body.level) == [.fail, .aa, .aa, .aaa])
        #expect([2.999999, 3, 4.499999, 4.5].map(ContrastUsage.largeText.level) == [.fail, .aa, .aa, .aaa])
        #expect([2.999999, 3, 21].map(ContrastUsage.nonText.level) == [.fail, .aa, .aa])
        #expect(ContrastUsage.body.level(of: .nan) == .fail)
    }

    @Test func `K4 translucent text is composited unrounded`() throws {
        #expect(abs(try Contrast.ratio(of: .black.withOpacity(0.5), on: .white) - 3.9767) < 0.0001)
    }

    @Test func `K4 a translucent surface needs a stated backdrop`() throws {
        let glass = ColorValue.white.withOpacity(0.5)
        let error = #expect(throws: ContrastError.self) { try Contrast.ratio(of: .black, on: glass) }
        #expect(error == .unknownBackdrop(surface: glass))
        #expect(error?.description.contains("#FFFFFF @ 0.5") == true)
        #expect(throws: ContrastError.self) { try Contrast.ratio(of: .black, on: glass, over: glass) }
        #expect(try Contrast.ratio(of: .black, on: glass, over: .white) == 21)
        #expect(abs(try Contrast.ratio(of: .black, on: glass, over: .black) - 21 / 3.9767) < 0.001)
    }

    @Test func `the lowest ratio is that of the worst backdrop`() {
        let glass = ColorValue.white.withOpacity(0.5)
        #expect(abs(Contrast.lowestRatio(of: .black, on: glass) - 21 / 3.9767) < 0.001)
        // Mid grey is lighter than this glass over black and darker over white: some grey map hides it.
        #expect(Contrast.lowestRatio(of: ColorValue(rgb: 0xBBBBBB), on: glass) == 1)
        #expect(Contrast.lowestRatio(of: .black, on: .white) == 21)
    }

    @Test(
        arguments: [
            (ColorToken.ink, ColorToken.canvas, 17.60), (.inkSoft, .canvas, 12.24), (.inkMuted, .canvas, 6.19),
            (.iris, .canvas, 8.17), (.canvas, .iris, 8.17), (.onIrisDeep, .iris, 2.32), (.onIrisDeep, .irisDeep, 5.72),
            (.inkMuted, .userBubble, 4.29), (.irisDeep, .surfaceRaised, 2.80),
        ])
    func `ratios of the design are met`(text: ColorToken, surface: ColorToken, ratio: Double) throws {
        #expect(abs(try Contrast.ratio(of: text.value, on: surface.value) - ratio) <= 0.005)
    }

    @Test(arguments: [(4.49886, "4.49:1"), (4.4999999, "4.49:1"), (4.5, "4.50:1"), (21, "21.00:1"), (1.05, "1.05:1")])
    func `printed ratios are cut, not rounded`(ratio: Double, text: String) {
        #expect(Contrast.text(for: ratio) == text)
    }
}
