import Foundation
import MapDocs
import Testing
import TransportCore

struct AttributeFormTests {
    private static let zones = FeatureDomain.choices([
        .init(value: .text("R1"), label: "Residential"), .init(value: .text("C"), label: "Commercial"),
    ])

    private let columns = [
        FeatureColumn(name: "fid", type: .integer(bits: 64), role: .key),
        FeatureColumn(name: "geom", type: .geometry, role: .geometry),
        FeatureColumn(name: "uuid", type: .text(maximumLength: nil), role: .identifier),
        FeatureColumn(name: "name", label: "Name", type: .text(maximumLength: 255)),
        FeatureColumn(name: "memo", label: "Memo", type: .text(maximumLength: nil)),
        FeatureColumn(name: "number", label: "Number", type: .integer(bits: 64)),
        FeatureColumn(name: "floors", label: "Floors", type: .integer(bits: 8)),
        FeatureColumn(name: "height", label: "Height", type: .double),
        FeatureColumn(
            name: "share",
            label: "Share",
            type: .double,
            domain: .range(minimum: 0, includesMinimum: true, maximum: 1, includesMaximum: false)
        ),
        FeatureColumn(name: "listed", label: "Listed", type: .boolean),
        FeatureColumn(name: "built", label: "Built", type: .date),
        FeatureColumn(name: "seen", label: "Seen", type: .dateTime),
        FeatureColumn(name: "zone", label: "Zone", type: .text(maximumLength: nil), isRequired: true, domain: zones),
        FeatureColumn(name: "code", label: "Code", type: .text(maximumLength: nil), domain: .glob("[A-Z]-*[^0]")),
        FeatureColumn(name: "photo", label: "Photo", type: .blob(maximumSize: nil)),
        FeatureColumn(name: "area", label: "Area", type: .double, role: .generated),
        FeatureColumn(name: "session_id", type: .text(maximumLength: nil)),
    ]
    private let layer = MapLayer(id: "houses", table: "houses", name: "Houses")

    private func form(
        _ values: [String: FeatureValue] = [:],
        locale: String = "en_US",
        timeZone: TimeZone = .gmt
    ) -> AttributeForm {
        var all = Dictionary(columns.map { ($0.name, FeatureValue.null) }) { first, _ in first }
        all.merge(["zone": .text("R1"), "name": .text("Mill")]) { _, new in new }
        all.merge(values) { _, new in new }
        return AttributeForm(
            MapFeature(id: FeatureID("h1"), key: 1, values: all, geometry: .point(nil)),
            in: FeatureTable(name: "houses", columns: columns, geometryKind: .point),
            of: layer,
            format: AttributeFormat(locale: Locale(identifier: locale), timeZone: timeZone)
        )
    }

