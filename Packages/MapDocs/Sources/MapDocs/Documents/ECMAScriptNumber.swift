/// Writes numbers as ECMAScript's Number::toString does (ECMA-262, 6.1.6.1.20), which RFC 8785 asks for.
enum ECMAScriptNumber {
    /// Returns the text of a finite number.
    static func text(_ value: Double) -> String {
        guard value != 0 else { return "0" }
        // Swift prints the shortest digits that read back as the same number and, of those, the closest: the
        // digits that ECMAScript asks for. Only where the point stands and when an exponent is used differ.
        let parts = "\(value.magnitude)".split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var digits = mantissa.joined()
        var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        let leadingZeros = digits.prefix { $0 == "0" }.count
        digits.removeFirst(leadingZeros)
        point -= leadingZeros
        while digits.last == "0" { digits.removeLast() }

        let sign = value < 0 ? "-" : ""
        let count = digits.count
        if point > 21 || point < -5 {
            let exponent = point - 1
            let fraction = count > 1 ? ".\(digits.dropFirst())" : ""
            return "\(sign)\(digits.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(exponent.magnitude)"
        }
        if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
        if count <= point { return sign + digits + String(repeating: "0", count: point - count) }
        return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
    }
}
