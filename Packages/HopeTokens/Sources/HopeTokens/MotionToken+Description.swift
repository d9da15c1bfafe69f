// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TimingCurve: CustomStringConvertible {
    public var description: String {
        switch self {
        case .linear: "linear"
        case .ease: "ease"
        case .easeIn: "ease-in"
        case .easeOut: "ease-out"
        case .easeInOut: "ease-in-out"
        case .cubicBezier(let x1, let y1, let x2, let y2):
            "cubic-bezier(\([x1, y1, x2, y2].map(shortText).joined(separator: ", ")))"
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MotionToken: CustomStringConvertible {
    public var description: String {
        let time = duration < 1 ? "\(shortText((duration * 1000).rounded())) ms" : "\(shortText(duration)) s"
        let timing = self == .easeOut ? "\(curve)" : "\(time) \(curve)"
        return switch effect {
        case .transition, .dot: timing
        case .glow(let radius): "radius 0 to \(shortText(radius)) pt, \(timing)"
        case .pulse(let opacity, let scale):
            "opacity 1 to \(shortText(opacity))" + (scale < 1 ? ", scale 1 to \(shortText(scale))" : "")
                + ", \(timing), forever"
        case .entrance(let rise): "fade in, rise \(shortText(rise)) pt, \(timing)"
        }
    }
}