    @Test("One field for each column in the order of the schema, and none for what only programs need")
    func fields() {
        let form = form()
        #expect(
            form.fields.map(\.column.name) == [
                "name", "memo", "number", "floors", "height", "share", "listed", "built", "seen", "zone", "code",
                "photo",
                "area",
            ]
        )
        #expect(form.field("photo")?.kind == .readOnly && form.field("area")?.kind == .readOnly)
        #expect(form.field("name")?.kind == .text(maximumLength: 255))
        #expect(form.field("floors")?.kind == .integer(bits: 8))
        #expect(form.title == "Mill" && form.subtitle == "Point · Houses")
    }

    @Test(
        "Integers of 64 bits go through the form unchanged (case 14)",
        arguments: ["2192502720", "9007199254740993", "-9223372036854775808", "9223372036854775807"]
    )
    func integers(digits: String) throws {
        var form = form()
        form.enter(digits, in: "number")
        let value = FeatureValue.integer(try #require(Int64(digits)))
        #expect(try form.save()?.values == ["number": value])
        let shown = self.form(["number": value])
        #expect(shown.field("number")?.text == digits)
    }

    @Test(
        "Numbers are typed with either decimal mark",
        arguments: [
            ("1.5", 1.5), ("1,5", 1.5), ("-0,25", -0.25), ("12 345,75", 12_345.75), ("12\u{202F}345.75", 12_345.75),
            ("\u{2212}3", -3), ("1e3", 1_000), (" 7 ", 7),
        ]
    )
    func decimalMarks(text: String, value: Double) throws {
        var form = form()
        form.enter(text, in: "height")
        #expect(try form.save()?.values == ["height": .real(value)])
    }

    @Test("Numbers are shown with the mark of the locale", arguments: [("sv_SE", "1234,5"), ("en_US", "1234.5")])
    func locales(locale: String, text: String) {
        #expect(form(["height": .real(1_234.5)], locale: locale).field("height")?.text == text)
    }

    @Test(
        "What cannot be read is an error at its field and blocks saving",
        arguments: [
            ("number", "1.5"), ("number", "9223372036854775808"), ("number", "ten"), ("floors", "128"),
            ("height", "1.234,5"), ("height", "nan"), ("height", "inf"), ("height", "0x10"), ("share", "1"),
            ("share", "-0.001"), ("listed", "perhaps"), ("built", "2026-02-29"), ("built", "29.3.2026"),
            ("seen", "2026-03-29"), ("seen", "2026-03-29 24:00"), ("zone", "Industrial"), ("code", "A-10"),
            ("code", "a-1"),
        ]
    )
    func errors(column: String, text: String) {
        var form = form()
        form.enter(text, in: column)
        #expect(form.field(column)?.error?.isEmpty == false)
        #expect(form.field(column)?.text == text)
        #expect(!form.canSave)
        #expect(throws: MapSessionError.self) { try form.save() }
        #expect(form.fields.filter { $0.error != nil }.map(\.column.name) == [column])
    }

    @Test("Values of every kind are typed and stored as their column wants them")
    func kinds() throws {
        var form = form()
        for (column, text) in [
            ("floors", "-128"), ("share", "0"), ("listed", "Yes"), ("built", "2024-02-29"), ("zone", "Commercial"),
            ("code", "Q-x1"), ("memo", ""),
        ] { form.enter(text, in: column) }
        #expect(
            try form.save()?.values == [
                "floors": .integer(-128), "share": .real(0), "listed": .integer(1), "built": .text("2024-02-29"),
                "zone": .text("C"), "code": .text("Q-x1"), "memo": .text(""),
            ]
        )
    }

    @Test("A required choice that was chosen and cleared is refused with the reason at the field (case 15)")
    func requiredChoice() {
        var form = form()
        form.choose(.text("C"), in: "zone")
        form.clear("zone")
        #expect(form.field("zone")?.error == "“Zone” needs a value; enter one.")
        #expect {
            try form.save()
        } throws: { ($0 as? MapSessionError)?.subject == "zone" }
    }

    @Test("Lengths count characters, and what is too long does not lose the form (case 16)")
    func lengths() throws {
        var form = form()
        form.enter("kept", in: "memo")
        form.enter(String(repeating: "a", count: 256), in: "name")
        #expect(form.field("name")?.error == "“Name” takes at most 255 characters; this has 256.")
        form.enter(String(repeating: "👨‍👩‍👧‍👦", count: 200), in: "name")
        #expect(form.field("name")?.error == nil)
        form.enter(String(repeating: "x", count: 5_000_000), in: "name")
        #expect(form.field("name")?.error != nil && !form.canSave)
        #expect(form.field("memo")?.text == "kept")
        form.enter("short", in: "name")
        form.enter(String(repeating: "x", count: 5_000_000), in: "memo")
        #expect(form.field("memo")?.error?.contains("1 MiB") == true)
        form.enter("short too", in: "memo")
        #expect(try form.save()?.values == ["name": .text("short"), "memo": .text("short too")])
    }

    @Test(
        "A date and an instant are the same in Stockholm and in Los Angeles (case 17)",
        arguments: [
            ("Europe/Stockholm", "2026-03-29 03:15:30.250"), ("America/Los_Angeles", "2026-03-28 18:15:30.250"),
        ]
    )
    func timeZones(identifier: String, shown: String) throws {
        let timeZone = try #require(TimeZone(identifier: identifier))
        let instant = FeatureValue.text("2026-03-29T01:15:30.250Z")
        var form = form(["built": .text("2026-03-29"), "seen": instant], timeZone: timeZone)
        #expect(form.field("built")?.text == "2026-03-29")
        #expect(form.field("seen")?.text == shown)
        form.enter("2000-01-01", in: "built")
        form.enter("2000-01-01 00:00", in: "seen")
        form.enter("2026-03-29", in: "built")
        form.enter(shown, in: "seen")
        #expect(!form.isChanged)
        // Typed into a form that did not have it, it is the same instant.
        var empty = self.form(timeZone: timeZone)
        empty.enter(shown, in: "seen")
        #expect(try empty.save()?.values == ["seen": instant])
    }

    @Test("A time that clocks skipped is taken as the one after it, with a warning that does not block")
    func skippedTime() throws {
        let timeZone = try #require(TimeZone(identifier: "Europe/Stockholm"))
        var form = form(timeZone: timeZone)
        form.enter("2026-03-29 02:30", in: "seen")
        #expect(form.field("seen")?.warning?.contains("2026-03-29 03:30:00") == true)
        #expect(try form.save()?.values == ["seen": .text("2026-03-29T01:30:00.000Z")])
        form.enter("2026-03-29 02:30+02:00", in: "seen")
        #expect(try form.save()?.values == ["seen": .text("2026-03-29T00:30:00.000Z")])
    }

    @Test("Values outside their domain that arrived are shown and saved around, not rejected")
    func arrivedOutside() throws {
        var form = form(["zone": .text("Z9"), "share": .real(7), "floors": .text("many"), "listed": .integer(5)])
        #expect(form.field("zone")?.text == "Z9" && form.field("listed")?.text == "5")
        #expect(form.field("share")?.warning != nil && form.field("share")?.error == nil && form.canSave)
        form.enter("Millet", in: "name")
        #expect(try form.save()?.values == ["name": .text("Millet")])
    }

    @Test("NULL and empty text are told apart, and typing what was there is no change")
    func nullAndEmpty() throws {
        var form = form(["memo": .null, "height": .real(0.1 + 0.2), "number": .real(1)])
        form.enter("", in: "memo")
        #expect(form.field("memo")?.value == .text("") && form.isChanged)
        form.clear("memo")
        form.enter("1", in: "height")
        form.enter("0.30000000000000004", in: "height")
        form.enter("2", in: "number")
        form.enter("1", in: "number")
        #expect(!form.isChanged)
        #expect(try form.save() == nil)
        form.enter("", in: "height")
        #expect(try form.save()?.values == ["height": .null])
    }

    @Test("Digits that cannot be kept are a warning")
    func lostDigits() {
        var form = form()
        form.enter("9007199254740993", in: "height")
        #expect(form.field("height")?.warning?.contains("9007199254740992") == true)
        #expect(form.canSave)
        form.enter("0.1", in: "height")
        #expect(form.field("height")?.warning == nil)
    }

    @Test("Fields that can only be looked at stay as they are")
    func readOnly() throws {
        var form = form(["photo": .blob([1, 2, 3]), "area": .real(5)])
        form.enter("9", in: "area")
        form.clear("photo")
        #expect(form.field("photo")?.text == "3 bytes" && !form.isChanged)
    }

    @Test(
        "Whatever is typed into whatever field, the form stays whole and saves only what its columns take",
        arguments: 0..<4 as Range<UInt64>
    )
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scraps = [
            "2026-03-29", "T", " ", "24:00", "12:15", ":", "Z", "+", "-", "99:99", "0", "9223372036854775808", "1e999",
            ",", ".", "Yes", "\u{661}", "\u{FFFD}", "e\u{301}", "\u{1F469}\u{200D}", "nan", "*", "Residential", "",
            "\n", "\u{0}",
        ]
        var form = form(timeZone: try #require(TimeZone(identifier: "Europe/Stockholm")))
        for _ in 0..<400 {
            let column = columns[random.nextInt(below: columns.count)]
            let text = (0...random.nextInt(below: 4)).map { _ in scraps[random.nextInt(below: scraps.count)] }.joined()
            form.enter(text, in: column.name)
            if random.nextBool(probability: 0.1) { form.clear(column.name) }
            guard form.canSave, let change = try form.save() else { continue }
            for (name, value) in change.values {
                let column = try #require(columns.first { $0.name == name })
                #expect(column.problem(with: value) == nil, "seed \(seed), \(name): \(value)")
            }
        }
    }
}
