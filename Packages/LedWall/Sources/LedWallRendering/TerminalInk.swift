import HopeTokens

/// A colour as one terminal writes it; the terminal's own default is a case of its own, not some real colour.
enum TerminalInk: Hashable {
    case standard
    /// 0...7 and their bright forms 8...15.
    case ansi16(UInt8)
    /// 16...255 of xterm's palette.
    case ansi256(UInt8)
    case rgb(UInt8, UInt8, UInt8)

    /// The ink nearest to an opaque colour; none and 16 colours have no ink for a blend.
    init(_ color: ColorValue, mode: TerminalColorMode) {
        let (red, green, blue) = (Self.byte(color.red), Self.byte(color.green), Self.byte(color.blue))
        switch mode {
        case .none, .ansi16: self = .standard
        case .ansi256: self = .ansi256(Self.nearest(Int(red), Int(green), Int(blue)))
        case .trueColor: self = .rgb(red, green, blue)
        }
    }

    /// One of the 16 colours for a dot of a weight 0...1: nothing, the colour's hue, its bright form, white.
    init(hueOf color: ColorValue, weight: Double) {
        switch weight {
        case ..<0.1: self = .standard
        case ..<0.35: self = .ansi16(Self.hue(of: color))
        case ..<0.9: self = .ansi16(Self.hue(of: color) + 8)
        default: self = .ansi16(15)
        }
    }

    /// Appends the parameters that make this ink the foreground or background.
    func append(to parameters: inout [UInt8], isForeground: Bool) {
        if !parameters.isEmpty { parameters.append(UInt8(ascii: ";")) }
        let base = isForeground ? 30 : 40
        switch self {
        case .standard: parameters.appendDecimal(base + 9)
        case .ansi16(let index): parameters.appendDecimal(index < 8 ? base + Int(index) : base + 60 + Int(index) - 8)
        case .ansi256(let index): parameters.appendDecimals(base + 8, 5, Int(index))
        case .rgb(let red, let green, let blue):
            parameters.appendDecimals(base + 8, 2, Int(red), Int(green), Int(blue))
        }
    }

    private static func byte(_ component: Double) -> UInt8 { UInt8((component * 255).rounded()) }

    /// The nearest of xterm's colour cube (16...231) and greys (232...255).
    private static func nearest(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
        let levels = [0, 95, 135, 175, 215, 255]
        func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
        func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
            (r - red) * (r - red) + (g - green) * (g - green) + (b - blue) * (b - blue)
        }
        let (r, g, b) = (level(red), level(green), level(blue))
        let grey = min(max(((red + green + blue) / 3 - 3) / 10, 0), 23)
        let shade = 8 + 10 * grey
        let isGrey = distance(shade, shade, shade) < distance(levels[r], levels[g], levels[b])
        return UInt8(isGrey ? 232 + grey : 16 + 36 * r + 6 * g + b)
    }

    private static func hue(of color: ColorValue) -> UInt8 {
        let high = max(color.red, color.green, color.blue)
        let range = high - min(color.red, color.green, color.blue)
        guard range > 0.05 else { return 7 }
        let turn: Double
        if high == color.red {
            turn = ((color.green - color.blue) / range + 6).truncatingRemainder(dividingBy: 6)
        } else if high == color.green {
            turn = (color.blue - color.red) / range + 2
        } else {
            turn = (color.red - color.green) / range + 4
        }
        // Orange counts as yellow: ANSI's red would read as an error.
        return switch turn * 60 {
        case 15..<75: 3
        case 75..<150: 2
        case 150..<210: 6
        case 210..<270: 4
        case 270..<345: 5
        default: 1
        }
    }
}

extension [UInt8] {
    mutating func appendDecimal(_ number: Int) {
        append(contentsOf: String(number).utf8)
    }

    mutating func appendDecimals(_ numbers: Int...) {
        for (index, number) in numbers.enumerated() {
            if index > 0 { append(UInt8(ascii: ";")) }
            appendDecimal(number)
        }
    }
}
