/// A box of longitudes and latitudes, in degrees; it never crosses the antimeridian of the numbers it is given.
public struct MapBounds: Hashable, Sendable {
    /// The least longitude.
    public var west: Double
    /// The least latitude.
    public var south: Double
    /// The greatest longitude, at least `west`.
    public var east: Double
    /// The greatest latitude, at least `south`.
    public var north: Double

    /// Makes a box.
    ///
    /// - Parameters:
    ///   - west: The least longitude.
    ///   - south: The least latitude.
    ///   - east: The greatest longitude.
    ///   - north: The greatest latitude.
    public init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Makes the box of one position.
    ///
    /// - Parameter position: The position.
    public init(around position: MapPosition) {
        self.init(
            west: position.longitude,
            south: position.latitude,
            east: position.longitude,
            north: position.latitude
        )
    }

    /// Returns the smallest box that has this one and a position in it.
    ///
    /// - Parameter position: The position; NaN changes nothing.
    /// - Returns: The larger box.
    public func including(_ position: MapPosition) -> MapBounds {
        MapBounds(
            west: min(west, position.longitude),
            south: min(south, position.latitude),
            east: max(east, position.longitude),
            north: max(north, position.latitude)
        )
    }

    /// Whether two boxes have a point in common, edges included.
    ///
    /// - Parameter other: The other box.
    /// - Returns: True when they touch or overlap.
    public func intersects(_ other: MapBounds) -> Bool {
        west <= other.east && other.west <= east && south <= other.north && other.south <= north
    }

    /// Returns the box in another copy of the world.
    ///
    /// - Parameter degrees: What to add to both longitudes.
    /// - Returns: The moved box.
    public func turned(by degrees: Double) -> MapBounds {
        MapBounds(west: west + degrees, south: south, east: east + degrees, north: north)
    }

    /// The turns of 360 degrees by which features have to be moved to be seen in this box, at most 16 to each side.
    ///
    /// Features are stored in one copy of the world, some of them up to a turn beyond ±180.
    public var turns: ClosedRange<Int> {
        func turn(_ value: Double) -> Int { value.isNaN ? 0 : Int(min(max(value, -16), 16)) }
        let first = turn(((west - 180) / 360).rounded(.down))
        return first...max(first, turn(((east + 180) / 360).rounded(.up)))
    }
}
