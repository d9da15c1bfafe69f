import Foundation
import HopeTokens
public import MapDocs

/// Draws a map: layers in order, markup, selection, the measured line, graticule, scale bar and north arrow.
///
/// Features are read one after the other, so that a picture of a million takes no more memory than one of ten.
public struct MapDrawing {
    private let snapshot: MapSnapshot
    private let projection: MapProjection
    private let clip: ScreenClip

    /// Makes a drawing.
    ///
    /// - Parameter snapshot: What to draw.
    public init(of snapshot: MapSnapshot) {
        self.snapshot = snapshot
        projection = snapshot.projection
        clip = ScreenClip(width: projection.width, height: projection.height, margin: 96)
    }

    /// Draws everything.
    ///
    /// - Parameters:
    ///   - package: The package that has the layers' features, or nil when there are none.
    ///   - surface: What to draw on.
    /// - Throws: `MapPackageError` when the package cannot be read.
    public func draw(_ package: (any MapPackage)?, on surface: inout some MapSurface) throws(MapPackageError) {
        if snapshot.hasFurniture { drawGraticule(on: &surface) }
        if let package {
            for layer in snapshot.layers { try draw(layer, of: package, on: &surface) }
        }
        if let selection = snapshot.selection { draw(selection: selection, on: &surface) }
        drawNotes(on: &surface)
        drawMeasured(on: &surface)
        if snapshot.hasFurniture {
            drawScaleBar(on: &surface)
            drawNorthArrow(on: &surface)
        }
    }

    private func draw(
        _ layer: MapSnapshot.Layer,
        of package: any MapPackage,
        on surface: inout some MapSurface
    ) throws(MapPackageError) {
        surface.begin(layer.name)
        let seen = projection.visibleBounds(margin: layer.style.radius + layer.style.strokeWidth)
        for turn in seen.turns {
            let turned = Double(turn) * 360
            let query = FeatureQuery(bounds: seen.turned(by: -turned), columns: [])
            try package.readFeatures(in: layer.table, query) { feature in
                if let geometry = feature.geometry { draw(geometry, layer.style, turned: turned, on: &surface) }
                return true
            }
        }
    }

    private func draw(
        _ geometry: MapGeometry,
        _ style: MapLayerStyle,
        turned: Double,
        on surface: inout some MapSurface
    ) {
        switch geometry {
        case .point(let position): if let position { draw(point: position, style, turned: turned, on: &surface) }
        case .multiPoint(let positions):
            for case .some(let position) in positions { draw(point: position, style, turned: turned, on: &surface) }
        case .lineString(let line): draw(lines: [line], style, turned: turned, on: &surface)
        case .multiLineString(let lines): draw(lines: lines, style, turned: turned, on: &surface)
        case .polygon(let rings): draw(polygons: [rings], style, turned: turned, on: &surface)
        case .multiPolygon(let polygons): draw(polygons: polygons, style, turned: turned, on: &surface)
        case .collection(let geometries):
            for geometry in geometries { draw(geometry, style, turned: turned, on: &surface) }
        }
    }

    private func draw(
        point: MapPosition,
        _ style: MapLayerStyle,
        turned: Double,
        on surface: inout some MapSurface
    ) {
        guard let place = screenPoint(point, turned: turned), clip.contains(place) else { return }
        if style.strokeWidth > 0 {
            surface.dot(place, radius: style.radius + style.strokeWidth, color: style.stroke)
        }
        surface.dot(place, radius: style.radius, color: style.fill)
    }

    private func draw(
        lines: [[MapPosition]],
        _ style: MapLayerStyle,
        turned: Double,
        on surface: inout some MapSurface
    ) {
        surface.stroke(drawn(lines, turned: turned), width: style.strokeWidth, color: style.stroke)
    }

    private func draw(
        polygons: [[[MapPosition]]],
        _ style: MapLayerStyle,
        turned: Double,
        on surface: inout some MapSurface
    ) {
        for rings in polygons where style.fill.opacity > 0 {
            let corners = rings.map { clip.cut(ring: projection.project(ring: $0, turned: turned)) }
            surface.fill(corners.filter { $0.count > 2 }, color: style.fill)
        }
        draw(lines: polygons.flatMap { $0 }, style, turned: turned, on: &surface)
    }

    private func draw(selection: MapGeometry, on surface: inout some MapSurface) {
        surface.begin("Selection")
        let accent = snapshot.theme.accent.value
        let style = MapLayerStyle(
            fill: accent.withOpacity(WorkspaceSelectionModel.fillOpacity),
            stroke: accent,
            strokeWidth: WorkspaceSelectionModel.strokeWidth,
            radius: 8
        )
        for turn in projection.visibleBounds(margin: 16).turns {
            draw(selection, style, turned: Double(turn) * 360, on: &surface)
        }
    }

