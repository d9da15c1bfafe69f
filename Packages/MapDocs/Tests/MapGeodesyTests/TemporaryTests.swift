import Foundation
import MapGeodesy
import Testing

struct TemporaryTests {
    @Test func worst() throws {
        let g = Geodesic.wgs84
        var worst: [String: [Double]] = [:]
        for r in try GeodesicReference.all() {
            let i = g.inverse(from: r.start, to: r.end)
            var e = worst[r.kind] ?? [0, 0, 0, 0, 0]
            e[0] = max(e[0], abs(i.distance - r.distance))
            if r.hasUniqueAzimuth {
                e[1] = max(e[1], abs((i.initialAzimuth - r.initialAzimuth).remainder(dividingBy: 360)) * .pi / 180 * abs(r.reducedLength))
                e[2] = max(e[2], abs((i.finalAzimuth - r.finalAzimuth).remainder(dividingBy: 360)) * .pi / 180 * abs(r.reducedLength))
            } else {
                let d = max(abs((i.initialAzimuth - r.initialAzimuth).remainder(dividingBy: 360)), abs((i.finalAzimuth - r.finalAzimuth).remainder(dividingBy: 360)))
                if d > 1e-9 { print("azi", r.kind, r.start, r.end, i.initialAzimuth, i.finalAzimuth, r.initialAzimuth, r.finalAzimuth) }
            }
            e[3] = max(e[3], abs(i.reducedLength - r.reducedLength))
            let d = g.direct(from: r.start, azimuth: r.initialAzimuth, distance: r.distance)
            let phi = r.end.latitude * .pi / 180
            let e2 = 0.0066943799901413165
            let w = (1 - e2 * sin(phi) * sin(phi)).squareRoot()
            let north = (d.end.latitude - r.end.latitude) * .pi / 180 * 6378137 * (1 - e2) / (w * w * w)
            let east = (d.end.longitude - r.end.longitude).remainder(dividingBy: 360) * .pi / 180 * 6378137 / w * cos(phi)
            e[4] = max(e[4], (north * north + east * east).squareRoot())
            if (i.distance - r.distance).magnitude > 20e-9 || e[4] > 20e-9 || e.contains(where: \.isNaN) { print("BAD", r, i, d) }
            worst[r.kind] = e
        }
        for (k, e) in worst.sorted(by: { $0.key < $1.key }) { print(k.padding(toLength: 18, withPad: " ", startingAt: 0), e.map { String(format: "%.2f nm", $0 * 1e9) }) }
        for r in try AreaReference.all() {
            let ring = g.ring(of: r.vertices)
            let tol = max(0.1, 1e-13 * abs(r.leftArea))
            let bad = abs(ring.signedArea - r.signedArea) > tol || abs(ring.leftArea - r.leftArea) > tol || abs(ring.perimeter - r.perimeter) > 2e-8 * Double(r.vertices.count)
            print(bad ? "BAD" : "ok ", r.kind, r.vertices.count, ring.perimeter - r.perimeter, ring.signedArea - r.signedArea, ring.leftArea - r.leftArea)
        }
    }
}
