internal import MediaSync
internal import TransportCore

/// What happens while a player follows: what somebody else tells the server, and what the person does here.
///
/// A line is `[TIME] [server] WORD [VALUE]`, such as `2s server play River Blues` or `15s pause`; one without a time
/// happens as soon as the one before is done. What stands behind `#` at the beginning of a line is a comment.
struct MediaScript: Sendable {
    /// Something that happens.
    enum Deed: Hashable, Sendable {
        /// Play on, or play what fits the words.
        case play(String?)
        case pause
        case stop
        case seek(Double)
        case volume(Double)
        case talk(String)
        case hangUp
        case interruption(Bool)
    }

    struct Step: Hashable, Sendable {
        /// When, counted from the start; nil for at once.
        var time: Duration?
        /// Whether the server is told by somebody else.
        var isServer: Bool
        var deed: Deed
    }

    /// Why a line is none of a script.
    struct Problem: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }
    }

    static let words = ["play", "pause", "stop", "seek", "volume", "talk", "hang-up", "interrupt", "resume"]

    let steps: [Step]

    /// Reads a script.
    ///
    /// - Throws: ``Problem``, with the number of the line.
    init(parsing text: String) throws(Problem) {
        var steps: [Step] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do throws(Problem) {
                if let step = try Self.step(String(line)) { steps.append(step) }
            } catch {
                throw Problem("line \(index + 1): \(error.message)")
            }
        }
        self.steps = steps
    }

    /// Reads one line; nil for one that says nothing.
    ///
    /// - Throws: ``Problem``.
    static func step(_ line: String) throws(Problem) -> Step? {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)[...]
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        var time: Duration?
        if first.first?.isNumber == true {
            let text = first.hasSuffix("s") ? first.dropLast() : first[...]
            guard let seconds = Double(text), seconds >= 0, seconds <= 86_400 else {
                throw Problem("\(quoted(first)) is no time such as 2s or 1.5s")
            }
            time = .milliseconds(Int((seconds * 1000).rounded()))
            words.removeFirst()
        }
        let isServer = words.first == "server"
        if isServer { words.removeFirst() }
        guard let word = words.popFirst() else { throw Problem("says nothing that happens; write \(Self.usage)") }
        let value = words.joined(separator: " ")
        return Step(time: time, isServer: isServer, deed: try deed(word, value, isServer: isServer))
    }

    private static var usage: String { words.joined(separator: ", ") }

    private static func deed(_ word: String, _ value: String, isServer: Bool) throws(Problem) -> Deed {
        func unused(_ deed: Deed) throws(Problem) -> Deed {
            guard value.isEmpty else { throw Problem("\(word) takes nothing behind it") }
            return deed
        }
        func here(_ deed: Deed) throws(Problem) -> Deed {
            guard !isServer else { throw Problem("\(word) is nothing that the server can be told") }
            return deed
        }
        switch word {
        case "play": return .play(value.isEmpty ? nil : value)
        case "pause": return try unused(.pause)
        case "stop": return try unused(.stop)
        case "seek":
            guard let seconds = MediaPosition(value), !seconds.isRelative else {
                throw Problem("seek needs a position such as 83 or 1:23")
            }
            return .seek(seconds.seconds)
        case "volume":
            guard let volume = MediaVolume(value) else { throw Problem("volume needs a loudness such as 0.8 or 80%") }
            return .volume(volume.value)
        case "talk":
            guard !value.isEmpty else { throw Problem("talk needs the room's name") }
            return try here(.talk(value))
        case "hang-up": return try here(unused(.hangUp))
        case "interrupt": return try here(unused(.interruption(true)))
        case "resume": return try here(unused(.interruption(false)))
        default:
            let near = nearestWord(to: word, among: words).map { "; did you mean \($0)?" } ?? ""
            throw Problem("there is no \(quoted(word))\(near.isEmpty ? "; write \(usage)" : near)")
        }
    }
}

/// A position as people type it: `83`, `1:23` and `1:02:03`, or `+10` and `-10` from where it is.
struct MediaPosition: Hashable {
    let seconds: Double
    let isRelative: Bool

    /// Reads a position; nil for what is none.
    init?(_ text: String) {
        let sign: Double? =
            switch text.first {
            case "+": 1
            case "-", "−": -1
            default: nil
            }
        let parts = (sign == nil ? text[...] : text.dropFirst()).split(
            separator: ":",
            omittingEmptySubsequences: false
        )
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            guard let number = Double(part), number.isFinite, number >= 0, part.first?.isNumber == true,
                index == 0 || number < 60, index == parts.count - 1 || number == number.rounded()
            else { return nil }
            seconds = seconds * 60 + number
        }
        guard seconds < 1e9 else { return nil }
        self.seconds = (sign ?? 1) * seconds
        isRelative = sign != nil
    }
}

/// A loudness as people type it: `0.8` or `80%`.
struct MediaVolume: Hashable {
    let value: Double

    /// Reads a loudness; nil for what is none from 0 to 1.
    init?(_ text: String) {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? text.dropLast() : text[...]) else { return nil }
        let value = isPercent ? number / 100 : number
        guard (0...1).contains(value) else { return nil }
        self.value = value
    }
}
