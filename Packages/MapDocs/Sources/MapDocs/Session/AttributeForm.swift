import Foundation

/// The form for one feature's attributes: fields in the order of the schema, checked as they are filled in.
///
/// Nothing is changed until `save()` gives the change and an edit session makes it; dropping the form is Cancel.
public struct AttributeForm: Hashable, Sendable {
    /// The feature's title.
    public let title: String
    /// The kind of geometry and the layer, such as `Polygon · Parcels`.
    public let subtitle: String
    /// The layer's identifier.
    public let layer: String
    /// The feature.
    public let feature: FeatureID
    /// Why nothing can be changed, in words for people, or nil when values can.
    public let disabledReason: String?
    /// The fields in the order of the schema.
    public private(set) var fields: [AttributeField]

    /// Makes the form of a feature.
    ///
    /// - Parameters:
    ///   - feature: The feature with all its values.
    ///   - table: Its table.
    ///   - layer: Its layer.
    ///   - format: How values are shown and typed.
    ///   - disabledReason: Why nothing can be changed, or nil.
    public init(
        _ feature: MapFeature,
        in table: FeatureTable,
        of layer: MapLayer,
        format: AttributeFormat,
        disabledReason: String? = nil
    ) {
        title = feature.title(in: table, of: layer)
        let kind = feature.geometry?.kind ?? table.geometryKind ?? layer.geometryKind
        subtitle = "\(kind?.name ?? "No shape") · \(layer.name)"
        self.layer = layer.id
        self.feature = feature.id
        self.disabledReason = disabledReason
        fields = table.columns.compactMap { column in
            guard Self.isField(column) else { return nil }
            return AttributeField(column, value: feature.values[column.name] ?? .null, format: format)
        }
    }

    /// What only programs need is no field.
    private static func isField(_ column: FeatureColumn) -> Bool {
        let name = column.name.lowercased()
        let isInternal = ["fid", "uuid", "draft_id", "session_id"].contains(name) || name.hasPrefix("render_")
        return !isInternal && column.role != .identifier && column.role != .geometry
    }

    /// The field of a column, or nil.
    ///
    /// - Parameter column: The column's name.
    /// - Returns: The field as it is now.
    public func field(_ column: String) -> AttributeField? {
        fields.first { $0.column.name == column }
    }

    /// Types a text into a field; empty text is a value of a text field and no value in any other.
    ///
    /// - Parameters:
    ///   - text: What was typed, with either decimal mark in numbers.
    ///   - column: The column's name; fields that cannot be changed stay as they are.
    public mutating func enter(_ text: String, in column: String) {
        change(column) { $0.enter(text) }
    }

    /// Chooses a value: a choice of the domain, yes or no.
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - column: The column's name.
    public mutating func choose(_ value: FeatureValue, in column: String) {
        change(column) { $0.choose(value) }
    }

    /// Takes the value out of a field, so that it has none.
    ///
    /// - Parameter column: The column's name.
    public mutating func clear(_ column: String) {
        change(column) { $0.choose(.null) }
    }

    private mutating func change(_ column: String, _ body: (inout AttributeField) -> Void) {
        guard disabledReason == nil, let index = fields.firstIndex(where: { $0.column.name == column }),
            fields[index].readOnlyReason == nil
        else { return }
        body(&fields[index])
    }

    /// Whether a value is different from what the feature has.
    public var isChanged: Bool { fields.contains(where: \.isChanged) }

    /// Whether nothing stands in the way of saving: no field has an error; warnings are none.
    public var canSave: Bool { disabledReason == nil && fields.allSatisfy { $0.error == nil } }

    /// Returns the change that saving makes, with the values that are different, or nil when none is.
    ///
    /// - Throws: `MapSessionError`: `locked` when the form is disabled, `invalid` when a field has an error; the form
    ///   stays as it is.
    public func save() throws(MapSessionError) -> UpdateProperties? {
        if let disabledReason { throw MapSessionError(code: .locked, subject: layer, message: disabledReason) }
        for field in fields {
            if let error = field.error {
                throw MapSessionError(code: .invalid, subject: field.column.name, message: error)
            }
        }
        let changed = fields.filter(\.isChanged)
        guard !changed.isEmpty else { return nil }
        return UpdateProperties(
            layer: layer,
            feature: feature,
            values: Dictionary(changed.map { ($0.column.name, $0.value) }) { _, last in last }
        )
    }
}

/// One field of an attribute form.
public struct AttributeField: Hashable, Sendable {
    /// What the field takes.
    public enum Kind: Hashable, Sendable {
        /// Text of at most so many characters; nil for any number.
        case text(maximumLength: Int?)
        /// A whole number of so many bits.
        case integer(bits: Int)
        /// A number.
        case real
        /// Yes or no.
        case boolean
        /// A date without a time zone.
        case date
        /// An instant, shown in the device's time zone.
        case dateTime
        /// One of these.
        case choice([FeatureDomain.Choice])
        /// Nothing; it can only be looked at.
        case readOnly
    }

    /// The column.
    public let column: FeatureColumn
    /// The value that the feature has.
    public let original: FeatureValue
    /// The value to be saved; what was last understood while there is an error.
    public private(set) var value: FeatureValue
    /// The text in the field.
    public private(set) var text: String
    /// Why the field blocks saving, in words for people, or nil.
    public private(set) var error: String?
    /// What people should know and can ignore, or nil.
    public private(set) var warning: String?
    private let format: AttributeFormat

