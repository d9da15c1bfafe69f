import HopeTokens
import MapDocs
import Testing

struct DocumentStateTests {
    @Test(
        "Each state is told in words",
        arguments: [
            (DocumentState.available, "iCloud", "iCloud · not downloaded"),
            (.downloading(fraction: 0.425), "Downloading 42 %", "iCloud · downloading 42 %"),
            (.synced, "Downloaded", "iCloud · synced"),
            (.edited(changes: 1), "Edited", "edited · 1 change"),
            (.edited(changes: 3), "Edited", "edited · 3 changes"),
            (.conflict, "Conflict", "conflict"),
            (.offlineCopy, "Downloaded", "offline copy"),
            (.unavailable(.signedOut), "Unavailable", "unavailable · signed out"),
            (.unavailable(.other("account locked")), "Unavailable", "unavailable · account locked"),
        ]
    )
    func words(state: DocumentState, badge: String, line: String) {
        #expect(state.badge == badge)
        #expect(state.statusLine == line)
    }

    @Test(
        "A download shows 100 % only when it is done, and never a number outside 0...100",
        arguments: [(0.9999, 99), (1, 100), (7, 100), (-1, 0), (Double.nan, 0), (.infinity, 100), (-.infinity, 0)]
    )
    func percent(fraction: Double, percent: Int) {
        #expect(DocumentState.downloading(fraction: fraction).badge == "Downloading \(percent) %")
    }

    @Test("States that differ have glyphs that differ")
    func glyphs() {
        let states: [DocumentState] = [
            .available, .downloading(fraction: 0), .synced, .edited(changes: 1), .conflict, .offlineCopy,
            .unavailable(.off),
        ]
        #expect(Set(states.map(\.glyph)).count == states.count)
        #expect(states.allSatisfy { $0.glyph.count == 1 })
    }

    @Test("The colours are the theme's, and trouble never looks like success", arguments: AeroTheme.all)
    func colors(theme: AeroTheme) {
        #expect(DocumentState.synced.color(in: theme) == theme.success)
        #expect(DocumentState.conflict.color(in: theme) == theme.warning)
        #expect(DocumentState.unavailable(.off).color(in: theme) == theme.danger)
        #expect(DocumentState.edited(changes: 2).color(in: theme) == theme.accent)
        #expect(DocumentState.offlineCopy.color(in: theme) == theme.inkMuted)
    }

    @Test("Only an unavailable document offers Open from Files")
    func openFromFiles() {
        #expect(DocumentState.unavailable(.offline).offersOpenFromFiles)
        #expect(!DocumentState.available.offersOpenFromFiles)
    }
}
