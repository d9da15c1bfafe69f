import Foundation
import MapDocs

/// A hidden folder beside the place of a package, in which it is put together.
struct PackageStaging {
    let folder: String
    let title: String
    private let path: String

    /// Makes the folder.
    ///
    /// - Parameter path: The place of the package.
    /// - Throws: `MapAuthoringError`: `invalidName`, `exists`, `storage`.
    init(for path: String) throws(MapAuthoringError) {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        self.path = url.path
        do {
            title = try DocumentName(fileName: url.lastPathComponent).title
        } catch {
            throw MapAuthoringError(
                code: .invalidName,
                subject: url.lastPathComponent,
                message:
                    "“\(url.lastPathComponent)” cannot be the name of a project; choose one that ends in “.gispad”."
            )
        }
        folder = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).making").path
        guard !Self.isThere(self.path) else { throw Self.exists(url.lastPathComponent) }
        do {
            // What an earlier attempt left when its process ended is no use to anybody.
            if Self.isThere(folder) { try FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        } catch {
            throw MapAuthoringError(
                code: .storage,
                subject: url.lastPathComponent,
                message: "“\(url.lastPathComponent)” cannot be made there; check that the folder exists and can be "
                    + "written to."
            )
        }
    }

    func write(_ bytes: [UInt8], to name: String) throws(MapAuthoringError) {
        do {
            let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
            try Data(bytes).write(to: file)
            let handle = try FileHandle(forUpdating: file)
            try handle.synchronize()
            try handle.close()
        } catch {
            throw MapAuthoringError(
                code: .storage,
                subject: name,
                message: "“\(name)” cannot be written; check that there is room on the medium."
            )
        }
    }

    /// Moves the package to its place.
    func commit() throws(MapAuthoringError) {
        let name = (path as NSString).lastPathComponent
        guard !Self.isThere(path) else { throw Self.exists(name) }
        do {
            try FileManager.default.moveItem(atPath: folder, toPath: path)
        } catch {
            throw MapAuthoringError(
                code: .storage,
                subject: name,
                message: "“\(name)” cannot be moved to its place; check the folder and try again."
            )
        }
    }

    func discard() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Whether anything is at a path, a broken link included.
    private static func isThere(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    private static func exists(_ name: String) -> MapAuthoringError {
        MapAuthoringError(
            code: .exists,
            subject: name,
            message: "“\(name)” is there already; choose another name, or remove it first."
        )
    }
}
