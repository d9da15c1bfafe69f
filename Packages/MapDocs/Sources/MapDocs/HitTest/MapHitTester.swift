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
    private let indexes = Mutex<[String: TapIndex]>([:])

    /// Makes a hit tester.
    ///
    /// - Parameter package: The package whose features are tapped.
    public init(package: any MapPackage) {
        self.package = package
    }

    /// Reads a table into an index in memory, which serves all later taps.
    ///
    /// It costs about 35 bytes a feature and 16 a corner; of a table with more than 16 million corners only the boxes are
    /// kept. Authoritative geometry is never edited, so an index stays true until the package is fetched anew.
    ///
    /// - Parameter table: The table.
    /// - Throws: `MapPackageError` when the package cannot be read.
    public func prepareIndex(of table: String) throws(MapPackageError) {
        let index = try TapIndex(table, of: package)
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
        var search = TapSearch(Fingertip(at: point, through: projection), radius: Self.fingertipRadius)
        for (rank, layer) in layers.reversed().enumerated() {
            let index = indexes.withLock { $0[layer.table] }
            try search.look(into: layer, rank: rank, of: package, index)
        }
        return search.best.map { best in
            let layer = layers[layers.count - 1 - best.rank]
            return MapHit(layer: layer.id, table: layer.table, key: best.key, distance: best.distance)
        }
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

    private let finger: Fingertip
    private let radius: Double
    private(set) var best: Candidate?
    /// The box of the last reach that was asked for; working one out costs as much as looking at many features.
    private var window: (radius: Double, box: MapBounds)

    init(_ finger: Fingertip, radius: Double) {
        self.finger = finger
        self.radius = radius
        window = (radius, finger.window(radius: radius))
    }

    /// How far something may be to be better than, or as good as, the best; nil when nothing of the kind can be.
    private func reach(for kind: MapGeometry.Kind?) -> Double? {
        guard let best else { return radius }
        let isAreaOnly = kind == .polygon || kind == .multiPolygon
        if best.kind == .area { return isAreaOnly ? best.distance : radius }
        return isAreaOnly ? nil : best.distance
    }

    private mutating func box(of reach: Double) -> MapBounds {
        if reach == 0, let place = finger.position { return MapBounds(around: place) }
        if window.radius != reach { window = (reach, finger.window(radius: reach)) }
        return window.box
    }

    mutating func look(
        into layer: HitTestLayer,
        rank: Int,
        of package: any MapPackage,
        _ index: TapIndex?
    ) throws(MapPackageError) {
        guard let first = reach(for: layer.geometryKind) else { return }
        // Features are stored in one copy of the world, the tap can be in another; some are stored beyond ±180.
        for turn in box(of: first).turns {
            guard let reach = reach(for: layer.geometryKind) else { return }
            let aim = Fingertip.Aim(turned: Double(turn) * 360, radius: radius, window: box(of: reach))
            if let index {
                try look(into: layer, rank: rank, of: package, index, aim)
            } else {
                let query = FeatureQuery(bounds: aim.window.turned(by: -aim.turned), columns: [])
                try package.readFeatures(in: layer.table, query) { feature in
                    if let geometry = feature.geometry { take(finger.reach(geometry, aim), feature.key, rank) }
                    return true
                }
            }
        }
    }

    private mutating func look(
        into layer: HitTestLayer,
        rank: Int,
        of package: any MapPackage,
        _ index: TapIndex,
        _ aim: Fingertip.Aim
    ) throws(MapPackageError) {
        var aim = aim
        var reached = reach(for: layer.geometryKind) ?? 0
        let middle = MapPosition(
            longitude: (finger.position?.longitude ?? (aim.window.west + aim.window.east) / 2) - aim.turned,
            latitude: finger.position?.latitude ?? (aim.window.south + aim.window.north) / 2
        )
        try index.boxes.search(from: middle, within: aim.window.turned(by: -aim.turned)) {
            (entry) throws(MapPackageError) -> MapBounds? in
            let key = index.keys[entry]
            if let shapes = index.shapes {
                take(shapes.reach(of: entry, from: finger, aim), key, rank)
            } else if let geometry = try package.feature(withKey: key, in: layer.table)?.geometry {
                take(finger.reach(geometry, aim), key, rank)
            }
            // What is found narrows the rest of the search, where that is worth working out a box.
            let reach = reach(for: layer.geometryKind) ?? 0
            guard reach < reached * 0.7 else { return nil }
            reached = reach
            aim.window = box(of: reach)
            return aim.window.turned(by: -aim.turned)
        }
    }

    private mutating func take(_ reach: Fingertip.Reach, _ key: Int64, _ rank: Int) {
        if let point = reach.point { take(Candidate(kind: .point, distance: point, rank: rank, key: key)) }
        if let line = reach.line { take(Candidate(kind: .line, distance: line, rank: rank, key: key)) }
        if let area = reach.area { take(Candidate(kind: .area, distance: area, rank: rank, key: key)) }
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
