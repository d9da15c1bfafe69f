import TransportCore

/// A GeoJSON text (RFC 7946) whose features are taken apart one after the other, so that they need not all be in memory
/// at once.
struct GeoJSONDocument {
    /// Where a problem is, for people.
    struct Place {
        /// The path to the value, such as `features[3].geometry`.
        var path: String
        /// The line of the feature that it belongs to, from 1.
        var line: Int
        /// The place in that line, in Unicode scalars from 1.
        var column: Int
    }

    let bytes: [UInt8]
    /// The members of the outermost object that are not its features.
    let members: JSONValue
    /// Where each feature lies; nil when the document is not a collection of features.
    let features: [Range<Int>]?

    /// Takes a text apart.
    ///
    /// - Parameter bytes: The text in UTF-8; a byte order mark is skipped.
    /// - Throws: `JSONSyntaxError` when it is not JSON as far as that is known before the features are read.
    init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        self.bytes = bytes
        let split = bytes.withUnsafeBufferPointer { GeoJSONSplitter.split($0) }
        guard let split else {
            // Whatever it is, the one reader of JSON says it best.
            members = try JSONValue(parsing: bytes)
            features = nil
            return
        }
        var list: [JSONValue.Member] = []
        for (name, value) in split.members {
            list.append(
                JSONValue.Member(
                    name: try Self.parse(bytes, name).stringValue ?? "",
                    value: try Self.parse(bytes, value)
                )
            )
        }
        members = .object(list)
        features = split.features
    }

    /// Reads a feature.
    func feature(_ index: Int) throws(JSONSyntaxError) -> JSONValue {
        guard let features else { return members }
        return try Self.parse(bytes, features[index])
    }

    /// How many features there are; a feature or geometry alone is one.
    var count: Int { features?.count ?? 1 }

    /// Where something in a feature is.
    func place(_ index: Int, _ path: String) -> Place {
        let offset = features?[index].lowerBound ?? 0
        var line = 1
        var column = 1
        for byte in bytes[..<offset] {
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        let start = features == nil ? "" : "features[\(index)]"
        return Place(
            path: path.isEmpty ? start : start.isEmpty ? path : path.hasPrefix("[") ? start + path : "\(start).\(path)",
            line: line,
            column: column
        )
    }

    private static func parse(_ bytes: [UInt8], _ range: Range<Int>) throws(JSONSyntaxError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: bytes[range])
        } catch {
            // Read whole, the place is that in the whole text.
            _ = try JSONValue(parsing: bytes)
            throw error
        }
    }
}