    private func drawNotes(on surface: inout some MapSurface) {
        guard !snapshot.notes.isEmpty else { return }
        surface.begin("Notes")
        let ink = snapshot.theme.ink.value
        for note in snapshot.notes {
            guard let anchor = projection.project(note.anchor.nearest(to: projection.camera.center)) else { continue }
            if let target = note.target.flatMap({ projection.project($0.nearest(to: note.anchor)) }) {
                surface.stroke(clip.cut(line: [anchor, target]), width: 1.5, color: ink)
                if clip.contains(target) { surface.dot(target, radius: 2.5, color: ink) }
            }
            guard clip.contains(anchor) else { continue }
            surface.dot(anchor, radius: 7, color: snapshot.theme.onAccent.value)
            surface.dot(anchor, radius: 5.5, color: snapshot.theme.accent.value)
            for (index, line) in note.text.split(separator: "\n").enumerated() {
                let position = ScreenPoint(x: anchor.x + 11, y: anchor.y + 4 + Double(index) * 15)
                surface.write(String(line), at: position, size: 12, isCentered: false, color: ink)
            }
        }
    }

    private func drawMeasured(on surface: inout some MapSurface) {
        guard !snapshot.measured.isEmpty else { return }
        surface.begin("Measured")
        let accent = snapshot.theme.accent.value
        var last = projection.camera.center
        var line = snapshot.measured.map { coordinate in
            // Each point lies in the copy of the world that is closest to the one before.
            last = coordinate.nearest(to: last)
            return MapPosition(longitude: last.longitude, latitude: last.latitude)
        }
        let corners = line
        if snapshot.measuresArea, let first = line.first, line.count > 2 {
            let ring = clip.cut(ring: projection.project(ring: line))
            if ring.count > 2 { surface.fill([ring], color: accent.withOpacity(0.2)) }
            line.append(first)
        }
        surface.stroke(drawn([line], turned: 0), width: 2.5, color: accent)
        for corner in corners {
            guard let place = screenPoint(corner, turned: 0), clip.contains(place) else { continue }
            surface.dot(place, radius: 5, color: snapshot.theme.onAccent.value)
            surface.dot(place, radius: 3.5, color: accent)
        }
    }

    private func drawGraticule(on surface: inout some MapSurface) {
        surface.begin("Graticule")
        let color = snapshot.theme.inkMuted.value
        let edge = ScreenClip(width: projection.width, height: projection.height, margin: 0)
        for line in Graticule(projection.visibleBounds()).lines {
            let parts = drawn([line.positions], turned: 0)
            surface.stroke(parts, width: 0.5, color: color.withOpacity(0.45))
            guard let visible = edge.firstPoint(of: parts) else { continue }
            let position = ScreenPoint(
                x: min(max(visible.x + 3, 3), projection.width - 36),
                y: min(max(visible.y - 3, 11), projection.height - 4)
            )
            surface.write(line.label, at: position, size: 9, isCentered: false, color: color)
        }
    }

    private func drawScaleBar(on surface: inout some MapSurface) {
        guard
            let bar = try? ScaleBar(
                camera: projection.camera,
                units: snapshot.units,
                maximumWidth: max(min(projection.width / 4, 160), 24)
            )
        else { return }
        surface.begin("Scale bar")
        let ink = snapshot.theme.ink.value
        let base = ScreenPoint(x: 16, y: projection.height - 16)
        let end = ScreenPoint(x: base.x + bar.width, y: base.y)
        let outline = [
            [ScreenPoint(x: base.x, y: base.y - 6), base, end, ScreenPoint(x: end.x, y: end.y - 6)]
        ]
        surface.stroke(outline, width: 4, color: ColorValue.white.withOpacity(0.8))
        surface.stroke(outline, width: 1.5, color: ink)
        let middle = ScreenPoint(x: (base.x + end.x) / 2, y: base.y - 5)
        surface.write(bar.label, at: middle, size: 11, isCentered: true, color: ink)
    }

    private func drawNorthArrow(on surface: inout some MapSurface) {
        surface.begin("North arrow")
        let ink = snapshot.theme.ink.value
        let middle = ScreenPoint(x: projection.width - 30, y: 32)
        // North on the screen, as the projection has it: straight up turned back by the bearing.
        let bearing = projection.camera.bearing * .pi / 180
        let north = (x: -sin(bearing), y: -cos(bearing))
        func place(along: Double, across: Double) -> ScreenPoint {
            ScreenPoint(
                x: middle.x + north.x * along - north.y * across,
                y: middle.y + north.y * along + north.x * across
            )
        }
        surface.dot(middle, radius: 20, color: ColorValue.white.withOpacity(0.7))
        let needle = [
            place(along: 14, across: 0), place(along: -12, across: 8), place(along: -7, across: 0),
            place(along: -12, across: -8),
        ]
        surface.fill([needle], color: ink)
        let letter = place(along: 26, across: 0)
        let position = ScreenPoint(x: letter.x, y: letter.y + 4)
        surface.write("N", at: position, size: 11, isCentered: true, color: ink)
    }

    private func drawn(_ lines: [[MapPosition]], turned: Double) -> [[ScreenPoint]] {
        lines.flatMap { projection.project(line: $0, turned: turned).flatMap { clip.cut(line: $0) } }
    }

    private func screenPoint(_ position: MapPosition, turned: Double) -> ScreenPoint? {
        guard
            let place = try? MapCoordinate(
                latitude: position.latitude,
                longitude: position.longitude + turned
            )
        else { return nil }
        return projection.project(place)
    }
}
