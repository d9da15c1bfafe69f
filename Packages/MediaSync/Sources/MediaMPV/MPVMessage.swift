import TransportCore

/// A property of mpv that is observed; the raw value is its name.
package enum MPVProperty: String, CaseIterable, Sendable {
    /// Where it is, in seconds; while it seeks, where it is going.
    case position = "time-pos"
    /// The length in seconds.
    case duration
    /// Whether it was told to stand still.
    case isPaused = "pause"
    /// Whether nothing is heard, for whatever reason.
    case isIdle = "core-idle"
    /// Whether it waits for bytes.
    case isStarved = "paused-for-cache"
    /// Whether it is on its way to another position.
    case isSeeking = "seeking"
    /// Whether it can go to another position at all.
    case isSeekable = "seekable"
}

/// What mpv says a property is, or answers a command with.
package enum MPVValue: Hashable, Sendable {
    /// Yes or no.
    case flag(Bool)
    /// A number, never NaN.
    case number(Double)
    /// A text, and anything else as JSON.
    case text(String)
    /// The number of a playlist's entry.
    case entry(Int)
}

/// How the playing of one entry came to its end.
package struct MPVEnd: Hashable, Sendable {
    /// The words that mpv has for it.
    package enum Reason: String, Sendable {
        /// The bytes were played to their end.
        case endOfFile = "eof"
        /// Something else was loaded, or it was told to stop.
        case stopped = "stop"
        /// It could not be played.
        case error
        /// mpv itself ends.
        case quit
        /// The bytes were a list, whose entries take its place.
        case redirect
        /// Something that later versions may say.
        case unknown
    }

    /// The number of the entry.
    package var entry: Int
    /// Why it ended.
    package var reason: Reason
    /// What failed, in mpv's words.
    package var error: String?
    /// The numbers of the entries that took its place.
    package var replacements: ClosedRange<Int>?

    /// Makes an end.
    package init(entry: Int, reason: Reason, error: String? = nil, replacements: ClosedRange<Int>? = nil) {
        self.entry = entry
        self.reason = reason
        self.error = error
        self.replacements = replacements
    }
}

/// One line that mpv writes on its JSON IPC.
package enum MPVMessage: Hashable, Sendable {
    /// A command was carried out; the answer carries its number.
    case success(request: Int, MPVValue?)
    /// A command was refused, with mpv's words for it.
    case refusal(request: Int, String)
    /// An entry is being opened.
    case startFile(entry: Int)
    /// An entry is over.
    case endFile(MPVEnd)
    /// The entry is open and about to be played.
    case fileLoaded
    /// It sets out for another position.
    case seek
    /// It plays, or could if it were not paused, after opening or a seek.
    case playbackRestart
    /// A property is different from before; nil while there is none.
    case property(MPVProperty, MPVValue?)
    /// A line of mpv's log, and which part of it speaks.
    case log(prefix: String, text: String)
    /// Something that nothing here depends on.
    case other

    /// Reads a line; nil for what is not a JSON object, an answer or an event.
    ///
    /// Bytes that are not UTF-8, which file names and tags may have, become U+FFFD.
    package init?(_ line: [UInt8]) {
        guard let object = try? JSONObjectView(line) else { return nil }
        if let event = object.text("event") {
            self = Self(event: event, object)
        } else if let request = object.integer("request_id") {
            let error = object.text("error") ?? ""
            self =
                error == "success"
                ? .success(request: request, object.value("data")) : .refusal(request: request, error)
        } else {
            return nil
        }
    }

    private init(event: String, _ object: JSONObjectView) {
        switch event {
        case "start-file": self = object.integer("playlist_entry_id").map { .startFile(entry: $0) } ?? .other
        case "end-file": self = MPVEnd(object).map { .endFile($0) } ?? .other
        case "file-loaded": self = .fileLoaded
        case "seek": self = .seek
        case "playback-restart": self = .playbackRestart
        case "property-change":
            let property = object.text("name").flatMap { MPVProperty(rawValue: $0) }
            self = property.map { .property($0, object.value("data")) } ?? .other
        case "log-message":
            self = .log(prefix: object.text("prefix") ?? "", text: object.text("text") ?? "")
        default: self = .other
        }
    }
}

extension MPVEnd {
    fileprivate init?(_ object: JSONObjectView) {
        guard let entry = object.integer("playlist_entry_id") else { return nil }
        self.init(
            entry: entry,
            reason: object.text("reason").flatMap { Reason(rawValue: $0) } ?? .unknown,
            error: object.text("file_error")
        )
        if let first = object.integer("playlist_insert_id"), let count = object.integer("playlist_insert_num_entries"),
            count > 0
        {
            let (end, overflowed) = first.addingReportingOverflow(count - 1)
            replacements = first...(overflowed ? Int.max : end)
        }
    }
}

extension JSONObjectView {
    fileprivate func integer(_ name: String) -> Int? {
        guard self[name]?.kind == .number else { return nil }
        return text(name).flatMap { Int($0) }
    }

    fileprivate func value(_ name: String) -> MPVValue? {
        guard let member = self[name] else { return nil }
        switch member.kind {
        case .bool: return .flag(text(of: member) == "true")
        case .number: return Double(text(of: member)).flatMap { $0.isNaN ? nil : .number($0) }
        case .object:
            let entry = object(name)?.integer("playlist_entry_id")
            return entry.map { .entry($0) } ?? .text(text(of: member))
        case .array, .string: return .text(text(of: member))
        case .null: return nil
        }
    }
}
