public import MapDocs
import TransportCore

/// Secrets in one file that only its owner may read (0600), in a folder that only its owner may look into (0700).
///
/// A file or folder that others may read is refused, not repaired: whoever could has had the time to. Writing replaces
/// the file in one step, so a crash leaves the old secrets or the new ones.
public struct OwnerOnlyFileSecretStore: Sendable {
    private static let fileName = "secrets.json"
    private static let largestFile = 1 << 20

    private let folder: String
    private let fileSystem: any FileSystem

    private var path: String { "\(folder)/\(Self.fileName)" }

    /// Makes a store; folder and file are made when the first secret is kept.
    ///
    /// - Parameters:
    ///   - folder: The absolute path of a folder for the secrets alone.
    ///   - fileSystem: Where the folder is.
    public init(_ folder: String, in fileSystem: any FileSystem = PosixFileSystem()) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    private func read() throws(SecretStoreError) -> [JSONValue.Member] {
        let bytes: [UInt8]
        do throws(FileSystemError) {
            guard let entry = try fileSystem.entry(at: folder) else { return [] }
            guard entry.kind == .directory, entry.isPrivate else { throw openToOthers(folder) }
            guard try fileSystem.entry(at: path) != nil else { return [] }
            let file = try fileSystem.openForReading(path)
            defer { file.close() }
            // Asked of the open file: the name could lead to another one by now.
            guard try file.entry().isPrivate else { throw openToOthers(path) }
            bytes = try file.read(from: 0, count: Self.largestFile)
        } catch {
            throw SecretStoreError(message: error.message)
        }
        guard let value = try? JSONValue(parsing: bytes, as: .iJSON), let members = value.members,
            members.allSatisfy({ $0.value.stringValue != nil })
        else {
            throw SecretStoreError(
                message: "“\(path)” has no secrets that can be read; remove it and enter the secrets again."
            )
        }
        return members
    }

    private func openToOthers(_ path: String) -> FileSystemError {
        FileSystemError(
            code: .denied,
            path: path,
            message: "“\(path)” can be read by other users, so its secrets are not used; remove it, enter the secrets "
                + "again and replace those that others may have seen."
        )
    }

    private func write(_ members: [JSONValue.Member]) throws(FileSystemError) {
        let bytes = JSONValue.object(members).bytes + [UInt8(ascii: "\n")]
        guard bytes.count <= Self.largestFile else {
            throw FileSystemError(
                code: .full,
                path: path,
                message: "“\(path)” would be larger than 1 MiB; remove secrets that are not needed any more."
            )
        }
        let draft = "\(path).new"
        try fileSystem.remove(draft)
        let file = try fileSystem.create(draft, isPrivate: true)
        do throws(FileSystemError) {
            try file.write(bytes)
            try file.synchronize()
            try file.close()
            try fileSystem.replaceFile(path, with: draft)
        } catch {
            try? file.close()
            try? fileSystem.remove(draft)
            throw error
        }
        try fileSystem.synchronize(folder)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension OwnerOnlyFileSecretStore: SecretStore {
    public func names() throws(SecretStoreError) -> [String] {
        try read().map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    public func secret(named name: String) throws(SecretStoreError) -> String? {
        try read().first { $0.name.utf8.elementsEqual(name.utf8) }?.value.stringValue
    }

    public func setSecret(_ secret: String?, named name: String) throws(SecretStoreError) {
        let lockPath = "\(path).lock"
        do throws(FileSystemError) {
            if try fileSystem.entry(at: folder) == nil {
                try fileSystem.createDirectories(folder, isPrivate: true)
            }
            guard try fileSystem.entry(at: folder)?.isPrivate == true else { throw openToOthers(folder) }
            guard let lock = try fileSystem.lock(lockPath) else {
                throw FileSystemError(
                    code: .failed,
                    path: path,
                    message: "“\(path)” is being changed by another program; try again."
                )
            }
            defer {
                try? fileSystem.remove(lockPath)
                lock.unlock()
            }
            var members: [JSONValue.Member]
            do throws(SecretStoreError) {
                members = try read()
            } catch {
                throw FileSystemError(code: .failed, path: path, message: error.message)
            }
            members.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
            if let secret { members.append(.init(name: name, value: .string(secret))) }
            members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            try write(members)
        } catch {
            throw SecretStoreError(message: error.message)
        }
    }
}
