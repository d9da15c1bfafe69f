extension FeatureColumn {
    /// The longest text, in bytes of UTF-8, that is written to a column without a length of its own.
    public static let maximumTextBytes = 1_048_576

    /// Returns why a value cannot be written to this column, in words for people, or nil when it can.
    ///
    /// Only for what is written here: values that arrived in a package are shown whatever they are.
    ///
    /// - Parameter value: The value.
    /// - Returns: A sentence with the reason and the way out.
    public func problem(with value: FeatureValue) -> String? {
        if let readOnlyReason { return readOnlyReason }
        guard value != .null else {
            return isRequired ? "“\(label)” needs a value; enter one." : nil
        }
        return typeProblem(with: value) ?? domainProblem(with: value)
    }

    /// Why no value of this column can be written, in words for people, or nil when values can.
    public var readOnlyReason: String? {
        switch (role, type) {
        case (.key, _), (.identifier, _): "“\(label)” identifies the feature and stays as it is."
        case (.generated, _): "“\(label)” is computed from other values."
        case (.geometry, _), (_, .geometry): "The shape can be looked at here, not changed."
        case (_, .blob): "“\(label)” has bytes, which can be looked at here, not changed."
        case (_, .other(let name)): "“\(label)” is of the type \(name), which can be looked at here, not changed."
        default: nil
        }
    }

    private func typeProblem(with value: FeatureValue) -> String? {
        switch (type, value) {
        case (.boolean, .integer(0)), (.boolean, .integer(1)): nil
        case (.boolean, _): "“\(label)” is yes or no."
        case (.integer(let bits), .integer(let number)):
            bits >= 64 || (-(Int64(1) << (bits - 1))..<Int64(1) << (bits - 1)).contains(number)
                ? nil
                : "“\(label)” takes whole numbers from \(-(Int64(1) << (bits - 1))) to \((Int64(1) << (bits - 1)) - 1)."
        case (.integer, _): "“\(label)” takes whole numbers."
        case (.float, .real(let number)), (.double, .real(let number)):
            number.isFinite ? nil : "“\(label)” takes numbers that are not endless."
        case (.float, .integer), (.double, .integer): nil
        case (.float, _), (.double, _): "“\(label)” takes numbers."
        case (.text(let length), .text(let text)): lengthProblem(with: text, maximum: length)
        case (.text, _): "“\(label)” takes text."
        case (.date, .text(let text)):
            CivilTime(date: text) == nil ? "“\(label)” takes dates such as 2026-03-29." : nil
        case (.date, _): "“\(label)” takes dates such as 2026-03-29."
        case (.dateTime, .text(let text)):
            text.last == "Z" && Instant(text) != nil
                ? nil : "“\(label)” takes dates with a time such as 2026-03-29 12:15."
        case (.dateTime, _): "“\(label)” takes dates with a time such as 2026-03-29 12:15."
        case (.blob, _), (.geometry, _), (.other, _): readOnlyReason
        }
    }

    private func lengthProblem(with text: String, maximum: Int?) -> String? {
        // A text of fewer bytes than it may have characters need not be counted.
        if let maximum, text.utf8.count > maximum, text.count > maximum {
            return "“\(label)” takes at most \(maximum) characters; this has \(text.count)."
        }
        guard text.utf8.count > Self.maximumTextBytes else { return nil }
        return "“\(label)” takes at most 1 MiB of text; shorten it."
    }

    /// Why a value is outside the column's domain, or nil.
    func domainProblem(with value: FeatureValue) -> String? {
        switch domain {
        case nil: return nil
        case .choices(let choices):
            let isChoice = choices.contains { $0.value.isStored(like: value) }
            return isChoice ? nil : "“\(label)” takes one of: \(Self.listed(choices.map(\.label)))."
        case .range(let minimum, let includesMinimum, let maximum, let includesMaximum):
            let isBelow = minimum.map { Self.isOut(value, of: $0, including: includesMinimum, isLowerBound: true) }
            let isAbove = maximum.map { Self.isOut(value, of: $0, including: includesMaximum, isLowerBound: false) }
            guard isBelow == true || isAbove == true else { return nil }
            func bound(_ value: Double, _ isIncluded: Bool, _ words: (String, String)) -> String {
                "\(isIncluded ? words.0 : words.1) \(AttributeFormat.plain.text(of: value))"
            }
            let bounds = [
                minimum.map { bound($0, includesMinimum, ("from", "above")) },
                maximum.map { bound($0, includesMaximum, ("to", "below")) },
            ]
            return "“\(label)” takes numbers \(bounds.compactMap { $0 }.joined(separator: " "))."
        case .glob(let pattern):
            guard case .text(let text) = value, GlobPattern(pattern).matches(text) else {
                return "“\(label)” takes text of the form \(pattern)."
            }
            return nil
        }
    }

    /// Whether a number is on the wrong side of a bound; compared exactly, integers beyond 2^53 included.
    private static func isOut(
        _ value: FeatureValue,
        of bound: Double,
        including isIncluded: Bool,
        isLowerBound: Bool
    ) -> Bool {
        let order: Int  // -1 below the bound, 0 at it, 1 above
        switch value {
        case .integer(let number):
            if let exact = Int64(exactly: bound) {
                order = number < exact ? -1 : number > exact ? 1 : 0
            } else {
                order = Double(number) < bound ? -1 : 1
            }
        case .real(let number): order = number < bound ? -1 : number > bound ? 1 : 0
        default: return true
        }
        return order == 0 ? !isIncluded : (order < 0) == isLowerBound
    }

    private static func listed(_ labels: [String]) -> String {
        let shown = labels.prefix(8).joined(separator: ", ")
        return labels.count > 8 ? "\(shown) and \(labels.count - 8) more" : shown
    }
}
