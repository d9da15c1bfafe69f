import Foundation
public import HopeTokens
public import MapDocs

/// A drawing as SVG 1.1, with its texts as text.
public struct SVGMapSurface: MapSurface {
    private let width: Double
    private let height: Double
    private var body = ""
    private var hasPart = false

    /// Makes an empty drawing.
    ///
    /// - Parameters:
    ///   - width: The width in points.
    ///   - height: The height in points.
    ///   - background: The colour of the ground.
    public init(width: Double, height: Double, background: ColorValue) {
        self.width = width
        self.height = height
        let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
        body = "<rect \(size)\(Self.paint("fill", background))/>\n"
    }

    /// The whole file.
    ///
    /// - Parameter title: What the drawing shows, in words.
    /// - Returns: An XML text that ends in a line feed.
    public func document(title: String) -> String {
        let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
        let box = "viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" \(size) \(box) role="img">
            <title>\(Self.escaped(title))</title>
            \(body)\(hasPart ? "</g>\n" : "")</svg>

            """
    }

    private static func path(_ lines: [[ScreenPoint]], isClosed: Bool) -> String {
        lines.filter { !$0.isEmpty }.map { line in
            let points = line.map { "\(number($0.x)) \(number($0.y))" }
            return "M" + points.joined(separator: "L") + (isClosed ? "Z" : "")
        }.joined()
    }

    private static func paint(_ name: String, _ color: ColorValue) -> String {
        let opacity = color.opacity < 1 ? " \(name)-opacity=\"\(number(color.opacity))\"" : ""
        return " \(name)=\"#\(color.hex)\"\(opacity)"
    }

    /// Two decimals are a hundredth of a point; written without an exponent, which readers of paths trip over.
    private static func number(_ value: Double) -> String {
        var text = String(format: "%.2f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// Escapes text for XML 1.0, which has no place for most control characters.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += " "
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SVGMapSurface {
    public mutating func fill(_ rings: [[ScreenPoint]], color: ColorValue) {
        let path = Self.path(rings, isClosed: true)
        guard !path.isEmpty else { return }
        body += "<path d=\"\(path)\" fill-rule=\"evenodd\"\(Self.paint("fill", color))/>\n"
    }

    public mutating func stroke(_ lines: [[ScreenPoint]], width: Double, color: ColorValue) {
        let path = Self.path(lines, isClosed: false)
        guard !path.isEmpty, width > 0 else { return }
        let pen = "stroke-width=\"\(Self.number(width))\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
        body += "<path d=\"\(path)\" fill=\"none\" \(pen)\(Self.paint("stroke", color))/>\n"
    }

    public mutating func dot(_ center: ScreenPoint, radius: Double, color: ColorValue) {
        let place = "cx=\"\(Self.number(center.x))\" cy=\"\(Self.number(center.y))\" r=\"\(Self.number(radius))\""
        body += "<circle \(place)\(Self.paint("fill", color))/>\n"
    }

    public mutating func write(
        _ text: String,
        at position: ScreenPoint,
        size: Double,
        isCentered: Bool,
        color: ColorValue
    ) {
        let place = "x=\"\(Self.number(position.x))\" y=\"\(Self.number(position.y))\""
        let font = "font-family=\"sans-serif\" font-size=\"\(Self.number(size))\""
        let anchor = isCentered ? " text-anchor=\"middle\"" : ""
        // A light rim keeps letters readable on any map.
        let rim = "stroke=\"#FFFFFF\" stroke-opacity=\"0.8\" stroke-width=\"3\" paint-order=\"stroke\""
        body += "<text \(place) \(font)\(anchor) \(rim)\(Self.paint("fill", color))>\(Self.escaped(text))</text>\n"
    }

    public mutating func begin(_ name: String) {
        if hasPart { body += "</g>\n" }
        hasPart = true
        body += "<g><title>\(Self.escaped(name))</title>\n"
    }
}
