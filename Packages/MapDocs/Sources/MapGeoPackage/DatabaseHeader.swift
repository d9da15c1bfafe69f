import Foundation
import MapDocs

/// The first hundred bytes of a database (sqlite.org/fileformat2.html, section 1.3).
struct DatabaseHeader {
    /// The bytes of a page.
    let pageSize: Int
    /// Whether a write-ahead log belongs to it.
    let hasLog: Bool
    /// How many pages it should have; nil when the number is not kept.
    let pageCount: Int?
    /// The first page of the list of free pages; 0 for none.
    let firstFreePage: Int
    /// How many pages are free.
    let freePageCount: Int
    /// The number of the format.
    let userVersion: Int
    /// The kind of file.
    let applicationID: UInt32
    /// The bytes at the end of each page that are not used.
    let reservedSize: Int
    /// Whether some pages tell what others are for, so that the file can shrink by itself.
    let hasPointerMap: Bool
    /// The bytes of the file.
    let fileSize: Int

    /// GPKG, and the numbers of 1.0 and 1.1, which came before it.
    static let geoPackageIDs: Set<UInt32> = [0x4750_4B47, 0x4750_3130, 0x4750_3131]

    /// Reads the header of a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: `MapPackageError`: `noDatabase`, `damaged` for an empty file and one of another kind, `storage`.
    init(ofFileAt path: String) throws(MapPackageError) {
        let name = (path as NSString).lastPathComponent
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let attributes else {
            throw MapPackageError(
                code: .noDatabase,
                subject: name,
                message: "The package has no “\(name)”; fetch the project again."
            )
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw .damaged(name, "it is a link or a folder instead of a file")
        }
        fileSize = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard fileSize > 0 else { throw .damaged(name, "it is empty (0 bytes)") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw .storage(name, "it may not be read; ask its owner for the right to")
        }
        defer { try? file.close() }
        let bytes: [UInt8]
        do {
            bytes = [UInt8](try file.read(upToCount: 100) ?? Data())
        } catch {
            throw .storage(name, "reading it failed; check the medium and try again")
        }
        guard bytes.count == 100 || bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw .damaged(name, "it is no SQLite database")
        }
        guard bytes.count == 100 else { throw .damaged(name, "it is cut off: only \(bytes.count) bytes are left") }
        guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw .damaged(name, "it is no SQLite database")
        }
        func number(_ offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65536 : size
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else {
            throw .damaged(name, "its header names a page size that cannot be")
        }
        hasLog = bytes[18] == 2 || bytes[19] == 2
        let count = Int(number(28))
        // The count is only to be believed when the change counter says that it is as new as the rest.
        pageCount = count > 0 && number(24) == number(92) ? count : nil
        firstFreePage = Int(number(32))
        freePageCount = Int(number(36))
        reservedSize = Int(bytes[20])
        hasPointerMap = number(52) != 0
        userVersion = Int(Int32(bitPattern: number(60)))
        applicationID = number(68)
    }

    /// Says in words that the file is shorter than its header promises, or returns nil.
    var cutOff: String? {
        guard let pageCount, fileSize < pageCount * pageSize else { return nil }
        return "it is cut off: \(fileSize) of \(pageCount * pageSize) bytes are left"
    }

    /// Says in words why it is no GeoPackage, or returns nil.
    var otherKind: String? {
        if Self.geoPackageIDs.contains(applicationID) { return nil }
        return "it is a SQLite database, but no GeoPackage (application id 0x\(String(applicationID, radix: 16)))"
    }

    /// Says in words that the format is newer than what is known here, or returns nil.
    var newerFormat: String? {
        guard applicationID == 0x4750_4B47, userVersion >= 10500 else { return nil }
        let version = "\(userVersion / 10000).\(userVersion / 100 % 100)"
        return "it is a GeoPackage \(version), which is newer than what this app writes (up to 1.4); update the app"
    }
}
