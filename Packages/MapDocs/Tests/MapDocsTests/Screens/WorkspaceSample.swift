import Foundation
import MapDocs

/// A workspace with three layers and a feature on each.
enum WorkspaceSample {
    static let style = MapLayerStyle(MapStyle(), kind: .polygon)

    static func make(viewport: WorkspaceViewport = .phone) throws -> Workspace {
        let center = try MapCoordinate(latitude: 47.60621, longitude: -122.33207)
        return Workspace(
            name: "Harbour",
            layers: [
                WorkspaceLayer(id: "parcels", name: "Parcels", style: style, featureCount: 812),
                WorkspaceLayer(
                    id: "roads",
                    name: "Roads",
                    style: style,
                    featureCount: 1,
                    lockReason: "“Roads” is locked; it can be looked at but not changed."
                ),
                WorkspaceLayer(id: "notes", name: "Notes", role: .markup, style: style, featureCount: 0),
            ],
            camera: try MapCamera(center: center, zoom: 12.4),
            viewport: viewport,
            format: MeasurementFormat(units: .metric, locale: Locale(identifier: "en_US"))
        )
    }

    static func parcel(_ number: Int = 7) -> WorkspaceSelection {
        let ring = [(0.0, 0.0), (0, 0.01), (0.01, 0.01), (0.02, 0.005), (0.01, 0), (0, 0)].map {
            MapPosition(longitude: $0.1, latitude: $0.0)
        }
        return WorkspaceSelection(
            layer: "parcels",
            feature: FeatureID("parcel-\(number)"),
            title: "Parcel \(number)",
            geometry: .polygon([ring]),
            attributes: [
                WorkspaceSelection.Attribute(label: "Owner", value: "Ada"),
                WorkspaceSelection.Attribute(label: "Remark", value: nil),
            ]
        )
    }

    static let road = WorkspaceSelection(
        layer: "roads",
        feature: FeatureID("road-1"),
        title: "Main Street",
        geometry: .lineString([MapPosition(longitude: 0, latitude: 0), MapPosition(longitude: 0, latitude: 1)])
    )

    static func place(_ latitude: Double = 1, _ longitude: Double = 2) throws -> MapCoordinate {
        try MapCoordinate(latitude: latitude, longitude: longitude)
    }
}
