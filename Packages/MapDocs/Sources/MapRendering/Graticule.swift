import MapDocs

/// The meridians and parallels that are drawn on a map: at round degrees, about as many as look well.
struct Graticule {
    /// One line with its words.
    struct Line {
        var positions: [MapPosition]
        var label: String
    }

    let lines: [Line]

    init(_ bounds: MapBounds) {
        let limit = MapCamera.maximumLatitude
        let south = max(bounds.south, -limit)
        let north = min(bounds.north, limit)
        let step = Self.step(for: max(min(bounds.east - bounds.west, 360), north - south))
        var lines: [Line] = []
        for longitude in Self.multiples(of: step, from: bounds.west, to: bounds.east) {
            let wrapped = longitude.remainder(dividingBy: 360)
            lines.append(
                Line(
                    positions: [
                        MapPosition(longitude: longitude, latitude: south),
                        MapPosition(longitude: longitude, latitude: north),
                    ],
                    label: Self.label(wrapped, positive: "E", negative: "W")
                )
            )
        }
        for latitude in Self.multiples(of: step, from: south, to: north) {
            lines.append(
                Line(
                    positions: [
                        MapPosition(longitude: bounds.west, latitude: latitude),
                        MapPosition(longitude: bounds.east, latitude: latitude),
                    ],
                    label: Self.label(latitude, positive: "N", negative: "S")
                )
            )
        }
        self.lines = lines
    }

    /// Degrees between lines: 30, 15 or 10 for much of the world, else 5, 2 or 1 times a power of ten.
    private static func step(for span: Double) -> Double {
        let most = max(span, 1e-6) / 4
        for step in [30.0, 15, 10, 5, 2, 1] where step <= most { return step }
        var unit = 0.1
        while unit > 1e-7 {
            for count in [5.0, 2, 1] where count * unit <= most { return count * unit }
            unit /= 10
        }
        return unit
    }

    private static func multiples(of step: Double, from start: Double, to end: Double) -> [Double] {
        let first = (start / step).rounded(.up)
        let last = (end / step).rounded(.down)
        guard first <= last, last - first < 200 else { return [] }
        return stride(from: first, through: last, by: 1).map { $0 * step }
    }

    private static func label(_ degrees: Double, positive: String, negative: String) -> String {
        var digits = "\((abs(degrees) * 1e6).rounded() / 1e6)"
        if digits.hasSuffix(".0") { digits.removeLast(2) }
        return "\(digits)°" + (degrees == 0 || abs(degrees) == 180 ? "" : degrees > 0 ? positive : negative)
    }
}
