/// One pass over agent text that tells markers from what stays; it can stop where the text so far does not decide.
struct MarkerScan: Sendable {
    enum Mode {
        /// Stop where what follows could still change the meaning.
        case commit
        /// Nothing else is there yet: an unclosed code span or formula counts as text, an unfinished marker is held.
        case preview
        /// Nothing else will come.
        case final
    }

    /// A code span or formula in a line that is not closed within this many scalars is text.
    private static let inlineLimit = 500
    /// A formula of its own that is not closed within this many scalars is text.
    private static let displayLimit = 2_000
    /// A tag that is longer than this is text.
    private static let tagLimit = 512
    private static let cueLimit = 64

    private var joiner = MarkerJoiner()
    private var fence: (mark: Unicode.Scalar, length: Int)?
    private var atLineStart = true
    /// Only indentation, quote marks and list marks stand between the line's start and here.
    private var inLinePrefix = true
    private var previous: Unicode.Scalar?
    private var previousWasMarker = false
    private var holds = false

    var visibleTrailingWhitespace: String { holds ? "" : joiner.trailingWhitespace }

    mutating func takeText() -> String { joiner.takeText() }
    mutating func takeTrailingWhitespace() -> String { joiner.trailingWhitespace }

    /// Scans as far as the mode allows, and says how many scalars are settled.
    mutating func run(over text: [Unicode.Scalar], mode: Mode) -> Int {
        var index = 0
        while index < text.count {
            guard let next = step(text, index, mode) else {
                holds = true
                return index
            }
            index = next
        }
        holds = false
        return index
    }

    /// The index after what begins at `index`, or nil when that is not decided.
    private mutating func step(_ text: [Unicode.Scalar], _ index: Int, _ mode: Mode) -> Int? {
        if fence != nil { return fencedLine(text, index, mode) }
        let scalar = text[index]
        switch scalar {
        case "`", "~":
            if inLinePrefix {
                switch fenceOpening(text, index, mode) {
                case .undecided: return nil
                case .found(let end): return end
                case .none: break
                }
            }
            return scalar == "`" ? codeSpan(text, index, mode) : plain(text, index, 1)
        case "\\": return escape(text, index, mode)
        case "$": return dollar(text, index, mode)
        case "[": return bracket(text, index, mode)
        case "<": return tag(text, index, mode)
        default:
            if scalar.properties.isWhitespace {
                space(scalar)
                return index + 1
            }
            return plain(text, index, 1)
        }
    }

    // MARK: Emitting

    private mutating func plain(_ text: [Unicode.Scalar], _ index: Int, _ count: Int) -> Int {
        for scalar in text[index..<(index + count)] {
            joiner.text(scalar)
            if !(inLinePrefix && ">-*+".unicodeScalars.contains(scalar)) { inLinePrefix = false }
            previous = scalar
        }
        atLineStart = false
        previousWasMarker = false
        return index + count
    }

    private mutating func literal(_ text: [Unicode.Scalar], _ index: Int, _ end: Int) -> Int {
        guard index < end else { return end }
        joiner.literal(text[index..<end])
        previous = text[end - 1]
        previousWasMarker = false
        atLineStart = previous == "\n"
        inLinePrefix = atLineStart
        return end
    }

    private mutating func space(_ scalar: Unicode.Scalar) {
        joiner.whitespace(scalar)
        previous = scalar
        previousWasMarker = false
        if scalar == "\n" {
            inLinePrefix = true
            atLineStart = true
        } else {
            atLineStart = false
        }
    }

    private mutating func marker(endingAt end: Int) -> Int {
        joiner.marker()
        previousWasMarker = true
        previous = "]"
        return end
    }

    // MARK: Code

    private enum Opening {
        case undecided
        case none
        case found(Int)
    }