    init(_ column: FeatureColumn, value: FeatureValue, format: AttributeFormat) {
        self.column = column
        original = value
        self.value = value
        self.format = format
        text = format.text(of: value, in: column)
        warning = readOnlyReason == nil ? arrivalWarning : nil
    }

    /// What the field takes.
    public var kind: Kind {
        if readOnlyReason != nil { return .readOnly }
        if case .choices(let choices) = column.domain { return .choice(choices) }
        return switch column.type {
        case .text(let length): .text(maximumLength: length)
        case .integer(let bits): .integer(bits: bits)
        case .float, .double: .real
        case .boolean: .boolean
        case .date: .date
        case .dateTime: .dateTime
        case .blob, .geometry, .other: .readOnly
        }
    }

    /// Why the field can only be looked at, in words for people, or nil.
    public var readOnlyReason: String? { column.readOnlyReason }

    /// Whether a value is needed.
    public var isRequired: Bool { column.isRequired }

    /// Whether there is no value, which is not the same as empty text.
    public var isNull: Bool { value == .null }

    /// Whether the value is different from what the feature has.
    public var isChanged: Bool { !value.isStored(like: original) }

    /// A value that arrived is shown whatever it is; nobody has to correct it.
    private var arrivalWarning: String? {
        column.problem(with: original).map { "\($0) It is kept as it is until it is changed." }
    }

    fileprivate mutating func choose(_ value: FeatureValue) {
        self.value = value
        text = format.text(of: value, in: column)
        check()
    }

    fileprivate mutating func enter(_ text: String) {
        self.text = text
        // Typing what was there gives back what was there, to the last digit.
        if text.utf8.elementsEqual(format.text(of: original, in: column).utf8), original != .null || !isText {
            value = original
            return check()
        }
        guard let typed = typedValue(text) else { return }
        value = typed
        check()
        if error == nil { warning = lossWarning(text) }
    }

    private var isText: Bool { if case .text = kind { true } else { false } }

    private mutating func check() {
        if isChanged {
            error = column.problem(with: value)
            warning = nil
        } else {
            error = nil
            warning = arrivalWarning
        }
    }

    /// Reads what was typed; sets the error and returns nil when it cannot be understood.
    private mutating func typedValue(_ text: String) -> FeatureValue? {
        if case .text = kind { return .text(text) }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { return .null }
        let understood: FeatureValue? =
            switch kind {
            case .integer: format.digits(of: trimmed).flatMap { Int64($0) }.map { .integer($0) }
            case .real: format.digits(of: trimmed).flatMap { Double($0) }.map { .real($0) }
            case .boolean:
                switch trimmed.lowercased() {
                case "yes", "true", "1": .integer(1)
                case "no", "false", "0": .integer(0)
                default: nil
                }
            case .date: CivilTime(date: trimmed).map { .text($0.dateText) }
            case .dateTime: Instant(trimmed, in: format.timeZone).map { .text($0.text) }
            case .choice(let choices):
                (choices.first { $0.label == trimmed }
                    ?? choices.first { format.text(of: $0.value, in: Self.plain(column)) == trimmed })?.value
            case .text, .readOnly: nil
            }
        guard understood == nil else { return understood }
        error = notUnderstood(trimmed)
        warning = nil
        return nil
    }

    /// The column without its choices, so that their stored values and not their labels are written.
    private static func plain(_ column: FeatureColumn) -> FeatureColumn {
        FeatureColumn(name: column.name, type: column.type)
    }

    private func notUnderstood(_ text: String) -> String {
        switch kind {
        case .integer(let bits):
            if let digits = format.digits(of: text), digits.allSatisfy({ $0.isNumber || $0 == "-" }) {
                "“\(column.label)” takes whole numbers of \(bits) bits; this is too large."
            } else {
                "“\(column.label)” takes whole numbers, such as 12."
            }
        case .real: "“\(column.label)” takes numbers, such as 12\(format.decimalMark)5."
        case .boolean: "“\(column.label)” is yes or no."
        case .date: "“\(column.label)” takes dates such as 2026-03-29."
        case .dateTime: "“\(column.label)” takes dates with a time such as 2026-03-29 12:15."
        case .choice(let choices):
            "“\(column.label)” takes one of: \(choices.prefix(8).map(\.label).joined(separator: ", "))."
        case .text, .readOnly: "“\(column.label)” cannot take this."
        }
    }

    /// What gets lost of what was typed, or nil.
    private func lossWarning(_ text: String) -> String? {
        switch (kind, value) {
        case (.real, .real(let number)):
            guard let digits = format.digits(of: text), Self.significant(digits).count > 15,
                Self.significant(digits) != Self.significant(number.description)
            else { return nil }
            return "It is stored as \(format.text(of: number)), the nearest number that can be."
        case (.dateTime, .text(let stored)):
            guard let instant = Instant(stored) else { return nil }
            let civil = instant.civil(in: format.timeZone)
            let shown = "\(civil.dateText) \(civil.timeText)"
            let isLocal = !text.contains("Z") && !text.dropFirst(10).contains(where: { $0 == "+" || $0 == "-" })
            return isLocal && !shown.hasPrefix(text.trimmingCharacters(in: .whitespaces).replacing("T", with: " "))
                ? "Clocks were set forward over this time; it is taken as \(shown)." : nil
        default: return nil
        }
    }

    /// The digits that count: without sign, point, exponent and zeros at either end.
    private static func significant(_ digits: String) -> String {
        let mantissa = digits.lowercased().split(separator: "e").first ?? ""
        var counted = mantissa.filter(\.isNumber).drop { $0 == "0" }
        while counted.last == "0" { counted.removeLast() }
        return String(counted)
    }
}
