import Synchronization

/// Finds the feature that a tap means.
///
/// Everything within a fingertip's radius counts. Points and lines go before areas, because a well in a parcel could
/// not be tapped otherwise; among them the closest wins, then points before lines, then the upper layer, then the
/// feature drawn last. An area is hit inside of it, not in its holes, and from outside within the radius.
///
/// The first taps ask the package's own spatial index; once `prepareIndex(of:)` was called an index in memory serves.
public final class MapHitTester: Sendable {
    /// The radius of a fingertip in points.
    public static let fingertipRadius = 22.0

    private let package: any MapPackage
    private let indexes = Mutex<[String: PackedSpatialIndex]>([:])

    /// Makes a hit tester.
    ///
    /// - Parameter package: The package whose features are tapped.
    public init(package: any MapPackage) {
        self.package = package
    }

    /// Reads the boxes of a table into an index in memory, which serves all later taps.
    ///
    /// It costs about 40 bytes a feature. Authoritative geometry is never edited, so an index stays true until the
    /// package is fetched anew.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - kind: The kind of its geometries; positions of points are kept exactly.
    /// - Throws: `MapPackageError` when the package cannot be read.
    public func prepareIndex(of table: String, kind: MapGeometry.Kind?) throws(MapPackageError) {
        var keys: [Int64] = []
        var bounds: [SIMD4<Double>] = []
        if kind == .point {
            try package.readFeatures(in: table, FeatureQuery(columns: [])) { feature in
                if case .point(.some(let position)) = feature.geometry {
                    keys.append(feature.key)
                    let x = position.longitude
                    let y = position.latitude
                    bounds.append(SIMD4(x, y, x, y))
                }
                return true
            }
        } else {
            try package.readBounds(in: table) { key, box in
                keys.append(key)
                bounds.append(SIMD4(box.west, box.south, box.east, box.north))
            }
        }
        let index = PackedSpatialIndex(keys: keys, bounds: bounds, arePoints: kind == .point)
        indexes.withLock { $0[table] = index }
    }

    /// Finds what a tap hits.
    ///
    /// - Parameters:
    ///   - point: Where the tap is.
    ///   - projection: The camera and viewport.
    ///   - layers: The layers that can be hit, the lowest first.
    /// - Returns: The feature, or nil for empty space and above the horizon.
    /// - Throws: `MapPackageError` when the package cannot be read.
    public func hit(
        at point: ScreenPoint,
        through projection: MapProjection,
        layers: [HitTestLayer]
    ) throws(MapPackageError) -> MapHit? {
        guard point.x.isFinite, point.y.isFinite else { return nil }
        var search = TapSearch(finger: Fingertip(at: point, through: projection), radius: Self.fingertipRadius)
        for (rank, layer) in layers.reversed().enumerated() {
            let index = indexes.withLock { $0[layer.table] }
            try search.look(into: layer, rank: rank, of: package, index: index)
        }
        guard let best = search.best else { return nil }
        let layer = layers[layers.count - 1 - best.rank]
        guard let feature = try package.feature(withKey: best.key, in: layer.table) else { return nil }
        return MapHit(layer: layer.id, table: layer.table, feature: feature.id, distance: best.distance)
    }
}

/// One tap's way through the layers, with the best hit so far.
private struct TapSearch {
    /// What has been found.
    struct Candidate {
        var kind: Kind
        var distance: Double
        var rank: Int
        var key: Int64
    }

    enum Kind: Int {
        case point
        case line
        case area
    }

    let finger: Fingertip
    let radius: Double
    var best: Candidate?

    /// How far something may be to be better than, or as good as, the best.
    private func reach(for kind: MapGeometry.Kind?) -> Double? {
        guard let best else { return radius }
        let isAreaOnly = kind == .polygon || kind == .multiPolygon
        if best.kind == .area { return isAreaOnly ? best.distance : radius }
        return isAreaOnly ? nil : best.distance
    }

    mutating func look(
        into layer: HitTestLayer,
        rank: Int,
        of package: any MapPackage,
        index: PackedSpatialIndex?
    ) throws(MapPackageError) {
        guard let first = reach(for: layer.geometryKind) else { return }
        for turn in finger.window(radius: first).turns {
            let turned = Double(turn) * 360
            guard let reach = reach(for: layer.geometryKind) else { return }
            let window = finger.window(radius: reach)
            if let index {
                try look(into: layer, rank: rank, of: package, index, turned: turned, window: window)
            } else {
                let query = FeatureQuery(bounds: window.turned(by: -turned), columns: [])
                try package.readFeatures(in: layer.table, query) { feature in
                    take(feature, rank: rank, turned: turned, window: window)
                    return true
                }
            }
        }
    }

    private mutating func look(
        into layer: HitTestLayer,
        rank: Int,
        of package: any MapPackage,
        _ index: PackedSpatialIndex,
        turned: Double,
        window: MapBounds
    ) throws(MapPackageError) {
        var window = window
        var reached = reach(for: layer.geometryKind)
        let middle = MapPosition(
            longitude: (finger.position?.longitude ?? (window.west + window.east) / 2) - turned,
            latitude: finger.position?.latitude ?? (window.south + window.north) / 2
        )
        try index.search(from: middle, within: window.turned(by: -turned)) { found throws(MapPackageError) in
            if let position = found.point {
                take(position, key: found.key, rank: rank, turned: turned)
            } else if let feature = try package.feature(withKey: found.key, in: layer.table) {
                take(feature, rank: rank, turned: turned, window: window)
            }
            // What is found narrows the rest of the search.
            let reach = reach(for: layer.geometryKind)
            if reach != reached {
                reached = reach
                window = finger.window(radius: reach ?? 0)
            }
            return window.turned(by: -turned)
        }
    }

    private mutating func take(_ feature: MapFeature, rank: Int, turned: Double, window: MapBounds) {
        guard let geometry = feature.geometry else { return }
        let reach = finger.reach(geometry, turned: turned, radius: radius, window: window)
        if let point = reach.point { take(Candidate(kind: .point, distance: point, rank: rank, key: feature.key)) }
        if let line = reach.line { take(Candidate(kind: .line, distance: line, rank: rank, key: feature.key)) }
        if let area = reach.area { take(Candidate(kind: .area, distance: area, rank: rank, key: feature.key)) }
    }

    private mutating func take(_ position: MapPosition, key: Int64, rank: Int, turned: Double) {
        guard let distance = finger.distance(to: position, turned: turned, radius: radius) else { return }
        take(Candidate(kind: .point, distance: distance, rank: rank, key: key))
    }

    private mutating func take(_ candidate: Candidate) {
        guard let best else { return best = candidate }
        if Self.isBetter(candidate, than: best) { self.best = candidate }
    }

    private static func isBetter(_ one: Candidate, than other: Candidate) -> Bool {
        if (one.kind == .area) != (other.kind == .area) { return other.kind == .area }
        // Distances that differ by rounding only are the same.
        if abs(one.distance - other.distance) > 1e-6 { return one.distance < other.distance }
        if one.kind != other.kind { return one.kind.rawValue < other.kind.rawValue }
        if one.rank != other.rank { return one.rank < other.rank }
        return one.key > other.key
    }
}
