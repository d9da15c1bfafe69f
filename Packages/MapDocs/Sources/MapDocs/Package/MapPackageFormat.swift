/// What opens and checks the databases of packages: the backend that a program chooses for `MapPackage`.
public protocol MapPackageFormat: Sendable {
    /// The name of the database inside a package, such as `data.gpkg`.
    var databaseName: String { get }

    /// Opens the database of a package.
    ///
    /// - Parameters:
    ///   - folder: The package's folder.
    ///   - access: What for; a package that was opened for reading is never written to, not even by side effects.
    /// - Returns: The open package.
    /// - Throws: `MapPackageError`: `noDatabase`, `damaged` with what is wrong with which file, `storage`.
    func open(_ folder: String, for access: MapPackageAccess) throws(MapPackageError) -> any MapPackage

    /// Looks for everything that is wrong with the database of a package.
    ///
    /// - Parameter folder: The package's folder.
    /// - Returns: A sentence for each fault, naming file and table; none when it is whole.
    /// - Throws: `MapPackageError`: `noDatabase`, `storage`. A damaged database is a finding, not an error.
    func findFaults(in folder: String) throws(MapPackageError) -> [String]
}

/// What a package is opened for.
public enum MapPackageAccess: Hashable, Sendable {
    /// Looking only.
    case reading
    /// Looking and changing.
    case editing
}
