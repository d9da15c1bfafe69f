public import Foundation
public import MapDocs
public import TransportCore

/// Opens and checks packages whose database is a GeoPackage (OGC 12-128r18): versions 1.0 to 1.4 are read and edited.
///
/// Opened for reading, nothing beside the database is looked at or made: a `-wal`, `-shm` or `-journal` that came along
/// with it is not replayed. Opened for editing, the database's own write-ahead log is part of it.
public struct GeoPackageFormat: Sendable {
    let digest: any ContentDigest
    package let now: @Sendable () -> Date
    let busyTimeout: Duration

    /// Makes the format.
    ///
    /// - Parameters:
    ///   - digest: What computes SHA-256.
    ///   - now: What tells the time that GeoPackages keep as `last_change`.
    ///   - busyTimeout: How long a call waits for another program that is writing, before it throws `storage`.
    public init(
        digest: any ContentDigest,
        now: @escaping @Sendable () -> Date,
        busyTimeout: Duration = .seconds(5)
    ) {
        self.digest = digest
        self.now = now
        self.busyTimeout = busyTimeout
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GeoPackageFormat: MapPackageFormat {
    public var databaseName: String { "data.gpkg" }

    public func open(_ folder: String, for access: MapPackageAccess) throws(MapPackageError) -> any MapPackage {
        try open(fileAt: path(in: folder), for: access)
    }

    public func findFaults(in folder: String) throws(MapPackageError) -> [String] {
        try FaultSearch(path(in: folder), format: self).faults()
    }
}

extension GeoPackageFormat {
    /// Opens a GeoPackage that is not in a package.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - access: What for.
    /// - Returns: The open package.
    /// - Throws: `MapPackageError`, as `open(_:for:)`.
    package func open(fileAt path: String, for access: MapPackageAccess) throws(MapPackageError) -> GeoPackage {
        let name = (path as NSString).lastPathComponent
        let header = try DatabaseHeader(ofFileAt: path)
        let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
        let hasJournal = FileManager.default.fileExists(atPath: path + "-journal")
        // While a log is being merged into the file, its header can be ahead of it.
        let isComplete = access == .reading || !hasLog
        if isComplete, let cutOff = header.cutOff { throw .damaged(name, cutOff) }
        if isComplete, let otherKind = header.otherKind { throw .damaged(name, otherKind) }
        let reading: SQLiteConnection.Mode = header.hasLog || hasLog || hasJournal ? .immutable : .shared
        if access == .reading {
            return try GeoPackage(path, reading, readOnlyReason: "It was opened for reading only.", format: self)
        }
        if let newer = header.newerFormat {
            let reason = "“\(name)” cannot be changed: \(newer)."
            return try GeoPackage(path, reading, readOnlyReason: reason, format: self)
        }
        do throws(MapPackageError) {
            let package = try GeoPackage(path, .editing, readOnlyReason: nil, format: self)
            if !package.isOnReadOnlyMedium { return package }
            package.close()
        } catch
            where ![.readOnly, .storage].contains(error.code)
            || Self.isWritable(path)
        {
            throw error
        } catch {}
        let reason = "“\(name)” cannot be changed: the file or its folder cannot be written to."
        return try GeoPackage(path, reading, readOnlyReason: reason, format: self)
    }

    /// Whether the file and, for its log, its folder can be written to.
    private static func isWritable(_ path: String) -> Bool {
        FileManager.default.isWritableFile(atPath: path)
            && FileManager.default.isWritableFile(atPath: (path as NSString).deletingLastPathComponent)
    }

    private func path(in folder: String) -> String {
        (folder as NSString).appendingPathComponent(databaseName)
    }
}
