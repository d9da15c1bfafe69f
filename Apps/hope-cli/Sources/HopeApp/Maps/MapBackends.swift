public import Foundation
public import MapDocs
public import TransportCore

/// What map projects are kept in and read with: every outside thing that the map commands touch, besides the stores.
public struct MapBackends: Sendable {
    /// The app's own folder, which has the working copies.
    public var home: String
    /// Where folders and files are.
    public var files: any FileSystem
    /// What opens packages.
    public var format: any MapPackageFormat
    /// What computes SHA-256.
    public var digest: any ContentDigest
    /// Where secrets are kept, which must not get into a package.
    public var secrets: any SecretStore
    /// The name of this device, as it stands in revisions and conflict copies.
    public var device: String
    /// Makes identifiers that nobody else makes.
    public var makeID: @Sendable () -> String
    /// Makes what identifiers of new projects are drawn from.
    public var makeRandom: @Sendable () -> any RandomNumberGenerator
    /// The time zone of the dates that people read.
    public var timeZone: TimeZone
    /// The language of numbers.
    public var locale: Locale
    /// The folder that relative paths start from.
    public var workingFolder: String

    /// Makes a set of backends.
    public init(
        home: String,
        files: any FileSystem,
        format: any MapPackageFormat,
        digest: any ContentDigest,
        secrets: any SecretStore,
        device: String,
        makeID: @escaping @Sendable () -> String,
        makeRandom: @escaping @Sendable () -> any RandomNumberGenerator,
        timeZone: TimeZone,
        locale: Locale,
        workingFolder: String
    ) {
        self.home = home
        self.files = files
        self.format = format
        self.digest = digest
        self.secrets = secrets
        self.device = device
        self.makeID = makeID
        self.makeRandom = makeRandom
        self.timeZone = timeZone
        self.locale = locale
        self.workingFolder = workingFolder
    }

    /// The absolute form of a path.
    func absolute(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
        return URL(fileURLWithPath: whole).standardizedFileURL.path
    }
}

/// A place of map projects, as `--store` chooses it.
public struct MapStoreChoice: Sendable {
    /// What identifies it on this device, such as `folder:/maps`; without credentials.
    public var identifier: String
    /// The store.
    public var store: any DocumentStore

    /// Makes a choice.
    public init(identifier: String, store: any DocumentStore) {
        self.identifier = identifier
        self.store = store
    }
}
