/// The database of one map package: its tables, their features, transactions and spatial queries.
///
/// For implementers:
///
/// - Calls block until they are done and can come from several tasks; a package serialises them itself. Whoever must
///   not wait, a screen for example, asks from an actor.
/// - Nothing is coerced and nothing is lost: integers of 64 bits, the difference between NULL and empty, geometries of
///   every kind, and everything the package has that these calls do not show.
/// - What is read outside a transaction is confirmed; a transaction is confirmed as a whole when it returns, and then
///   survives a crash of the process or the machine. When its closure throws nothing has happened.
/// - Nothing that a file brings along is executed or trusted: no triggers, no views with side effects, no extensions.
/// - The number of features does not decide how much memory a call takes.
/// - Errors name the file, the table or the feature, the reason and the way out.
///
/// An Apple backend is the same one: SQLite is part of iOS.
public protocol MapPackage: Sendable {
    /// Why it cannot be written to, in words for people, or nil when it can.
    var readOnlyReason: String? { get }

    /// Returns the feature tables in byte order of their names, those included that cannot be drawn.
    ///
    /// - Throws: `MapPackageError`: `damaged`, `storage`.
    func tables() throws(MapPackageError) -> [FeatureTable]

    /// Returns how many features a table has.
    ///
    /// - Parameter table: The table.
    /// - Returns: The number, the empty ones included.
    /// - Throws: `MapPackageError`: `noTable`, `damaged`, `storage`.
    func featureCount(in table: String) throws(MapPackageError) -> Int

    /// Returns one feature with all its values and its shape, or nil when there is none.
    ///
    /// - Parameters:
    ///   - id: The feature.
    ///   - table: The table.
    /// - Returns: The feature, or nil.
    /// - Throws: `MapPackageError`: `noTable`, `damaged`, `storage`.
    func feature(_ id: FeatureID, in table: String) throws(MapPackageError) -> MapFeature?

    /// Returns one feature by its primary key, or nil when there is none.
    ///
    /// - Parameters:
    ///   - key: The primary key.
    ///   - table: The table.
    /// - Returns: The feature, or nil.
    /// - Throws: `MapPackageError`: `noTable`, `damaged`, `storage`.
    func feature(withKey key: Int64, in table: String) throws(MapPackageError) -> MapFeature?

    /// Reads features one after the other, in the order of their primary keys.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - query: Which of them, and how much of each.
    ///   - body: Called for each; false ends the reading.
    /// - Throws: `MapPackageError`: `noTable`, `damaged`, `storage`, or what `body` throws.
    func readFeatures(
        in table: String,
        _ query: FeatureQuery,
        _ body: (MapFeature) throws(MapPackageError) -> Bool
    ) throws(MapPackageError)

    /// Reads the box of every feature that has one, in any order: from the spatial index where there is one.
    ///
    /// Boxes of an index can be wider than the shapes by the rounding of 32-bit numbers.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - body: Called with each primary key and box.
    /// - Throws: `MapPackageError`: `noTable`, `damaged`, `storage`.
    func readBounds(in table: String, _ body: (Int64, MapBounds) -> Void) throws(MapPackageError)

    /// Changes the package, all or nothing.
    ///
    /// - Parameter body: What to change; when it throws nothing has happened.
    /// - Throws: `MapPackageError`: `readOnly`, `full` when the disk is, `damaged`, `storage`, or what `body` throws.
    func transaction(_ body: (any MapPackageEdits) throws(MapPackageError) -> Void) throws(MapPackageError)

    /// Reads every text and every block of bytes of every table, those of other programs included, for the search for
    /// secrets; names of tables and columns come as texts too.
    ///
    /// - Parameter body: Called with each place and its bytes; false ends the reading.
    /// - Throws: `MapPackageError`: `damaged`, `storage`.
    func readTexts(_ body: (PackagePlace, [UInt8]) -> Bool) throws(MapPackageError)

    /// Returns a digest of the rows of all tables in the order of their keys, independent of how they lie in the file.
    ///
    /// - Returns: 64 lower-case hexadecimal digits; equal when the data are.
    /// - Throws: `MapPackageError`: `damaged`, `storage`.
    func contentDigest() throws(MapPackageError) -> String

