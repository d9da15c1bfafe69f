import MapDocs
import Testing

struct PhoneLibraryTests {
    private static let now = 1_796_000_000.0

    private func library(_ state: DocumentState, layers: Int? = 7, editedAgo seconds: Double? = 7300) throws
        -> PhoneLibrary
    {
        PhoneLibrary(
            documents: [
                PhoneLibrary.Document(
                    name: try DocumentName(title: "Harbour"),
                    state: state,
                    layerCount: layers,
                    editedAt: seconds.map { Self.now - $0 }
                )
            ],
            place: "iCloud",
            unavailability: nil,
            now: Self.now
        )
    }

    @Test func `a row has name, layers, age and badge`() throws {
        let row = try #require(try library(.edited(changes: 3)).rows.first)
        #expect(row.title == "Harbour")
        #expect(row.subtitle == "7 layers · edited 2 h ago")
        #expect(row.badge == "Edited")
        #expect(row.spoken == "Harbour, Edited, 7 layers, edited 2 h ago")
    }

    @Test(arguments: [
        (-50.0, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"), (3600, "1 h ago"),
        (86_399, "23 h ago"), (86_400, "1 d ago"), (604_799, "6 d ago"), (604_800, "on 2026-11-23"),
    ])
    func `how long ago something was`(seconds: Double, words: String) throws {
        // 2026-11-30T00:53:20Z, as `date -u -d @1796000000` says, less seven days.
        let row = try #require(try library(.synced, editedAgo: seconds).rows.first)
        #expect(row.subtitle == "7 layers · edited \(words)")
    }

    @Test func `what was not downloaded yet says so and nothing else`() throws {
        let row = try #require(try library(.available, layers: nil, editedAgo: nil).rows.first)
        #expect(row.subtitle.isEmpty)
        #expect(row.badge == "iCloud")
        #expect(row.spoken == "Harbour, iCloud")
    }

    @Test func `a conflict offers its ways out, an unavailable one the files`() throws {
        #expect(try library(.conflict).rows.first?.offersConflictChoices == true)
        #expect(try library(.edited(changes: 1)).rows.first?.offersConflictChoices == false)
        #expect(try library(.unavailable(.signedOut)).rows.first?.offersOpenFromFiles == true)
        #expect(try library(.synced, layers: 1).rows.first?.subtitle.hasPrefix("1 layer ·") == true)
    }

    @Test func `without documents it says where projects come from and offers no new one`() {
        let library = PhoneLibrary(documents: [], place: "iCloud", unavailability: .offline, now: 0)
        #expect(library.emptyText == "Projects are made on iPad or Mac and kept in iCloud Drive")
        #expect(library.menu == ["Open from Files…"])
        for words in NeverOffered.words {
            #expect(!(library.menu + [library.title]).contains { $0.lowercased().contains(words) })
        }
    }
}
