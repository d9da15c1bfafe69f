import Foundation

/// Moments as GeoPackage writes them: in UTC, with milliseconds.
enum GeoPackageDate {
    static func text(_ moment: Date) -> String {
        moment.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
