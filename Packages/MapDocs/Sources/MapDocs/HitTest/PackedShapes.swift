/// A position of a shape as taps need it.
protocol FlatPosition {
    var longitude: Double { get }
    var latitude: Double { get }
}

extension MapPosition: FlatPosition {}

/// A position without height and measure.
struct PackedPosition: FlatPosition {
    var longitude: Double
    var latitude: Double
}

/// The shapes of many features in flat arrays, so that a tap reads no database.
struct PackedShapes: Sendable {
    /// What a run of positions is.
    private enum Run: UInt8 {
        case points
        case line
        /// The outline of a polygon; the holes that follow belong to it.
        case outline
        case hole
    }

    private var positions: [PackedPosition] = []
    /// Where each run ends in `positions`.
    private var runEnds: [Int32] = []
    private var runs: [Run] = []
    /// Where each shape ends in `runs`.
    private var shapeEnds: [Int32] = []

    /// The number of shapes.
    var count: Int { shapeEnds.count }
    /// The number of positions of all shapes.
    var positionCount: Int { positions.count }

    /// Adds a shape behind the others.
    mutating func append(_ geometry: MapGeometry) {
        add(geometry)
        shapeEnds.append(Int32(runs.count))
    }

    private mutating func add(_ geometry: MapGeometry) {
        switch geometry {
        case .point(let position): add(.points, position.map { [$0] } ?? [])
        case .multiPoint(let positions): add(.points, positions.compactMap { $0 })
        case .lineString(let line): add(.line, line)
        case .multiLineString(let lines): for line in lines { add(.line, line) }
        case .polygon(let rings): add(polygon: rings)
        case .multiPolygon(let polygons): for rings in polygons { add(polygon: rings) }
        case .collection(let geometries): for geometry in geometries { add(geometry) }
        }
    }

    private mutating func add(polygon rings: [[MapPosition]]) {
        for (index, ring) in rings.enumerated() { add(index == 0 ? .outline : .hole, ring) }
    }

    private mutating func add(_ run: Run, _ line: [MapPosition]) {
        positions += line.map { PackedPosition(longitude: $0.longitude, latitude: $0.latitude) }
        runEnds.append(Int32(positions.count))
        runs.append(run)
    }

    /// Returns how close a shape is to a tap.
    func reach(of shape: Int, from finger: Fingertip, _ aim: Fingertip.Aim) -> Fingertip.Reach {
        var reach = Fingertip.Reach()
        var run = shape > 0 ? Int(shapeEnds[shape - 1]) : 0
        let end = Int(shapeEnds[shape])
        while run < end {
            switch runs[run] {
            case .points: for position in line(run) { reach.add(point: finger.distance(to: position, aim)) }
            case .line: reach.add(line: finger.distance(toLine: line(run), aim))
            case .hole: break
            case .outline:
                let outline = run
                while run + 1 < end, case .hole = runs[run + 1] { run += 1 }
                if finger.contains(line(outline), aim) {
                    let isInHole = outline < run && (outline + 1...run).contains { finger.contains(line($0), aim) }
                    if !isInHole { reach.add(area: 0) }
                } else {
                    reach.add(area: finger.distance(toLine: line(outline), aim))
                }
            }
            run += 1
        }
        return reach
    }

    private func line(_ run: Int) -> ArraySlice<PackedPosition> {
        positions[(run > 0 ? Int(runEnds[run - 1]) : 0)..<Int(runEnds[run])]
    }
}
