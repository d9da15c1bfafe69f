/// A tap on a map: measures how far from it shapes are drawn.
struct Fingertip {
    /// How close the parts of one shape are, in points; nil for parts that it lacks or that are out of reach.
    struct Reach {
        var point: Double?
        var line: Double?
        var area: Double?
    }

    private let projection: MapProjection
    private let point: ScreenPoint
    private let place: MapCoordinate?

    init(at point: ScreenPoint, through projection: MapProjection) {
        self.projection = projection
        self.point = point
        place = projection.unproject(point)
    }

    /// The position under the tap, for beginning a search; nil above the horizon.
    var position: MapPosition? {
        place.map { MapPosition(longitude: $0.longitude, latitude: $0.latitude) }
    }

    /// Returns the box in which everything within a distance of the tap lies.
    func window(radius: Double) -> MapBounds { projection.window(around: point, radius: radius) }

    /// Returns how close a shape is.
    ///
    /// - Parameters:
    ///   - geometry: The shape.
    ///   - turned: Degrees that are added to its longitudes.
    ///   - radius: How far the fingertip reaches, in points.
    ///   - window: The box of that reach, in the longitudes after turning.
    /// - Returns: The distances of its parts.
    func reach(_ geometry: MapGeometry, turned: Double, radius: Double, window: MapBounds) -> Reach {
        var reach = Reach()
        measure(geometry, turned: turned, radius: radius, window: window, into: &reach)
        return reach
    }

    /// Returns how close a single position is, or nil when it is out of reach.
    func distance(to position: MapPosition, turned: Double, radius: Double) -> Double? {
        guard let offset = projection.cameraOffset(of: position, turned: turned), offset.depth > 0 else { return nil }
        let drawn = projection.screenPoint(of: offset)
        let distance = Self.length(drawn.x - point.x, drawn.y - point.y)
        return distance <= radius ? distance : nil
    }

    private func measure(
        _ geometry: MapGeometry,
        turned: Double,
        radius: Double,
        window: MapBounds,
        into reach: inout Reach
    ) {
        switch geometry {
        case .point(let position):
            guard let position else { return }
            reach.point = Self.closer(reach.point, distance(to: position, turned: turned, radius: radius))
        case .multiPoint(let positions):
            for case .some(let position) in positions {
                reach.point = Self.closer(reach.point, distance(to: position, turned: turned, radius: radius))
            }
        case .lineString(let line):
            reach.line = Self.closer(reach.line, distance(to: line, turned: turned, radius: radius, window: window))
        case .multiLineString(let lines):
            for line in lines {
                reach.line = Self.closer(reach.line, distance(to: line, turned: turned, radius: radius, window: window))
            }
        case .polygon(let rings):
            reach.area = Self.closer(reach.area, distance(into: rings, turned: turned, radius: radius, window: window))
        case .multiPolygon(let polygons):
            for rings in polygons {
                reach.area = Self.closer(
                    reach.area,
                    distance(into: rings, turned: turned, radius: radius, window: window)
                )
            }
        case .collection(let geometries):
            for geometry in geometries {
                measure(geometry, turned: turned, radius: radius, window: window, into: &reach)
            }
        }
    }

    private func distance(
        to line: [MapPosition],
        turned: Double,
        radius: Double,
        window: MapBounds
    ) -> Double? {
        guard line.count > 1 else {
            return line.first.flatMap { distance(to: $0, turned: turned, radius: radius) }
        }
        var closest: Double?
        for (start, end) in zip(line, line.dropFirst())
        where Self.edgeTouches(start, end, turned: turned, window) {
            closest = Self.closer(closest, distance(from: start, to: end, turned: turned, radius: radius))
        }
        return closest
    }

    /// Returns 0 inside a polygon, nil in one of its holes, else the distance to its outline.
    private func distance(
        into rings: [[MapPosition]],
        turned: Double,
        radius: Double,
        window: MapBounds
    ) -> Double? {
        guard let outline = rings.first else { return nil }
        if contains(outline, turned: turned) {
            return rings.dropFirst().contains { contains($0, turned: turned) } ? nil : 0
        }
        return distance(to: outline, turned: turned, radius: radius, window: window)
    }

    /// Whether the place under the tap lies in a ring whose edges are straight on the flat world (even-odd rule).
    private func contains(_ ring: [MapPosition], turned: Double) -> Bool {
        guard let place, var previous = ring.last else { return false }
        var isInside = false
        for position in ring {
            let start = previous
            previous = position
            // Only edges across the tap's latitude count, and few have to be worked out.
            guard (start.latitude > place.latitude) != (position.latitude > place.latitude) else { continue }
            let east = max(start.longitude, position.longitude) + turned
            let west = min(start.longitude, position.longitude) + turned
            if place.longitude > east { continue }
            if place.longitude < west {
                isInside.toggle()
                continue
            }
            let limit = MapProjection.shapeLatitude
            let rise = Mercator.difference(from: place.latitude, to: min(max(start.latitude, -limit), limit))
            let fall = Mercator.difference(from: place.latitude, to: min(max(position.latitude, -limit), limit))
            let crossing =
                start.longitude + turned + (position.longitude - start.longitude) * (rise / (rise - fall))
            if place.longitude < crossing { isInside.toggle() }
        }
        return isInside
    }

    private func distance(
        from start: MapPosition,
        to end: MapPosition,
        turned: Double,
        radius: Double
    ) -> Double? {
        guard var first = projection.cameraOffset(of: start, turned: turned),
            var last = projection.cameraOffset(of: end, turned: turned)
        else { return nil }
        if let crossing = projection.crossing(from: first, to: last) {
            if first.depth < last.depth { first = crossing } else { last = crossing }
        }
        guard first.depth >= projection.nearest else { return nil }
        let from = projection.screenPoint(of: first)
        let to = projection.screenPoint(of: last)
        let along = (x: to.x - from.x, y: to.y - from.y)
        let length = along.x * along.x + along.y * along.y
        let part = length > 0 ? ((point.x - from.x) * along.x + (point.y - from.y) * along.y) / length : 0
        let nearest =
            part <= 0 ? from : part >= 1 ? to : ScreenPoint(x: from.x + along.x * part, y: from.y + along.y * part)
        let distance = Self.length(nearest.x - point.x, nearest.y - point.y)
        return distance <= radius ? distance : nil
    }

    private static func edgeTouches(
        _ start: MapPosition,
        _ end: MapPosition,
        turned: Double,
        _ window: MapBounds
    ) -> Bool {
        max(start.longitude, end.longitude) + turned >= window.west
            && min(start.longitude, end.longitude) + turned <= window.east
            && max(start.latitude, end.latitude) >= window.south && min(start.latitude, end.latitude) <= window.north
    }

    private static func closer(_ one: Double?, _ other: Double?) -> Double? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
