import Foundation

extension MapCamera {
    /// The centre as it is shown on the map: latitude and longitude with five decimals, `47.60621, -122.33207`.
    ///
    /// Always with a decimal point and in degrees, so that it can be copied into other programs.
    public var coordinateReadout: String {
        "\(Self.fixed(center.latitude, decimals: 5)), \(Self.fixed(center.longitude, decimals: 5))"
    }

    /// The zoom level as it is shown on the map: one decimal, `z 12.4`.
    public var zoomReadout: String { "z \(Self.fixed(zoom, decimals: 1))" }

    private static func fixed(_ value: Double, decimals: Int) -> String {
        let text = String(format: "%.\(decimals)f", value)
        // A value that rounds to zero from below has no sign worth showing.
        return text.hasPrefix("-") && !text.contains(where: { $0 != "0" && $0 != "." && $0 != "-" })
            ? String(text.dropFirst()) : text
    }
}
