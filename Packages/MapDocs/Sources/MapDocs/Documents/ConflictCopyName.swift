public import Foundation

/// The names under which a conflict copy can be kept: `Name (conflict copy, Device, 2026-11-29 14.03).gispad`.
public struct ConflictCopyName: Hashable, Sendable {
    private let base: String
    private let suffix: String

    /// Makes the names for a copy of a document.
    ///
    /// - Parameters:
    ///   - original: The document that changed elsewhere.
    ///   - device: The name of this device; characters that file systems refuse become `-`.
    ///   - date: When the copy is made.
    ///   - timeZone: The time zone in which the date is written.
    public init(of original: DocumentName, device: String, at date: Date, in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        func digits(_ value: Int?, _ count: Int) -> String {
            let text = "\(value ?? 0)"
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let day = "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2))"
        let minute = "\(digits(parts.hour, 2)).\(digits(parts.minute, 2))"
        base = original.title
        suffix = " (conflict copy, \(Self.safeDevice(device)), \(day) \(minute))"
    }

    /// Returns the nth name to try: the plain one, then ` 2`, ` 3` and so on behind it.
    ///
    /// The document's own name is cut at its end where the whole would be too long for a file system.
    ///
    /// - Parameter number: 1 for the plain name; anything below counts as 1.
    /// - Returns: A name that `DocumentName` accepts.
    public func candidate(_ number: Int) -> DocumentName {
        let ending = number > 1 ? "\(suffix) \(number)" : suffix
        let room = DocumentName.maximumBytes - DocumentName.fileExtension.utf8.count - ending.utf8.count
        return DocumentName(safeTitle: Self.cut(base, toBytes: room) + ending)
    }

    private static func safeDevice(_ device: String) -> String {
        let refused = Set("/\\:*?\"<>|".unicodeScalars)
        var safe = String.UnicodeScalarView()
        for scalar in device.unicodeScalars {
            let isRefused = refused.contains(scalar) || scalar.properties.generalCategory == .control
            safe.append(isRefused ? "-" : scalar)
        }
        let name = cut(String(safe), toBytes: 64).trimmingCharacters(in: .whitespaces)
        return name.isEmpty ? "unnamed device" : name
    }

    private static func cut(_ text: String, toBytes limit: Int) -> String {
        var kept = text
        while kept.utf8.count > limit { kept.removeLast() }
        return kept
    }
}
