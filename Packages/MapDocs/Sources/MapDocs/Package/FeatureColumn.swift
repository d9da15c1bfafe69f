/// The type of a column, as GeoPackage 1.3 names them (table 1 of the standard).
public enum FeatureColumnType: Hashable, Sendable {
    /// 0 or 1.
    case boolean
    /// An integer of so many bits: 8, 16, 32 or 64 (TINYINT, SMALLINT, MEDIUMINT, INTEGER).
    case integer(bits: Int)
    /// A floating-point number of 32 bits (FLOAT).
    case float
    /// A floating-point number of 64 bits (DOUBLE, REAL).
    case double
    /// Text of at most so many characters; nil for any number.
    case text(maximumLength: Int?)
    /// Bytes, at most so many; nil for any number.
    case blob(maximumSize: Int?)
    /// A calendar date without a time zone.
    case date
    /// An instant.
    case dateTime
    /// The geometry.
    case geometry
    /// A type that the standard does not name; shown as it is, never edited.
    case other(String)
}

/// What the values of a column may be, beyond their type.
public enum FeatureDomain: Hashable, Sendable {
    /// One value of an enumeration.
    public struct Choice: Hashable, Sendable {
        /// What is stored.
        public let value: FeatureValue
        /// What people read; the stored value where nobody gave words.
        public let label: String

        /// Makes a choice.
        ///
        /// - Parameters:
        ///   - value: What is stored.
        ///   - label: What people read.
        public init(value: FeatureValue, label: String) {
            self.value = value
            self.label = label
        }
    }

    /// One of these, in this order.
    case choices([Choice])
    /// A number between two bounds, each of which can be open (nil) and does or does not belong to the range.
    case range(minimum: Double?, includesMinimum: Bool, maximum: Double?, includesMaximum: Bool)
    /// Text that matches a pattern in the syntax of SQLite's GLOB.
    case glob(String)
}

/// One column of a feature table.
public struct FeatureColumn: Hashable, Sendable {
    /// What the column is for, apart from ordinary attributes.
    public enum Role: Hashable, Sendable {
        /// An attribute.
        case attribute
        /// The primary key.
        case key
        /// The feature's `uuid`.
        case identifier
        /// The geometry.
        case geometry
        /// Computed by the database.
        case generated
    }

    /// The name in the database.
    public let name: String
    /// What people read: the title of the schema, else the name.
    public let label: String
    /// What the schema says about it, or nil.
    public let details: String?
    /// The type.
    public let type: FeatureColumnType
    /// What it is for.
    public let role: Role
    /// Whether a value is needed: NOT NULL without a default.
    public let isRequired: Bool
    /// What its values may be, or nil for anything of the type.
    public let domain: FeatureDomain?

    /// Makes a column.
    ///
    /// - Parameters:
    ///   - name: The name in the database.
    ///   - label: What people read; nil for the name.
    ///   - details: What the schema says about it.
    ///   - type: The type.
    ///   - role: What it is for.
    ///   - isRequired: Whether a value is needed.
    ///   - domain: What its values may be.
    public init(
        name: String,
        label: String? = nil,
        details: String? = nil,
        type: FeatureColumnType,
        role: Role = .attribute,
        isRequired: Bool = false,
        domain: FeatureDomain? = nil
    ) {
        self.name = name
        self.label = label ?? name
        self.details = details
        self.type = type
        self.role = role
        self.isRequired = isRequired
        self.domain = domain
    }
}
