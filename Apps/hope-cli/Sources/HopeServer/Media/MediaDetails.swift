internal import TransportCore

/// What is known about a media file beyond its name and its type.
struct MediaDetails: Hashable, Sendable {
    var title: String?
    var artist: String?
    /// Seconds.
    var duration: Double?
    /// The codec of its sound, as ffprobe calls it.
    var codec: String?
    /// The name of the picture that was in it, among the pictures that were taken out.
    var picture: String?

    /// Reads what ffprobe wrote; nil when it is not what was asked for.
    ///
    /// - Returns: The details, and whether there is a picture in the file.
    static func read(_ output: [UInt8]) -> (details: MediaDetails, hasPicture: Bool)? {
        guard let value = try? JSONValue(parsing: output), value.members != nil else { return nil }
        let streams = value["streams"]?.elements ?? []
        let sound = streams.first { $0["codec_type"]?.stringValue == "audio" }
        let picture = streams.contains { $0["disposition"]?["attached_pic"]?.intValue == 1 }
        // Ogg keeps its tags with the stream.
        let places = [value["format"]?["tags"], sound?["tags"]]
        func tag(_ names: String...) -> String? {
            for name in names {
                for member in places.compactMap({ $0?.members }).joined() where member.name.lowercased() == name {
                    if let text = member.value.stringValue.flatMap(Self.line) { return text }
                }
            }
            return nil
        }
        let seconds = [value["format"]?["duration"], sound?["duration"]].lazy
            .compactMap { $0?.stringValue.flatMap(Double.init) }
            .first { $0.isFinite && $0 > 0 }
        let details = MediaDetails(
            title: tag("title"),
            artist: tag("artist", "album_artist"),
            duration: seconds.map { ($0 * 1000).rounded() / 1000 },
            codec: sound?["codec_name"]?.stringValue
        )
        return (details, picture)
    }

    /// A text as it stands on one line, at most 300 characters of it; nil when nothing is left.
    static func line(_ text: String) -> String? {
        let scalars = text.unicodeScalars.prefix(300).map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        let words = String(view).split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
