import Foundation

extension MapProjection {
    /// Returns the camera after a drag: the place under the first point is then drawn at the second.
    ///
    /// - Parameters:
    ///   - start: Where the finger was.
    ///   - end: Where the finger is now.
    /// - Returns: The moved camera, stopped at the edge of the Web Mercator world; the same camera when either point is
    ///   above the horizon, where there is nothing to take hold of.
    public func panned(from start: ScreenPoint, to end: ScreenPoint) -> MapCamera {
        guard let held = groundOffset(of: start), let target = groundOffset(of: end) else { return camera }
        return moved(
            by: MercatorOffset(east: held.east - target.east, south: held.south - target.south),
            zoom: camera.zoom
        )
    }

    /// Returns the camera after moving the map by points, measured at the centre of the viewport.
    ///
    /// - Parameters:
    ///   - x: Points the map moves to the right.
    ///   - y: Points the map moves down.
    /// - Returns: The moved camera; the same camera when the centre would go above the horizon.
    public func panned(x: Double, y: Double) -> MapCamera {
        panned(from: centerPoint, to: ScreenPoint(x: centerPoint.x + x, y: centerPoint.y + y))
    }

    /// Returns the camera at another zoom with the place under a point kept under it.
    ///
    /// - Parameters:
    ///   - zoom: The zoom level to go to, clamped to 0...22.
    ///   - point: The point that keeps its place, such as the middle of a pinch; above the horizon the centre does.
    /// - Returns: The zoomed camera.
    /// - Throws: `MapValueError.notFinite` when `zoom` is NaN or infinite.
    public func zoomed(to zoom: Double, about point: ScreenPoint) throws(MapValueError) -> MapCamera {
        let target = try MapCamera(center: camera.center, zoom: zoom, bearing: camera.bearing, pitch: camera.pitch)
        guard let ground = groundOffset(of: point) else { return target }
        let growth = exp2(target.zoom - camera.zoom) - 1
        return moved(
            by: MercatorOffset(east: ground.east * growth, south: ground.south * growth),
            zoom: target.zoom
        )
    }

    private func moved(by offset: MercatorOffset, zoom: Double) -> MapCamera {
        let center = Mercator.coordinate(
            from: camera.center,
            offset: offset,
            worldSize: Self.worldSize(zoom: zoom)
        )
        guard center.latitude.isFinite, center.longitude.isFinite else { return camera }
        return MapCamera(center: center, finiteZoom: zoom, bearing: camera.bearing, pitch: camera.pitch)
    }
}
