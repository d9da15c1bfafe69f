import Foundation

/// The mapping between places and points of the screen for one camera and one viewport, as MapLibre GL JS does it.
///
/// Web Mercator in a world of 512 points at zoom 0, seen by a camera with a vertical field of view of 2·atan(1/3), so
/// 1.5 viewport heights away from the centre. Places are computed relative to the camera's centre, which keeps the
/// rounding error far below a thousandth of a point at every zoom.
public struct MapProjection: Hashable, Sendable {
    /// The camera's vertical field of view in radians, 2·atan(1/3).
    public static let fieldOfView = 0.6435011087932844
    /// The side of the whole world in points at zoom 0.
    public static let tileSize = 512.0

    /// The camera that is looked through.
    public let camera: MapCamera
    /// The viewport's width in points.
    public let width: Double
    /// The viewport's height in points.
    public let height: Double
    /// The side of the whole world in points at the camera's zoom.
    public let worldSize: Double

    /// The distance from the camera to the centre of the map in points.
    private let cameraDistance: Double
    private let bearingSine: Double
    private let bearingCosine: Double
    private let pitchSine: Double
    private let pitchCosine: Double
    private let latitudeSine: Double
    private let latitudeCosine: Double

    /// Makes the projection of a camera into a viewport.
    ///
    /// - Parameters:
    ///   - camera: The camera to look through.
    ///   - width: The viewport's width in points.
    ///   - height: The viewport's height in points.
    /// - Throws: `MapValueError` when a length is not finite or not above zero.
    public init(camera: MapCamera, width: Double, height: Double) throws(MapValueError) {
        self.camera = camera
        self.width = try width.positive("viewport width")
        self.height = try height.positive("viewport height")
        cameraDistance = self.height / 2 / tan(Self.fieldOfView / 2)
        bearingSine = sin(camera.bearing * .pi / 180)
        bearingCosine = cos(camera.bearing * .pi / 180)
        pitchSine = sin(camera.pitch * .pi / 180)
        pitchCosine = cos(camera.pitch * .pi / 180)
        worldSize = Self.worldSize(zoom: camera.zoom)
        latitudeSine = sin(camera.center.latitude * .pi / 180)
        latitudeCosine = cos(camera.center.latitude * .pi / 180)
    }

    /// The middle of the viewport, where the camera's centre is drawn.
    public var centerPoint: ScreenPoint { ScreenPoint(x: width / 2, y: height / 2) }

    /// Returns where a place is drawn.
    ///
    /// The longitude is taken as it is, so that 190 lies in the next copy of the world to the right of 170; see
    /// `MapCoordinate.nearest(to:)` for the copy on the screen.
    ///
    /// - Parameter coordinate: The place.
    /// - Returns: A point that may lie outside the viewport, or nil for a place behind the camera and for the poles,
    ///   which Web Mercator puts infinitely far away.
    public func project(_ coordinate: MapCoordinate) -> ScreenPoint? {
        let southward = -Mercator.difference(from: camera.center.latitude, to: coordinate.latitude) * worldSize
        guard southward.isFinite else { return nil }
        let eastward = (coordinate.longitude - camera.center.longitude) / 360 * worldSize
        let offset = cameraOffset(of: MercatorOffset(east: eastward, south: southward))
        guard offset.depth > 0 else { return nil }
        let point = screenPoint(of: offset)
        return point.x.isFinite && point.y.isFinite ? point : nil
    }

    /// The least distance from the camera, in points, at which shapes are drawn.
    var nearest: Double { cameraDistance / 1024 }

    /// Returns where a position of a shape lies as the camera sees it; nil when it is not a number.
    func cameraOffset(of position: MapPosition, turned: Double) -> CameraOffset? {
        cameraOffset(longitude: position.longitude + turned, latitude: position.latitude)
    }

    /// Returns where a position of a shape lies as the camera sees it; nil when it is not a number.
    func cameraOffset(longitude: Double, latitude: Double) -> CameraOffset? {
        let held = min(max(latitude, -Self.shapeLatitude), Self.shapeLatitude)
        let southward = -Mercator.difference(from: camera.center.latitude, to: held) * worldSize
        let eastward = (longitude - camera.center.longitude) / 360 * worldSize
        guard southward.isFinite, eastward.isFinite else { return nil }
        return cameraOffset(of: MercatorOffset(east: eastward, south: southward))
    }

    private func cameraOffset(of ground: MercatorOffset) -> CameraOffset {
        let down = ground.south * bearingCosine - ground.east * bearingSine
        return CameraOffset(
            right: ground.east * bearingCosine + ground.south * bearingSine,
            down: down,
            // Ground below the centre of the screen rises towards a tilted camera.
            depth: cameraDistance - down * pitchSine
        )
    }

