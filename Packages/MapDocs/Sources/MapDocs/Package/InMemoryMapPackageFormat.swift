public import TransportCore

/// Opens packages whose database is a JSON text: for tests, previews and programs without SQLite.
///
/// Members of the text that it does not know stay, as other programs' tables do in a real database.
public struct InMemoryMapPackageFormat: Sendable {
    /// The name of the database inside a package.
    public let databaseName: String
    private let files: any FileSystem
    private let digest: any ContentDigest

    /// Makes the format.
    ///
    /// - Parameters:
    ///   - files: Where packages are.
    ///   - digest: What computes SHA-256.
    ///   - databaseName: The name of the database inside a package.
    public init(files: any FileSystem, digest: any ContentDigest, databaseName: String = "data.json") {
        self.files = files
        self.digest = digest
        self.databaseName = databaseName
    }

    /// Makes an empty database in a package's folder, which is there, and opens it for editing.
    ///
    /// - Parameters:
    ///   - folder: The package's folder.
    ///   - tables: The tables that it begins with.
    /// - Returns: The open package.
    /// - Throws: `MapPackageError`: `full`, `storage`.
    public func create(in folder: String, tables: [FeatureTable] = []) throws(MapPackageError) -> InMemoryMapPackage {
        let storage = InMemoryMapPackage.Storage(files: files, folder: folder, name: databaseName)
        let data = InMemoryMapData(tables: tables.map { InMemoryMapData.Table(description: $0) })
        try InMemoryMapPackage.write(data, to: storage)
        return InMemoryMapPackage(data: data, storage: storage, readOnlyReason: nil, digest: digest)
    }

    private func read(_ folder: String) throws(MapPackageError) -> [UInt8] {
        do {
            return try files.contents(of: "\(folder)/\(databaseName)")
        } catch {
            guard error.code == .notFound else { throw MapPackageError(error) }
            throw MapPackageError(
                code: .noDatabase,
                subject: databaseName,
                message: "“\(folder)” has no “\(databaseName)”; fetch the project again."
            )
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryMapPackageFormat: MapPackageFormat {
    public func open(_ folder: String, for access: MapPackageAccess) throws(MapPackageError) -> any MapPackage {
        let data: InMemoryMapData
        do {
            data = try InMemoryMapData(parsing: read(folder))
        } catch {
            guard error.code == .damaged else { throw error }
            throw MapPackageError(
                code: .damaged,
                subject: databaseName,
                message: "“\(databaseName)” is damaged: \(error.message) Fetch the project again."
            )
        }
        return InMemoryMapPackage(
            data: data,
            storage: InMemoryMapPackage.Storage(files: files, folder: folder, name: databaseName),
            readOnlyReason: access == .reading ? "The project is open for looking only." : nil,
            digest: digest
        )
    }

    public func findFaults(in folder: String) throws(MapPackageError) -> [String] {
        do {
            _ = try InMemoryMapData(parsing: read(folder))
            return []
        } catch {
            guard error.code == .damaged else { throw error }
            return ["“\(databaseName)” is damaged: \(error.message)"]
        }
    }
}

extension MapPackageError {
    /// Takes the failure of a file below a package.
    init(_ error: FileSystemError) {
        self.init(
            code: error.code == .full ? .full : error.code == .readOnly ? .readOnly : .storage,
            subject: error.path,
            message: error.message
        )
    }
}

extension FileSystem {
    /// Writes a file at a path where nothing is and makes its bytes safe; nothing is left there when it throws.
    func write(_ bytes: [UInt8], toNew path: String, isPrivate: Bool) throws(FileSystemError) {
        let file = try create(path, isPrivate: isPrivate)
        do throws(FileSystemError) {
            try file.write(bytes)
            try file.synchronize()
            try file.close()
        } catch {
            try? file.close()
            try? remove(path)
            throw error
        }
    }

    /// Writes a file whole or not at all, safe from a crash of the machine when it returns.
    ///
    /// The file is written at `temporary` first, in a folder of the same file system, where a crash may leave a half of it.
    func replace(
        _ path: String,
        with bytes: [UInt8],
        by temporary: String,
        isPrivate: Bool
    ) throws(FileSystemError) {
        try remove(temporary)
        try write(bytes, toNew: temporary, isPrivate: isPrivate)
        try replaceFile(path, with: temporary)
        try synchronize(FilePath.parent(of: path))
    }
}
