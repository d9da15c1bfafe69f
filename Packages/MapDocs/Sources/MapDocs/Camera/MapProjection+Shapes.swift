extension MapProjection {
    /// The latitude, in degrees, at which shapes are cut, because Web Mercator puts the poles infinitely far away.
    static let shapeLatitude = 89.9

    /// Returns the parts of a line that are in front of the camera, as they are drawn.
    ///
    /// Edges are straight on the flat world of Web Mercator and so on the screen too.
    ///
    /// - Parameters:
    ///   - positions: The line.
    ///   - turned: Degrees that are added to every longitude, a multiple of 360 for another copy of the world.
    /// - Returns: Each part with two points or more, which may lie outside the viewport.
    public func project(line positions: [MapPosition], turned: Double = 0) -> [[ScreenPoint]] {
        var parts: [[ScreenPoint]] = []
        var part: [ScreenPoint] = []
        var previous: CameraOffset?
        for position in positions {
            guard let offset = cameraOffset(of: position, turned: turned) else { continue }
            if let previous, previous.depth < nearest || offset.depth < nearest {
                if let crossing = crossing(from: previous, to: offset) { part.append(screenPoint(of: crossing)) }
                if offset.depth < nearest {
                    if part.count > 1 { parts.append(part) }
                    part = []
                }
            }
            if offset.depth >= nearest { part.append(screenPoint(of: offset)) }
            previous = offset
        }
        if part.count > 1 { parts.append(part) }
        return parts
    }

    /// Returns the part of a ring that is in front of the camera, as it is drawn.
    ///
    /// - Parameters:
    ///   - positions: The ring, closed or not.
    ///   - turned: Degrees that are added to every longitude, a multiple of 360 for another copy of the world.
    /// - Returns: The corners of the part, open; none when nothing of it is in front of the camera.
    public func project(ring positions: [MapPosition], turned: Double = 0) -> [ScreenPoint] {
        let offsets = positions.compactMap { cameraOffset(of: $0, turned: turned) }
        guard var previous = offsets.last else { return [] }
        var corners: [ScreenPoint] = []
        for offset in offsets {
            if let crossing = crossing(from: previous, to: offset) { corners.append(screenPoint(of: crossing)) }
            if offset.depth >= nearest { corners.append(screenPoint(of: offset)) }
            previous = offset
        }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        return corners
    }

    /// Returns the smallest box of longitudes and latitudes that has everything on the screen and around it.
    ///
    /// - Parameter margin: How many points around the viewport belong to it.
    /// - Returns: The box, whose longitudes may lie outside -180...180; the whole world in latitude, and a turn of it to
    ///   each side, when a corner is above the horizon.
    public func visibleBounds(margin: Double = 0) -> MapBounds {
        let x = (-margin, width + margin)
        let y = (-margin, height + margin)
        return bounds(of: [(x.0, y.0), (x.1, y.0), (x.0, y.1), (x.1, y.1)])
    }

    /// Returns the smallest box of longitudes and latitudes that has everything within a square around a point.
    ///
    /// - Parameters:
    ///   - point: The middle of the square.
    ///   - radius: Half its side in points.
    /// - Returns: The box, as `visibleBounds(margin:)` has it.
    func window(around point: ScreenPoint, radius: Double) -> MapBounds {
        let x = (point.x - radius, point.x + radius)
        let y = (point.y - radius, point.y + radius)
        return bounds(of: [(x.0, y.0), (x.1, y.0), (x.0, y.1), (x.1, y.1)])
    }

    /// The ground under a rectangle is a convex shape with the rectangle's corners, so its box is theirs.
    private func bounds(of corners: [(x: Double, y: Double)]) -> MapBounds {
        var bounds: MapBounds?
        for corner in corners {
            guard let place = unproject(ScreenPoint(x: corner.x, y: corner.y)) else {
                let middle = camera.center.longitude
                return MapBounds(west: middle - 360, south: -90, east: middle + 360, north: 90)
            }
            let position = MapPosition(longitude: place.longitude, latitude: place.latitude)
            bounds = (bounds ?? MapBounds(around: position)).including(position)
        }
        return bounds ?? MapBounds(west: 0, south: 0, east: 0, north: 0)
    }
}