    private mutating func fenceOpening(_ text: [Unicode.Scalar], _ index: Int, _ mode: Mode) -> Opening {
        let mark = text[index]
        let runEnd = Self.endOfRun(of: mark, in: text, from: index)
        if runEnd == text.count, mode == .commit { return .undecided }
        guard runEnd - index >= 3 else { return .none }
        let lineEnd = text[runEnd...].firstIndex(of: "\n") ?? text.count
        if mark == "`", text[runEnd..<lineEnd].contains("`") { return .none }
        if lineEnd == text.count, mode == .commit {
            return lineEnd - runEnd > Self.inlineLimit ? .none : .undecided
        }
        fence = (mark, runEnd - index)
        return .found(literal(text, index, min(lineEnd + 1, text.count)))
    }

    private mutating func fencedLine(_ text: [Unicode.Scalar], _ index: Int, _ mode: Mode) -> Int? {
        guard let fence else { return index }
        let newline = text[index...].firstIndex(of: "\n")
        let lineEnd = newline ?? text.count
        if atLineStart {
            let content = text[index..<lineEnd].drop { $0 == " " || $0 == "\t" || $0 == ">" }
            let rest = content.drop { $0 == fence.mark }
            let closes = content.count - rest.count >= fence.length && rest.allSatisfy(\.properties.isWhitespace)
            if newline == nil, mode == .commit, rest.allSatisfy(\.properties.isWhitespace) { return nil }
            if closes {
                self.fence = nil
                _ = literal(text, index, lineEnd)
                guard newline != nil else { return lineEnd }
                space("\n")
                return lineEnd + 1
            }
        }
        return literal(text, index, newline.map { $0 + 1 } ?? lineEnd)
    }

    private mutating func codeSpan(_ text: [Unicode.Scalar], _ index: Int, _ mode: Mode) -> Int? {
        let runEnd = Self.endOfRun(of: "`", in: text, from: index)
        if runEnd == text.count, mode == .commit { return nil }
        let length = runEnd - index
        let end = Self.closing(in: text, from: runEnd, isDisplay: false, mode: mode) { position in
            guard text[position] == "`" else { return .no(1) }
            let end = Self.endOfRun(of: "`", in: text, from: position)
            if end == text.count, mode == .commit { return .undecided }
            return end - position == length ? .yes(end) : .no(end - position)
        }
        return spanOrText(text, index, end, textLength: length)
    }

    // MARK: Maths and escapes

    private mutating func escape(_ text: [Unicode.Scalar], _ index: Int, _ mode: Mode) -> Int? {
        guard index + 1 < text.count else {
            return mode == .final ? plain(text, index, 1) : nil
        }
        let next = text[index + 1]
        let closing: Unicode.Scalar? = next == "(" ? ")" : next == "[" ? "]" : nil
        guard let closing else {
            return plain(text, index, Self.isASCIIPunctuation(next) ? 2 : 1)
        }
        let end = Self.closing(in: text, from: index + 2, isDisplay: next == "[", mode: mode) { position in
            guard text[position] == "\\" else { return .no(1) }
            guard position + 1 < text.count else { return mode == .commit ? .undecided : .no(1) }
            return text[position + 1] == closing ? .yes(position + 2) : .no(2)
        }
        return spanOrText(text, index, end, textLength: 2)
    }

    private mutating func dollar(_ text: [Unicode.Scalar], _ index: Int, _ mode: Mode) -> Int? {
        guard index + 1 < text.count else {
            return mode == .commit ? nil : plain(text, index, 1)
        }
        if text[index + 1] == "$" {
            let end = Self.closing(in: text, from: index + 2, isDisplay: true, mode: mode) { position in
                guard text[position] == "$" else { return .no(1) }
                guard position + 1 < text.count else { return mode == .commit ? .undecided : .no(1) }
                return text[position + 1] == "$" ? .yes(position + 2) : .no(1)
            }
            return spanOrText(text, index, end, textLength: 2)
        }
        // Prices are no formulas: a formula neither begins nor ends with a space, nor is a digit after its end.
        guard !text[index + 1].properties.isWhitespace else { return plain(text, index, 1) }
        let end = Self.closing(in: text, from: index + 1, isDisplay: false, mode: mode) { position in
            if text[position] == "\\" { return .no(2) }
            guard text[position] == "$", position > index + 1, !text[position - 1].properties.isWhitespace else {
                return .no(1)
            }
            guard position + 1 < text.count else { return mode == .commit ? .undecided : .yes(position + 1) }
            return ("0"..."9").contains(text[position + 1]) ? .no(1) : .yes(position + 1)
        }
        return spanOrText(text, index, end, textLength: 1)
    }

