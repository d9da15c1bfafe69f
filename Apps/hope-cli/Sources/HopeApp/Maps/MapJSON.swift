internal import MapDocs
internal import TransportCore

extension DocumentState {
    /// The state as it stands in JSON.
    var word: String {
        switch self {
        case .available: "available"
        case .downloading: "downloading"
        case .synced: "synced"
        case .edited: "edited"
        case .conflict: "conflict"
        case .offlineCopy: "offline_copy"
        case .unavailable: "unavailable"
        }
    }
}

extension DocumentRevision {
    var json: JSONValue {
        ["number": .integer(number), "fingerprint": .string(fingerprint.sha256)]
    }
}

extension FeatureValue {
    /// The value as it stands in JSON; bytes are counted, not printed.
    func json(in column: FeatureColumn? = nil) -> JSONValue {
        switch self {
        case .null: return .null
        case .integer(let value):
            if column?.type == .boolean, value == 0 || value == 1 { return .bool(value == 1) }
            return .number(JSONNumber(value))
        case .real(let value): return .number(value)
        case .text(let text): return .string(text)
        case .blob(let bytes): return ["bytes": .integer(bytes.count)]
        }
    }
}

extension PendingChange {
    var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "layer": .string(layer), "feature": .string(feature?.text),
            "column": .string(column), "from": from?.json() ?? .null, "to": to?.json() ?? .null,
            "words": .string(words),
        ]
    }
}

extension RevisionComparison {
    var json: JSONValue {
        [
            "theirs": .array(theirs.map(\.json)), "ours": .array(ours.map(\.json)),
            "both": .array(
                both.map { overlap in
                    ["ours": overlap.ours.json, "theirs": overlap.theirs.json, "same": .bool(overlap.isSame)]
                }
            ),
            "omitted_theirs": .integer(omittedTheirs),
        ]
    }

    /// The comparison in words, a line each.
    var lines: [String] {
        let more = omittedTheirs > 0 ? ["  and \(omittedTheirs) more"] : []
        return ["There:"] + theirs.map { "  \($0.words)" } + more + ["Here:"] + ours.map { "  \($0.words)" }
            + (both.isEmpty ? [] : ["Both:"] + both.map { "  \($0.words)" })
    }
}

extension MapCamera {
    var json: JSONValue {
        [
            "lat": .number(center.latitude), "lon": .number(center.longitude), "zoom": .number(zoom),
            "bearing": .number(bearing), "pitch": .number(pitch),
        ]
    }

    /// The camera in words.
    var words: String {
        "\(coordinateReadout), \(zoomReadout), bearing \(Self.short(bearing))°, pitch \(Self.short(pitch))°"
    }

    private static func short(_ degrees: Double) -> String {
        degrees == degrees.rounded() ? "\(Int(degrees))" : "\((degrees * 10).rounded() / 10)"
    }
}
