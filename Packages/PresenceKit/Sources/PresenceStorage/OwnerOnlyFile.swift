import Foundation
import PresenceKit

/// A small file that only its owner may read, replaced as a whole.
struct OwnerOnlyFile: Sendable {
    let path: String

    /// The file's bytes, or nil when there is none.
    func read() throws(PresenceStorageError) -> [UInt8]? {
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            if !FileManager.default.fileExists(atPath: path) { return nil }
            throw PresenceStorageError(.read, place: path, reason: Self.reason(error))
        }
    }

    /// Replaces the file; a reader and a crash find the old or the new one, whole.
    func write(_ bytes: [UInt8]) throws(PresenceStorageError) {
        // The rename must replace the file that a link points to, not the link.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder.isEmpty ? "." : folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw PresenceStorageError(.write, place: path, reason: Self.reason(error))
        }
        // Beside the target, since a rename is atomic within one file system only; made for the owner from the start.
        var template = Array((path + ".new-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw PresenceStorageError(.write, place: path, reason: Self.lastError()) }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
        } catch {
            try? handle.close()
            try? FileManager.default.removeItem(atPath: temporary)
            throw PresenceStorageError(.write, place: path, reason: Self.reason(error))
        }
        guard rename(temporary, path) == 0 else {
            let reason = Self.lastError()
            try? FileManager.default.removeItem(atPath: temporary)
            throw PresenceStorageError(.write, place: path, reason: reason)
        }
    }

    /// Removes the file if it is there.
    func remove() throws(PresenceStorageError) {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            // Removing a folder would take along whatever somebody keeps in it.
            throw PresenceStorageError(.write, place: path, reason: "a folder stands in its place; move it away")
        }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            if !FileManager.default.fileExists(atPath: path) { return }
            throw PresenceStorageError(.write, place: path, reason: Self.reason(error))
        }
    }

    /// Renames the file to the first free name that says what it is, and gives that name.
    func setAside() throws(PresenceStorageError) -> String {
        var number = 1
        while true {
            let other = path + (number == 1 ? ".unreadable" : ".unreadable-\(number)")
            do {
                // Moving fails when something has that name, so nothing that was set aside before is lost.
                try FileManager.default.moveItem(atPath: path, toPath: other)
                return other
            } catch {
                guard FileManager.default.fileExists(atPath: other), number < 1_000 else {
                    throw PresenceStorageError(.setAside, place: path, reason: Self.reason(error))
                }
                number += 1
            }
        }
    }

    private static func lastError() -> String { String(cString: strerror(errno)) }

    private static func reason(_ error: any Error) -> String {
        let text = (error as NSError).localizedDescription
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