    private enum Candidate {
        case yes(Int)
        case no(Int)
        case undecided
    }

    private static func closing(
        in text: [Unicode.Scalar],
        from start: Int,
        isDisplay: Bool,
        mode: Mode,
        test: (Int) -> Candidate
    ) -> Opening {
        var position = start
        let limit = start + (isDisplay ? displayLimit : inlineLimit)
        while position < text.count {
            guard position < limit else { return .none }
            if !isDisplay, text[position] == "\n" {
                let rest = text[(position + 1)...].drop { $0 == " " || $0 == "\t" || $0 == "\r" }
                if rest.first == "\n" { return .none }
            }
            switch test(position) {
            case .yes(let end): return .found(end)
            case .no(let length): position += length
            case .undecided: return .undecided
            }
        }
        return mode == .commit ? .undecided : .none
    }

    private mutating func spanOrText(
        _ text: [Unicode.Scalar],
        _ index: Int,
        _ opening: Opening,
        textLength: Int
    ) -> Int? {
        switch opening {
        case .undecided: nil
        case .found(let end): literal(text, index, end)
        case .none: plain(text, index, textLength)
        }
    }

    // MARK: Markers

    private enum Match {
        case none
        case incomplete
        case found(Int)
    }

    private mutating func bracket(_ text: [Unicode.Scalar], _ index: Int, _ mode: Mode) -> Int? {
        let follows = previousWasMarker ? nil : previous
        if follows == "]" { return plain(text, index, 1) }
        switch Self.cue(text, index) {
        case .none: return plain(text, index, 1)
        case .incomplete: return mode == .final ? plain(text, index, 1) : nil
        case .found(let end):
            guard end < text.count else { return mode == .final ? marker(endingAt: end) : nil }
            if let follows, Self.isWordScalar(follows) {
                guard let isIndex = Self.isUsedAsIndex(text, end) ?? (mode == .final ? false : nil) else { return nil }
                if isIndex { return plain(text, index, 1) }
            }
            switch text[end] {
            case "(": return plain(text, index, 1)
            case ":" where inLinePrefix: return plain(text, index, 1)
            case "[":
                switch Self.cue(text, end) {
                case .none: return plain(text, index, 1)
                case .incomplete: return mode == .final ? marker(endingAt: end) : nil
                case .found: return marker(endingAt: end)
                }
            default: return marker(endingAt: end)
            }
        }
    }

    /// One to three lower-case words in square brackets; a single letter is a check mark or a footnote, not a cue.
    private static func cue(_ text: [Unicode.Scalar], _ index: Int) -> Match {
        var position = index + 1
        var words = 0
        var wordStart = position
        while position < text.count {
            guard position - index <= cueLimit else { return .none }
            let scalar = text[position]
            if scalar.properties.isLowercase {
                position += 1
            } else if position > wordStart, scalar == "-" || scalar == "'" || scalar == "’" {
                position += 1
            } else if position > wordStart, scalar == " " || scalar == "\t" || scalar == "]" {
                guard text[position - 1].properties.isLowercase else { return .none }
                words += 1
                if scalar == "]" {
                    return words == 1 && position - wordStart == 1 ? .none : .found(position + 1)
                }
                guard words < 3 else { return .none }
                while position < text.count, text[position] == " " || text[position] == "\t" { position += 1 }
                wordStart = position
            } else {
                return .none
            }
        }
        return position - index > cueLimit ? .none : .incomplete
    }

