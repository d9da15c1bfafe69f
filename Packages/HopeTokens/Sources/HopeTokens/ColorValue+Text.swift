extension ColorValue {
    /// Reads a colour as people and style sheets write it.
    ///
    /// Hexadecimal digits (see `init(hex:)`), or CSS's `rgb()` and `rgba()` with commas or spaces, numbers or
    /// percentages, and in the form with spaces also `none`. As in CSS, components out of range are held to it.
    ///
    /// - Throws: `ColorSyntaxError` that names the text and what is wrong with it.
    public init(parsing text: String) throws(ColorSyntaxError) {
        let bytes = Self.trimmed(Array(text.utf8)[...])
        guard bytes.contains(UInt8(ascii: "(")) else {
            try self.init(hex: String(decoding: bytes, as: UTF8.self))
            return
        }
        let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "(") }, as: UTF8.self).lowercased()
        guard name == "rgb" || name == "rgba" else {
            throw ColorSyntaxError(text, "the only functions are rgb() and rgba()")
        }
        guard bytes.last == UInt8(ascii: ")") else {
            throw ColorSyntaxError(text, "its parenthesis is not closed at its end")
        }
        let body = bytes.dropFirst(name.utf8.count + 1).dropLast()
        let isCommaForm = body.contains(UInt8(ascii: ","))
        var parts: [ArraySlice<UInt8>]
        if isCommaForm {
            parts = body.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Self.trimmed)
        } else {
            let halves = body.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            parts = halves[0].split(whereSeparator: Self.isSpace)
            guard parts.count == 3, halves.count <= 2 else {
                throw ColorSyntaxError(text, "it does not have three components")
            }
            if halves.count == 2 { parts.append(Self.trimmed(halves[1])) }
        }
        guard parts.count == 3 || parts.count == 4 else {
            throw ColorSyntaxError(text, "it does not have three components")
        }
        var components: [CSSNumber] = []
        for part in parts {
            guard let component = CSSNumber(part, allowsNone: !isCommaForm) else {
                let found = String(decoding: part, as: UTF8.self)
                throw ColorSyntaxError(text, "\"\(found)\" is neither a number nor a percentage")
            }
            components.append(component)
        }
        if isCommaForm,
            components[1].isPercentage != components[0].isPercentage
                || components[2].isPercentage != components[0].isPercentage
        {
            throw ColorSyntaxError(text, "numbers and percentages do not mix in the form with commas")
        }
        self.init(
            red: components[0].fraction(of: 255),
            green: components[1].fraction(of: 255),
            blue: components[2].fraction(of: 255),
            opacity: components.count == 4 ? components[3].fraction(of: 1) : 1
        )
    }

    /// The colour in CSS: `#8ba7ff`, or `rgb(139 167 255 / 0.5)` with the exact opacity when it is translucent.
    public var cssText: String {
        guard opacity < 1 else { return "#" + hex.lowercased() }
        let bytes = [red, green, blue].map { String(Int(($0 * 255).rounded())) }
        return "rgb(\(bytes.joined(separator: " ")) / \(shortText(opacity)))"
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ColorValue: CustomStringConvertible {
    public var description: String {
        opacity < 1 ? "#\(hex) @ \(shortText(opacity))" : "#\(hex)"
    }
}

/// A number or percentage in CSS's own grammar, which differs from Swift's ("5." and "0x1p3" are none).
private struct CSSNumber {
    let value: Double
    let isPercentage: Bool

    init?(_ bytes: ArraySlice<UInt8>, allowsNone: Bool) {
        let text = String(decoding: bytes, as: UTF8.self)
        if allowsNone, text.lowercased() == "none" {
            (value, isPercentage) = (0, false)
            return
        }
        isPercentage = bytes.last == UInt8(ascii: "%")
        let number = isPercentage ? bytes.dropLast() : bytes
        guard Self.isNumber(number), let value = Double(String(decoding: number, as: UTF8.self)) else { return nil }
        self.value = value
    }

    /// The part of the whole, where 100 % is the whole.
    func fraction(of whole: Double) -> Double {
        isPercentage ? value / 100 : value / whole
    }

    private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
        func takeDigits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        if let first = rest.first, isSign(first) { rest.removeFirst() }
        let whole = takeDigits()
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard takeDigits() > 0 else { return false }
        } else if whole == 0 {
            return false
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if let first = rest.first, isSign(first) { rest.removeFirst() }
            guard takeDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}

/// The shortest text that reads back as the number, without ".0" after a whole one.
func shortText(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
