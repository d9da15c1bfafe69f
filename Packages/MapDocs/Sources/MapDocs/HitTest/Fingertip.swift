/// A tap on a map: measures how far from it shapes are drawn.
struct Fingertip {
    /// How close the parts of one shape are, in points; nil for parts that it lacks or that are out of reach.
    struct Reach {
        private(set) var point: Double?
        private(set) var line: Double?
        private(set) var area: Double?

        mutating func add(point distance: Double?) { point = Self.closer(point, distance) }
        mutating func add(line distance: Double?) { line = Self.closer(line, distance) }
        mutating func add(area distance: Double?) { area = Self.closer(area, distance) }

        private static func closer(_ one: Double?, _ other: Double?) -> Double? {
            guard let one, let other else { return one ?? other }
            return min(one, other)
        }
    }

    /// Which copy of the world is looked at, and how far the finger reaches in it.
    struct Aim {
        /// Degrees that are added to the longitudes of shapes.
        var turned: Double
        /// How far the finger reaches, in points.
        var radius: Double
        /// The box of that reach, in the longitudes after turning.
        var window: MapBounds
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
    func reach(_ geometry: MapGeometry, _ aim: Aim) -> Reach {
        var reach = Reach()
        measure(geometry, aim, into: &reach)
        return reach
    }

    private func measure(_ geometry: MapGeometry, _ aim: Aim, into reach: inout Reach) {
        switch geometry {
        case .point(let position): if let position { reach.add(point: distance(to: position, aim)) }
        case .multiPoint(let positions):
            for case .some(let position) in positions { reach.add(point: distance(to: position, aim)) }
        case .lineString(let line): reach.add(line: distance(toLine: line, aim))
        case .multiLineString(let lines): for line in lines { reach.add(line: distance(toLine: line, aim)) }
        case .polygon(let rings): reach.add(area: distance(into: rings, aim))
        case .multiPolygon(let polygons): for rings in polygons { reach.add(area: distance(into: rings, aim)) }
        case .collection(let geometries): for geometry in geometries { measure(geometry, aim, into: &reach) }
        }
    }

    /// Returns 0 inside a polygon, nil in one of its holes, else the distance to its outline.
    private func distance(into rings: [[MapPosition]], _ aim: Aim) -> Double? {
        guard let outline = rings.first else { return nil }
        guard contains(outline, aim) else { return distance(toLine: outline, aim) }
        return rings.dropFirst().contains { contains($0, aim) } ? nil : 0
    }

    /// Returns how close a single position is, or nil when it is out of reach.
    func distance(to position: some FlatPosition, _ aim: Aim) -> Double? {
        guard let offset = offset(of: position, aim), offset.depth > 0 else { return nil }
        let drawn = projection.screenPoint(of: offset)
        let distance = Self.length(drawn.x - point.x, drawn.y - point.y)
        return distance <= aim.radius ? distance : nil
    }

    /// Returns how close a line is, or nil when it is out of reach; a line of one position is a point.
    func distance<Line: RandomAccessCollection>(toLine line: Line, _ aim: Aim) -> Double?
    where Line.Element: FlatPosition {
        guard var start = line.first else { return nil }
        guard line.count > 1 else { return distance(to: start, aim) }
        var closest: Double?
        for end in line.dropFirst() {
            if Self.edgeTouches(start, end, aim), let distance = distance(from: start, to: end, aim) {
                closest = min(closest ?? distance, distance)
            }
            start = end
        }
        return closest
    }

    /// Whether the place under the tap lies in a ring whose edges are straight on the flat world (even-odd rule).
    func contains<Ring: RandomAccessCollection>(_ ring: Ring, _ aim: Aim) -> Bool where Ring.Element: FlatPosition {
        guard let place, var previous = ring.last else { return false }
        var isInside = false
        for position in ring {
            let start = previous
            previous = position
            // Only edges across the tap's latitude count, and few have to be worked out.
            guard (start.latitude > place.latitude) != (position.latitude > place.latitude) else { continue }
            let east = max(start.longitude, position.longitude) + aim.turned
            let west = min(start.longitude, position.longitude) + aim.turned
            if place.longitude > east { continue }
            if place.longitude < west {
                isInside.toggle()
                continue
            }
            let limit = MapProjection.shapeLatitude
            let rise = Mercator.difference(from: place.latitude, to: min(max(start.latitude, -limit), limit))
            let fall = Mercator.difference(from: place.latitude, to: min(max(position.latitude, -limit), limit))
            let crossing =
                start.longitude + aim.turned + (position.longitude - start.longitude) * (rise / (rise - fall))
            if place.longitude < crossing { isInside.toggle() }
        }
        return isInside
    }

    private func distance(from start: some FlatPosition, to end: some FlatPosition, _ aim: Aim) -> Double? {
        guard var first = offset(of: start, aim), var last = offset(of: end, aim) else { return nil }
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
        return distance <= aim.radius ? distance : nil
    }

    private func offset(of position: some FlatPosition, _ aim: Aim) -> CameraOffset? {
        projection.cameraOffset(longitude: position.longitude + aim.turned, latitude: position.latitude)
    }

    private static func edgeTouches(_ start: some FlatPosition, _ end: some FlatPosition, _ aim: Aim) -> Bool {
        max(start.longitude, end.longitude) + aim.turned >= aim.window.west
            && min(start.longitude, end.longitude) + aim.turned <= aim.window.east
            && max(start.latitude, end.latitude) >= aim.window.south
            && min(start.latitude, end.latitude) <= aim.window.north
    }

    private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