    /// Whether what follows a bracket that is stuck to a word makes it an index, as in `row[key] = 1` or `row[key].id`.
    private static func isUsedAsIndex(_ text: [Unicode.Scalar], _ end: Int) -> Bool? {
        switch text[end] {
        case "[", "=", "+": return true
        case ".":
            guard end + 1 < text.count else { return nil }
            return isWordScalar(text[end + 1])
        case " ":
            guard end + 1 < text.count else { return nil }
            return text[end + 1] == "=" || text[end + 1] == "+"
        default: return false
        }
    }

    private mutating func tag(_ text: [Unicode.Scalar], _ index: Int, _ mode: Mode) -> Int? {
        switch Self.speechTag(text, index) {
        case .none: plain(text, index, 1)
        case .incomplete: mode == .final ? plain(text, index, 1) : nil
        case .found(let end): marker(endingAt: end)
        }
    }

    /// SSML's elements, and the cues that speech engines take in the same form.
    private static let speechElements: Set<String> = [
        "audio", "bookmark", "break", "desc", "emphasis", "lang", "lexicon", "lookup", "mark", "meta", "metadata",
        "p", "paragraph", "phoneme", "prosody", "s", "say-as", "sentence", "speak", "sub", "token", "voice", "w",
        "breath", "breathe", "chuckle", "cough", "cry", "emotion", "gasp", "giggle", "groan", "laugh", "laughter",
        "pause", "pitch", "rate", "sigh", "silence", "sing", "sniff", "speed", "spell", "style", "tone", "volume",
        "whisper", "yawn",
    ]
    /// HTML's elements without content look like empty speech tags.
    private static let htmlVoidElements: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "source", "track", "wbr",
    ]

    private static func speechTag(_ text: [Unicode.Scalar], _ index: Int) -> Match {
        let end = min(text.count, index + tagLimit)
        func at(_ position: Int) -> Unicode.Scalar? { position < end ? text[position] : nil }
        let ranOut: Match = end == text.count ? .incomplete : .none

        var position = index + 1
        let isClosing = at(position) == "/"
        if isClosing { position += 1 }
        guard let first = at(position) else { return ranOut }
        guard ("a"..."z").contains(first) else { return .none }
        var name = ""
        while let scalar = at(position), isNameScalar(scalar) {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard at(position) != nil else { return ranOut }
        let prefixed = name.unicodeScalars.dropFirst().dropLast().contains(":")
        let isSpeech = speechElements.contains(name) || prefixed

        while true {
            let spaceStart = position
            while let scalar = at(position), scalar.properties.isWhitespace { position += 1 }
            guard let scalar = at(position) else { return ranOut }
            if scalar == ">" {
                return isSpeech ? .found(position + 1) : .none
            }
            if scalar == "/" {
                guard let last = at(position + 1) else { return ranOut }
                guard last == ">", !isClosing else { return .none }
                return isSpeech || !htmlVoidElements.contains(name) ? .found(position + 2) : .none
            }
            guard !isClosing, position > spaceStart, ("a"..."z").contains(scalar) else { return .none }
            while let scalar = at(position), isNameScalar(scalar) || ("A"..."Z").contains(scalar) { position += 1 }
            while let scalar = at(position), scalar.properties.isWhitespace { position += 1 }
            guard let equals = at(position) else { return ranOut }
            guard equals == "=" else { return .none }
            position += 1
            while let scalar = at(position), scalar.properties.isWhitespace { position += 1 }
            guard let quote = at(position) else { return ranOut }
            if quote == "\"" || quote == "'" {
                position += 1
                while let scalar = at(position), scalar != quote { position += 1 }
                guard at(position) != nil else { return ranOut }
                position += 1
            } else {
                let valueStart = position
                while let scalar = at(position), isNameScalar(scalar) || "%+#".unicodeScalars.contains(scalar) {
                    position += 1
                }
                guard at(position) != nil else { return ranOut }
                guard position > valueStart else { return .none }
            }
        }
    }

    // MARK: Scalars

    private static func endOfRun(of mark: Unicode.Scalar, in text: [Unicode.Scalar], from index: Int) -> Int {
        text[index...].firstIndex { $0 != mark } ?? text.count
    }

    private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || "-_:.".unicodeScalars.contains(scalar)
    }

    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
    }

    private static func isASCIIPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
