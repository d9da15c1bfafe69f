import HopeTokens
import Testing

struct ColorValueTests {
    @Test(
        arguments: [
            ("#f0f", ColorValue(red: 1, green: 0, blue: 1)),
            ("#f0f8", ColorValue(red: 1, green: 0, blue: 1, opacity: 0x88 / 255)),
            ("#ff00ff80", ColorValue(red: 1, green: 0, blue: 1, opacity: 0x80 / 255)),
            ("FF00FF", ColorValue(red: 1, green: 0, blue: 1)),
            ("08111F", ColorValue(rgb: 0x08111F)),
        ])
    func `K2 hex of every length is read`(text: String, expected: ColorValue) throws {
        #expect(try ColorValue(hex: text) == expected)
    }

    @Test(arguments: ["", "#", "#ff", "#12345", "#1234567", "#123456789", "##fff", "#ggg", "ﬀ0000", "0x08111F"])
    func `other texts are refused by name`(text: String) {
        let error = #expect(throws: ColorSyntaxError.self) { try ColorValue(hex: text) }
        #expect(error?.text == text)
        #expect(error?.description.contains("#rrggbb") == true)
    }
}