    /// Writes a copy of what is confirmed now as one clean file: without journals, caches, or remains of what was
    /// deleted, and with its pages where they are, so that little changes from one copy to the next.
    ///
    /// - Parameter path: Where to; nothing may be there.
    /// - Throws: `MapPackageError`: `full`, `damaged`, `storage`; then nothing is left at `path`.
    func copyDatabase(to path: String) throws(MapPackageError)

    /// Closes the package; further calls throw `closed`. Closing again does nothing.
    func close()
}

/// What can be changed within a transaction.
public protocol MapPackageEdits {
    /// Sets values of one feature; columns that are not named keep theirs.
    ///
    /// - Parameters:
    ///   - values: The new values by column.
    ///   - id: The feature.
    ///   - table: The table.
    /// - Throws: `MapPackageError`: `noTable`, `noColumn`, `noFeature`, `refused` by the schema of the table, `storage`.
    func update(_ values: [String: FeatureValue], of id: FeatureID, in table: String) throws(MapPackageError)

    /// Sets the shape of one feature.
    ///
    /// - Parameters:
    ///   - geometry: The new shape; nil for NULL.
    ///   - id: The feature.
    ///   - table: The table.
    /// - Throws: As `update(_:of:in:)`.
    func update(_ geometry: MapGeometry?, of id: FeatureID, in table: String) throws(MapPackageError)

    /// Adds a feature.
    ///
    /// - Parameters:
    ///   - id: Its `uuid`.
    ///   - geometry: The shape; nil for NULL.
    ///   - values: The values by column; the others get their defaults.
    ///   - table: A table with `uuid`.
    /// - Throws: As `update(_:of:in:)`; `refused` when the `uuid` is there already.
    func insert(
        _ id: FeatureID,
        geometry: MapGeometry?,
        values: [String: FeatureValue],
        into table: String
    ) throws(MapPackageError)

    /// Deletes a feature.
    ///
    /// - Parameters:
    ///   - id: The feature.
    ///   - table: The table.
    /// - Throws: `MapPackageError`: `noTable`, `noFeature`, `storage`.
    func delete(_ id: FeatureID, from table: String) throws(MapPackageError)

    /// Makes a table of features with `fid`, `uuid`, a geometry of WGS84 and a spatial index.
    ///
    /// - Parameters:
    ///   - name: Its name, free in the package.
    ///   - columns: The attribute columns.
    ///   - geometryKind: The kind of its geometries; nil for any kind.
    /// - Throws: `MapPackageError`: `refused` when the name is taken or cannot be one, `storage`.
    func createTable(
        _ name: String,
        columns: [FeatureColumn],
        geometryKind: MapGeometry.Kind?
    ) throws(MapPackageError)
}

/// Which features to read, and how much of each.
public struct FeatureQuery: Hashable, Sendable {
    /// Only features whose box touches this one; nil for all.
    public var bounds: MapBounds?
    /// Only features whose primary key is above this one.
    public var afterKey: Int64?
    /// The columns to read; nil for all attributes.
    public var columns: [String]?
    /// Whether shapes are read.
    public var includesGeometry: Bool

    /// Makes a query.
    ///
    /// - Parameters:
    ///   - bounds: Only features whose box touches this one.
    ///   - afterKey: Only features whose primary key is above this one.
    ///   - columns: The columns to read; nil for all attributes.
    ///   - includesGeometry: Whether shapes are read.
    public init(
        bounds: MapBounds? = nil,
        afterKey: Int64? = nil,
        columns: [String]? = nil,
        includesGeometry: Bool = true
    ) {
        self.bounds = bounds
        self.afterKey = afterKey
        self.columns = columns
        self.includesGeometry = includesGeometry
    }
}

/// Where something stands in a map package.
public struct PackagePlace: Hashable, Sendable {
    /// The file inside the package.
    public var file: String
    /// The table, or nil for the file itself.
    public var table: String?
    /// The column, or nil for the table itself.
    public var column: String?
    /// The row's primary key, or nil.
    public var key: Int64?

    /// Makes a place.
    ///
    /// - Parameters:
    ///   - file: The file inside the package.
    ///   - table: The table.
    ///   - column: The column.
    ///   - key: The row's primary key.
    public init(file: String, table: String? = nil, column: String? = nil, key: Int64? = nil) {
        self.file = file
        self.table = table
        self.column = column
        self.key = key
    }
}
