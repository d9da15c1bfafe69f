import Foundation
import MapDocs
import Testing

struct DocumentNameTests {
    @Test(
        "A name is a file name with the ending of packages, in any case",
        arguments: ["Harbour.gispad", "Harbour.GISPAD"]
    )
    func fileName(text: String) throws {
        let name = try DocumentName(fileName: text)
        #expect(name.title == "Harbour")
        #expect(name.fileName == "Harbour.gispad")
    }

    @Test(
        "A name that leads elsewhere, hides or cannot be kept is refused",
        arguments: [
            "", ".gispad", "a/b.gispad", "../x.gispad", ".hidden.gispad", "a\0.gispad", "a\n.gispad", "Harbour",
            "a.gpkg",
            String(repeating: "é", count: 125) + ".gispad",
        ]
    )
    func refuses(text: String) {
        let error = #expect(throws: DocumentStoreError.self) { try DocumentName(fileName: text) }
        #expect(error?.code == .invalidName)
    }

    private let moment = Date(timeIntervalSince1970: 1_795_961_025)  // 2026-11-29 14:03:45 UTC

    @Test("A conflict copy is named after the device and the minute there")
    func conflictCopy() throws {
        let harbour = try DocumentName(title: "Harbour")
        let zone = try #require(TimeZone(identifier: "UTC"))
        let names = ConflictCopyName(of: harbour, device: "Ann's iPhone", at: moment, in: zone)
        #expect(names.candidate(1).fileName == "Harbour (conflict copy, Ann's iPhone, 2026-11-29 14.03).gispad")
        #expect(names.candidate(2).fileName == "Harbour (conflict copy, Ann's iPhone, 2026-11-29 14.03) 2.gispad")
        let sydney = ConflictCopyName(
            of: harbour,
            device: "a/b:c\n",
            at: moment,
            in: try #require(TimeZone(secondsFromGMT: 11 * 3600))
        )
        #expect(sydney.candidate(0).fileName == "Harbour (conflict copy, a-b-c-, 2026-11-30 01.03).gispad")
    }

    @Test("The copy's name is always one that can be kept", arguments: ["", "   ", String(repeating: "👩‍👩‍👧", count: 50)])
    func fits(device: String) throws {
        let long = try DocumentName(title: String(repeating: "ö", count: 124))
        let names = ConflictCopyName(of: long, device: device, at: moment, in: .gmt)
        for number in [1, 2, 1000] {
            let name = names.candidate(number)
            #expect(try DocumentName(fileName: name.fileName) == name)
            #expect(name.title.hasPrefix("öööö"))
            #expect(name.title.contains("2026-11-29 14.03"))
        }
    }
}
