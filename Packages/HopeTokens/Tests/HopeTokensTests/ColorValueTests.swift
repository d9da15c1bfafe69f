import HopeTokens
import Testing

struct ColorValueTests {
    @Test(
        arguments: [
            ("#f0f", ColorValue(red: 1, green: 0, blue: 1)),
            ("#f0f8", ColorValue(red: 1, green: 0, blue: 1, opacity: 0x88 / 255)),
            ("#ff00ff80", ColorValue(red: 1, green: 0, blue: 1, opacity: 0x80 / 255)),
            ("FF00FF", ColorValue(red: 1, green: 0, blue: 1)),
            ("08111F", ColorValue(red: 8 / 255, green: 17 / 255, blue: 31 / 255)),
        ])
    func `K2 hex of every length is read`(text: String, expected: ColorValue) throws {
        #expect(try ColorValue(hex: text) == expected)
        #expect(try ColorValue(parsing: text) == expected)
    }

    @Test(arguments: ["", "#", "#ff", "#12345", "#1234567", "#123456789", "##fff", "#ggg", "ﬀ0000", "0x08111F"])
    func `other texts are refused by name`(text: String) {
        let error = #expect(throws: ColorSyntaxError.self) { try ColorValue(hex: text) }
        #expect(error?.text == text)
        #expect(error?.description.contains("#rrggbb") == true)
    }

    @Test(
        arguments: [
            ("rgba(255, 0, 255, 0.5)", ColorValue(red: 1, green: 0, blue: 1, opacity: 0.5)),
            ("rgb(255 0 255 / 0.5)", ColorValue(red: 1, green: 0, blue: 1, opacity: 0.5)),
            ("rgb(255 0 255/50%)", ColorValue(red: 1, green: 0, blue: 1, opacity: 0.5)),
            ("  RGB( 100% , 0% , 100% )\n", ColorValue(red: 1, green: 0, blue: 1)),
            ("rgb(100% 0 none)", ColorValue(red: 1, green: 0, blue: 0)),
            ("rgb(51,.0,2.55e2)", ColorValue(red: 0.2, green: 0, blue: 1)),
            ("rgb(-20 300 1e999 / 7)", ColorValue(red: 0, green: 1, blue: 1)),
        ])
    func `K2 functions of CSS are read, and opacity 0.5 stays 0.5`(text: String, expected: ColorValue) throws {
        #expect(try ColorValue(parsing: text) == expected)
    }

    @Test(
        arguments: [
            "rgb()", "rgb(1 2)", "rgb(1 2 3 4)", "rgb(1, 2, 3, 4, 5)", "rgb(1,,3)", "rgb(1, 2, 3 / 0.5)",
            "rgb(1 2 3 / )", "rgb(1 2 3 / 1 / 1)", "rgb(1%, 2, 3)", "rgb(none, 0, 0)", "rgb(1. 2 3)", "rgb(0x1 2 3)",
            "rgb(1 2 3", "rgb(1 2 3))", "hsl(1 2% 3%)", "(1 2 3)", "rgb(nan 0 0)", "rgb(1e 2 3)", "blue",
        ])
    func `what CSS does not allow is refused`(text: String) {
        #expect(throws: ColorSyntaxError.self) { try ColorValue(parsing: text) }
    }

    @Test func `an error quotes the beginning of a long text only`() {
        let error = #expect(throws: ColorSyntaxError.self) {
            try ColorValue(parsing: String(repeating: "x", count: 100_000))
        }
        #expect(error?.text == String(repeating: "x", count: 40) + "…")
    }

    @Test func `texts read back as the same colour`() throws {
        for color in ColorToken.all.map(\.value) {
            #expect(try ColorValue(parsing: color.cssText) == color)
        }
        #expect(ColorToken.iris.value.cssText == "#8ba7ff")
        #expect(ColorToken.iris.value.withOpacity(0.5).cssText == "rgb(139 167 255 / 0.5)")
        #expect(ColorToken.canvas.value.hex == "08111F")
    }

    @Test func `components are held to their range`() {
        var color = ColorValue(red: 2, green: -1, blue: .nan, opacity: .infinity)
        #expect(color == ColorValue(red: 1, green: 0, blue: 0, opacity: 1))
        color.green = 7
        color.opacity = -.infinity
        #expect(color == ColorValue(red: 1, green: 1, blue: 0, opacity: 0))
    }

    @Test func `half black over white is not rounded to 8 bits`() {
        #expect(
            ColorValue.black.withOpacity(0.5).composited(over: .white) == ColorValue(red: 0.5, green: 0.5, blue: 0.5)
        )
    }

    @Test func `over a translucent backdrop opacities add up`() {
        let seen = ColorValue(red: 1, green: 0, blue: 0, opacity: 0.5)
            .composited(over: ColorValue(red: 0, green: 0, blue: 1, opacity: 0.5))
        #expect(seen.opacity == 0.75)
        #expect(abs(seen.red - 2.0 / 3) < 1e-15 && abs(seen.blue - 1.0 / 3) < 1e-15)
        #expect(ColorValue.white.withOpacity(0).composited(over: .black.withOpacity(0)).opacity == 0)
    }

    @Test func `mixing is exact at both ends and premultiplied between`() {
        let (iris, warm) = (ColorToken.iris.value, ColorToken.warm.value)
        #expect(iris.mixed(with: warm, by: 0) == iris)
        #expect(iris.mixed(with: warm, by: 1) == warm)
        #expect(iris.mixed(with: warm, by: .nan) == iris)
        // As in a browser, a fade to transparent black keeps the hue.
        let faded = ColorValue(red: 1, green: 0.5, blue: 0).mixed(with: .black.withOpacity(0), by: 0.5)
        #expect(faded == ColorValue(red: 1, green: 0.5, blue: 0, opacity: 0.5))
        #expect(ColorValue.black.mixed(with: .white, by: 0.25) == ColorValue(red: 0.25, green: 0.25, blue: 0.25))
        #expect(ColorValue.black.mixed(with: .white, by: 1.5) == .white)
    }
}
