import TransportCore

/// A feature of a table.
struct FeatureKey: Hashable, Sendable {
    let table: String
    let feature: FeatureID
}

/// What a feature was before it was first touched, as far as it was touched.
struct FeatureOriginal: Sendable {
    /// Whether it was not there.
    var isAbsent = false
    /// The values of the columns that were touched.
    var values: [String: FeatureValue] = [:]
    /// The shape, where it was touched: inside, nil is a shape of NULL.
    var geometry: MapGeometry??
}

/// The originals of all features that were touched, in the order in which they were.
///
/// With the present features they say what the base was: the original where there is one, else what is there now.
struct FeatureOriginals: Sendable {
    private(set) var keys: [FeatureKey] = []
    private var entries: [FeatureKey: FeatureOriginal] = [:]

    subscript(key: FeatureKey) -> FeatureOriginal? { entries[key] }

    /// Takes in what is not known yet; what is known was recorded before and stays.
    mutating func record(_ original: FeatureOriginal, of key: FeatureKey) {
        guard var known = entries[key] else {
            keys.append(key)
            entries[key] = original
            return
        }
        guard !known.isAbsent else { return }
        known.values.merge(original.values) { earlier, _ in earlier }
        if known.geometry == nil { known.geometry = original.geometry }
        entries[key] = known
    }

    /// Takes in the originals of a later state: what both touched is as it was here.
    func folding(_ later: FeatureOriginals) -> FeatureOriginals {
        var folded = self
        for key in later.keys {
            guard let original = later[key] else { continue }
            folded.record(original, of: key)
        }
        return folded
    }

    /// The part of an original that is not recorded yet; nil when all of it is.
    func missing(of original: FeatureOriginal, for key: FeatureKey) -> FeatureOriginal? {
        guard let known = entries[key] else { return original }
        guard !known.isAbsent else { return nil }
        var missing = original
        missing.values = original.values.filter { known.values[$0.key] == nil }
        if known.geometry != nil { missing.geometry = nil }
        return missing.values.isEmpty && missing.geometry == nil ? nil : missing
    }

    /// What a feature was at the base, given what it is now.
    func base(of present: MapFeature?, _ key: FeatureKey) -> MapFeature? {
        guard let original = entries[key] else { return present }
        guard !original.isAbsent else { return nil }
        var feature = present ?? MapFeature(id: key.feature, key: 0, values: [:])
        feature.values.merge(original.values) { _, original in original }
        if let geometry = original.geometry {
            feature.geometry = geometry
            feature.geometryProblem = nil
        }
        return feature
    }
}

// MARK: JSON

extension FeatureOriginal {
    func line(for key: FeatureKey) -> JSONValue {
        var line: JSONValue = [
            "line": "original", "table": .string(key.table), "feature": .string(key.feature.text),
        ]
        if isAbsent {
            line.set("absent", to: true)
            return line
        }
        let names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        line.set(
            "values",
            to: .object(names.map { JSONValue.Member(name: $0, value: (values[$0] ?? .null).json) })
        )
        if let geometry { line.set("geometry", to: geometry?.json ?? .null) }
        return line
    }

    /// Reads a line; nil when it is not one of these.
    static func read(_ line: JSONValue) -> (FeatureKey, FeatureOriginal)? {
        guard let table = line["table"]?.stringValue, let feature = line["feature"]?.stringValue else { return nil }
        let key = FeatureKey(table: table, feature: FeatureID(feature))
        if line["absent"]?.boolValue == true { return (key, FeatureOriginal(isAbsent: true)) }
        var original = FeatureOriginal()
        for member in line["values"]?.members ?? [] {
            guard let value = FeatureValue(json: member.value) else { return nil }
            original.values[member.name] = value
        }
        if let geometry = line["geometry"] {
            let shape = MapGeometry(json: geometry)
            guard shape != nil || geometry == .null else { return nil }
            original.geometry = .some(shape)
        }
        return (key, original)
    }
}
