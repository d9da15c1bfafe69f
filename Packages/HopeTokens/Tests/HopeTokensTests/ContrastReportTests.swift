import HopeTokens
import Testing

struct ContrastReportTests {
    @Test func `every pair that stays on the screen passes in both apps`() throws {
        let report = try ContrastReport()
        #expect(report.passes, "\(report.failures.map(\.description))")
        #expect(report.findings.count == ContrastPair.apps.count)
        #expect(report.findings.count > 100)
    }

    @Test func `partial rows are listed as transient`() throws {
        let partial = try ContrastReport().transients
        #expect(partial.map(\.pair.text) == [.inkSoft, .userBubbleText])
        #expect(abs(partial[0].ratio - 4.30) < 0.005)
        #expect(abs(partial[1].ratio - 5.00) < 0.005)
        #expect(partial.map(\.passes) == [false, true])
        #expect(partial[0].description.contains("4.29:1, body text needs 4.5:1, but only for a moment"))
    }

    @Test func `pairs that the design forbids are not in use`() {
        let words = ContrastPair.apps.filter { $0.usage != .nonText }
        #expect(!words.contains { $0.text == .inkMuted && $0.surface == .userBubble })
        #expect(!words.contains { $0.text == .irisDeep })
        #expect(!words.contains { $0.text.value == .white && $0.surface == .iris })
    }

    @Test(arguments: AeroTheme.all)
    func `Meridian's text is readable over any map, grain included`(theme: AeroTheme) {
        let words = [
            theme.ink, theme.inkMuted, theme.accent, theme.accentDeep, theme.success, theme.warning, theme.danger,
        ]
        // The worst grain is a full grain of the colour that brings the surface nearer to the text.
        let grain = (theme == .light ? ColorValue.black : .white).withOpacity(theme.grainOpacity.value)
        for surface in [theme.glassFill, theme.surfaceSheet] {
            for word in words {
                #expect(Contrast.lowestRatio(of: word.value, on: surface.value) >= 4.5, "\(word.path)")
                #expect(
                    Contrast.lowestRatio(of: word.value, on: grain.composited(over: surface.value)) >= 4.5,
                    "\(word.path) under grain"
                )
            }
        }
    }

    @Test(arguments: AeroTheme.all)
    func `Meridian's report covers text on glass over white and over black`(theme: AeroTheme) {
        for backdrop in [ContrastBackdrop.whiteMap, .blackMap] {
            let texts = ContrastPair.meridian.filter { $0.surface == theme.glassFill && $0.backdrop == backdrop }
            #expect(texts.map(\.text).contains(theme.inkMuted))
            #expect(texts.count == 7)
        }
    }

    @Test func `a failing pair is named with the nearest token that passes`() throws {
        let report = try ContrastReport(
            checking: ContrastPair.voice + [
                ContrastPair(.onIrisDeep, on: .iris, place: "a white label"),
                ContrastPair(.inkMuted, on: .userBubble, place: "a time"),
                ContrastPair(.irisDeep, on: .canvas, place: "a link"),
            ]
        )
        #expect(!report.passes)
        #expect(report.failures.map(\.pair.text) == [.onIrisDeep, .inkMuted, .irisDeep])
        #expect(report.failures[0].suggestion?.value == ColorToken.canvas.value)
        #expect(report.failures[2].suggestion == .irisStrong)
        #expect(
            report.failures[0].description
                == "color.onIrisDeep on color.iris (a white label): 2.31:1, body text needs 4.5:1; "
                + "color.onIris would pass"
        )
        for failure in report.failures {
            var cured = failure.pair
            cured.text = try #require(failure.suggestion)
            #expect(try cured.ratio() >= 4.5)
        }
    }

    @Test func `nothing is suggested when nothing passes`() throws {
        let pair = ContrastPair(.inkMuted, on: .userBubble, place: "a time")
        #expect(try pair.nearestPassing(among: [.inkMuted, .irisDeep]) == nil)
        #expect(try ContrastReport(checking: [pair], candidates: []).failures[0].suggestion == nil)
    }

    @Test func `a theme is offered its own tokens`() throws {
        var pair = ContrastPair(AeroTheme.light.accentSoft, on: AeroTheme.light.accentSoft, place: "a mistake")
        pair.text = AeroTheme.light.glassBorder
        let report = try ContrastReport(checking: ContrastPair.apps + [pair])
        #expect(report.failures[0].suggestion?.group == "aero.light")
    }

    @Test func `a translucent row needs a backdrop too`() {
        let pair = ContrastPair(.ink, on: .canvas, rowOpacity: 0.5, place: "a row")
        #expect(throws: ContrastError.self) { try pair.ratio() }
        #expect(throws: ContrastError.self) { try ContrastReport(checking: [pair]) }
    }
}
