import MapDocs

/// How new layers are drawn: colours that stay apart from each other for most colour-blind people (Okabe and Ito, 2008).
enum LayerPalette {
    private static let colors = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]

    static func style(at index: Int, kind: MapGeometry.Kind?) -> MapStyle {
        let color = colors[index % colors.count]
        switch kind {
        case .point, .multiPoint: return MapStyle(fill: color, stroke: "#FFFFFF", strokeWidth: 1, radius: 5)
        case .lineString, .multiLineString: return MapStyle(stroke: color, strokeWidth: 2)
        default: return MapStyle(fill: color + "40", stroke: color, strokeWidth: 1.5)
        }
    }
}