    /// Returns where something in front of the camera is drawn.
    func screenPoint(of offset: CameraOffset) -> ScreenPoint {
        let scale = cameraDistance / offset.depth
        return ScreenPoint(x: width / 2 + offset.right * scale, y: height / 2 + offset.down * pitchCosine * scale)
    }

    /// Returns where an edge passes the least distance at which shapes are drawn, or nil when it does not.
    func crossing(from start: CameraOffset, to end: CameraOffset) -> CameraOffset? {
        guard (start.depth < nearest) != (end.depth < nearest) else { return nil }
        let part = (nearest - start.depth) / (end.depth - start.depth)
        return CameraOffset(
            right: start.right + (end.right - start.right) * part,
            down: start.down + (end.down - start.down) * part,
            depth: nearest
        )
    }

    /// Returns the place under a point of the screen.
    ///
    /// - Parameter point: A point, which may lie outside the viewport.
    /// - Returns: The place, its longitude continuing beyond ±180 in the copies of the world left and right; nil at
    ///   and above the horizon and for a point that is not finite.
    public func unproject(_ point: ScreenPoint) -> MapCoordinate? {
        guard let ground = groundOffset(of: point) else { return nil }
        let coordinate = Mercator.coordinate(
            from: camera.center,
            latitudeSine: latitudeSine,
            latitudeCosine: latitudeCosine,
            offset: ground,
            worldSize: worldSize
        )
        guard coordinate.latitude.isFinite, coordinate.longitude.isFinite else { return nil }
        return coordinate
    }

    /// Returns how far east and south of the centre the ground under a point is, in points of the flat world.
    func groundOffset(of point: ScreenPoint) -> MercatorOffset? {
        guard point.x.isFinite, point.y.isFinite else { return nil }
        let down = point.y - height / 2
        let slope = cameraDistance * pitchCosine + down * pitchSine
        // Zero where the ray runs along the ground, negative where it climbs.
        guard slope > 0 else { return nil }
        let groundDown = down * cameraDistance / slope
        // The same as (distance - groundDown · sin(pitch)) / distance, without the cancellation near the horizon.
        let groundRight = (point.x - width / 2) * cameraDistance * pitchCosine / slope
        return MercatorOffset(
            east: groundRight * bearingCosine - groundDown * bearingSine,
            south: groundRight * bearingSine + groundDown * bearingCosine
        )
    }

    static func worldSize(zoom: Double) -> Double { tileSize * exp2(zoom) }
}

/// A place on the ground as the camera sees it, in points of the flat world.
struct CameraOffset {
    /// To the right of the centre.
    var right: Double
    /// Towards the lower edge of the screen from the centre, along the ground.
    var down: Double
    /// The distance from the camera along its view.
    var depth: Double
}

/// A distance on the flat world in points.
struct MercatorOffset {
    var east: Double
    var south: Double
}

/// Web Mercator relative to a latitude, because absolute positions lose digits at high zoom.
///
/// With ψ = asinh(tan φ), tanh((ψ1 - ψ0) / 2) = sin((φ1 - φ0) / 2) / cos((φ1 + φ0) / 2).
enum Mercator {
    /// Returns how much further north a latitude lies, as a fraction of the world's height; infinite at a pole.
    static func difference(from start: Double, to end: Double) -> Double {
        guard abs(end) < 90 else { return end > 0 ? .infinity : -.infinity }
        let halfDifference = (end - start) * .pi / 360
        let halfSum = (end + start) * .pi / 360
        return atanh(sin(halfDifference) / cos(halfSum)) / .pi
    }

    /// Returns the coordinate at an offset from another.
    static func coordinate(from start: MapCoordinate, offset: MercatorOffset, worldSize: Double) -> MapCoordinate {
        coordinate(
            from: start,
            latitudeSine: sin(start.latitude * .pi / 180),
            latitudeCosine: cos(start.latitude * .pi / 180),
            offset: offset,
            worldSize: worldSize
        )
    }

    /// Returns the coordinate at an offset from another whose latitude's sine and cosine are known already.
    static func coordinate(
        from start: MapCoordinate,
        latitudeSine: Double,
        latitudeCosine: Double,
        offset: MercatorOffset,
        worldSize: Double
    ) -> MapCoordinate {
        let half = tanh(-offset.south / worldSize * .pi)
        let change = 2 * atan(half * latitudeCosine / (1 + half * latitudeSine))
        return MapCoordinate(
            finiteLatitude: start.latitude + change * 180 / .pi,
            longitude: start.longitude + offset.east / worldSize * 360
        )
    }
}
