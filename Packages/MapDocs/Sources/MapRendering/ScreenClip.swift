import MapDocs

/// Cuts what is drawn to a rectangle somewhat larger than the surface, so that a country at street level stays small.
struct ScreenClip {
    private let left: Double
    private let top: Double
    private let right: Double
    private let bottom: Double

    init(width: Double, height: Double, margin: Double) {
        left = -margin
        top = -margin
        right = width + margin
        bottom = height + margin
    }

    func contains(_ point: ScreenPoint) -> Bool {
        (left...right).contains(point.x) && (top...bottom).contains(point.y)
    }

    /// Returns the parts of a line within the rectangle (Liang and Barsky).
    func cut(line: [ScreenPoint]) -> [[ScreenPoint]] {
        var parts: [[ScreenPoint]] = []
        var part: [ScreenPoint] = []
        for (start, end) in zip(line, line.dropFirst()) {
            guard let (first, last) = cut(from: start, to: end) else {
                if part.count > 1 { parts.append(part) }
                part = []
                continue
            }
            if part.last != first {
                if part.count > 1 { parts.append(part) }
                part = [first]
            }
            part.append(last)
        }
        if part.count > 1 { parts.append(part) }
        return parts
    }

    /// Returns the part of a ring within the rectangle (Sutherland and Hodgman), open.
    func cut(ring: [ScreenPoint]) -> [ScreenPoint] {
        var corners = ring
        let sides: [(ScreenPoint) -> Double] = [
            { $0.x - left }, { right - $0.x }, { $0.y - top }, { bottom - $0.y },
        ]
        for inside in sides {
            guard var previous = corners.last else { return [] }
            var kept: [ScreenPoint] = []
            for corner in corners {
                let (before, now) = (inside(previous), inside(corner))
                if (before < 0) != (now < 0) { kept.append(Self.between(previous, corner, before / (before - now))) }
                if now >= 0 { kept.append(corner) }
                previous = corner
            }
            corners = kept
        }
        return corners
    }

    /// Returns the first point of lines that lies in the rectangle.
    func firstPoint(of lines: [[ScreenPoint]]) -> ScreenPoint? {
        for line in lines {
            if let first = cut(line: line).first?.first { return first }
        }
        return nil
    }

    private func cut(from start: ScreenPoint, to end: ScreenPoint) -> (ScreenPoint, ScreenPoint)? {
        var first = 0.0
        var last = 1.0
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        for (step, room) in [
            (-dx, start.x - left), (dx, right - start.x), (-dy, start.y - top), (dy, bottom - start.y),
        ] {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                first = max(first, room / step)
            } else {
                last = min(last, room / step)
            }
        }
        guard first <= last else { return nil }
        return (
            first > 0 ? Self.between(start, end, first) : start, last < 1 ? Self.between(start, end, last) : end
        )
    }

    private static func between(_ start: ScreenPoint, _ end: ScreenPoint, _ part: Double) -> ScreenPoint {
        ScreenPoint(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
    }
}
