import Foundation
import MapGeodesy

/// Times geodesics; its peer geodesic-peer.cpp reads the same points and prints the same lines.
///
///     GeodesicBenchmark prepare FOLDER    writes the points, as doubles in the machine's byte order
///     GeodesicBenchmark measure FOLDER    prints, for each set, its name, nanoseconds of CPU time each, and the sum
///     GeodesicBenchmark results FOLDER    writes distance and azimuths of each pair beside the points
@main
struct GeodesicBenchmark {
    static let pairSets = ["random", "short", "antipodal"]
    static let ringSets = ["ring-100", "ring-10000", "ring-1000000"]

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: GeodesicBenchmark prepare | measure | results FOLDER")
            exit(2)
        }
        let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
        switch arguments[1] {
        case "prepare": try prepare(folder)
        case "results": try writeResults(folder)
        default: try measure(folder)
        }
    }

    // MARK: Points

    static func prepare(_ folder: URL) throws {
        var random = SplitMix(state: 20)
        try write(pairs(200_000) { random.pair() }, "random", folder)
        try write(pairs(200_000) { random.shortPair() }, "short", folder)
        try write(pairs(50_000) { random.antipodalPair() }, "antipodal", folder)
        for name in ringSets {
            let count = Int(name.dropFirst(5)) ?? 0
            // A wavy shore round a point in the Alps, about 300 km away from it.
            let ring = (0..<count).flatMap { index in
                let turn = Double(index) / Double(count) * 2 * Double.pi
                let radius = 3 + 0.3 * sin(turn * 17) + 0.01 * sin(turn * 1009)
                return [46.5 + radius * sin(turn), 9 + 1.5 * radius * cos(turn)]
            }
            try write(ring, name, folder)
        }
    }

    static func pairs(_ count: Int, _ next: () -> [Double]) -> [Double] {
        (0..<count).flatMap { _ in next() }
    }

    static func write(_ numbers: [Double], _ name: String, _ folder: URL) throws {
        try numbers.withUnsafeBytes { try Data($0).write(to: folder.appendingPathComponent("\(name).points")) }
    }

    static func read(_ name: String, _ folder: URL) throws -> [GeodesicPoint] {
        let data = try Data(contentsOf: folder.appendingPathComponent("\(name).points"))
        let numbers = data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
        return stride(from: 0, to: numbers.count, by: 2).map {
            GeodesicPoint(latitude: numbers[$0], longitude: numbers[$0 + 1])
        }
    }

    // MARK: Times

    static func measure(_ folder: URL) throws {
        let geodesic = Geodesic.wgs84
        for name in pairSets {
            let points = try read(name, folder)
            var sum = 0.0
            let time = cpuTime {
                for index in stride(from: 0, to: points.count, by: 2) {
                    let path = geodesic.inverse(from: points[index], to: points[index + 1])
                    sum += path.distance + path.initialAzimuth + path.finalAzimuth
                }
            }
            report(name, time, count: points.count / 2, sum)
        }
        for name in ringSets {
            let points = try read(name, folder)
            // About as much work for each size.
            let rounds = max(1, 100_000 / points.count)
            var sum = 0.0
            let time = cpuTime {
                for _ in 0..<rounds {
                    let ring = geodesic.ring(of: points)
                    sum += ring.perimeter + ring.signedArea
                }
            }
            report(name, time, count: points.count * rounds, sum / Double(rounds))
        }
    }

    /// Nanoseconds of CPU time that a body takes; unlike wall time they do not count what else the machine does.
    static func cpuTime(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        }
        let start = now()
        body()
        return now() - start
    }

    static func report(_ name: String, _ time: Double, count: Int, _ sum: Double) {
        print(name, time / Double(count), sum)
    }

    static func writeResults(_ folder: URL) throws {
        for name in pairSets {
            let points = try read(name, folder)
            let numbers = stride(from: 0, to: points.count, by: 2).flatMap { index in
                let path = Geodesic.wgs84.inverse(from: points[index], to: points[index + 1])
                return [path.distance, path.initialAzimuth, path.finalAzimuth]
            }
            try write(numbers, "\(name)-results", folder)
        }
    }
}

/// SplitMix64 by Guy Steele, Doug Lea and Christine Flood (OOPSLA 2014).
struct SplitMix {
    var state: UInt64

    mutating func number(_ low: Double, _ high: Double) -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return low + (high - low) * (Double((z ^ (z >> 31)) >> 11) * 0x1p-53)
    }

    mutating func latitude() -> Double {
        asin(number(-1, 1)) / Double.pi * 180
    }

    /// Anywhere on the globe.
    mutating func pair() -> [Double] {
        [latitude(), number(-180, 180), latitude(), number(-180, 180)]
    }

    /// Up to about 100 km apart, mostly much nearer.
    mutating func shortPair() -> [Double] {
        let size = 0.6 * exp(number(-12, 0))
        let (latitude, longitude) = (min(max(latitude(), -85), 85), number(-179, 179))
        return [
            latitude, longitude, latitude + number(-size, size),
            longitude + number(-size, size) / cos(latitude * Double.pi / 180),
        ]
    }

    /// Within half a degree of opposite each other, where several paths compete.
    mutating func antipodalPair() -> [Double] {
        let (latitude, longitude) = (latitude(), number(-180, 0))
        return [
            latitude, longitude, min(max(-latitude + number(-0.5, 0.5), -90), 90), longitude + 180 + number(-0.5, 0.5),
        ]
    }
}
