internal import Foundation
internal import MapDocs
internal import MapGeoPackage
internal import MapStores
internal import TransportCore
internal import TransportTLS

extension MapBackends {
    /// Those of this machine: its files, SQLite, and an owner-only folder for secrets.
    ///
    /// - Parameters:
    ///   - home: The folder of the working copies.
    ///   - secrets: The folder of the secrets.
    /// - Returns: The backends.
    public static func live(home: String, secrets: String) -> MapBackends {
        let digest = OpenSSLContentDigest()
        return MapBackends(
            home: home,
            files: PosixFileSystem(),
            format: GeoPackageFormat(digest: digest, now: { Date() }),
            digest: digest,
            secrets: OwnerOnlyFileSecretStore(secrets),
            device: ProcessInfo.processInfo.hostName,
            makeID: { UUID().uuidString.lowercased() },
            makeRandom: { SystemRandomNumberGenerator() },
            timeZone: .current,
            locale: .current,
            workingFolder: FileManager.default.currentDirectoryPath
        )
    }

    /// Those of a world without a disk.
    public static var inMemory: MapBackends {
        let digest = SoftwareContentDigest()
        let files = InMemoryFileSystem()
        let numbers = SerialNumbers()
        return MapBackends(
            home: "/home",
            files: files,
            format: InMemoryMapPackageFormat(files: files, digest: digest),
            digest: digest,
            secrets: InMemorySecretStore(),
            device: "Device",
            makeID: { numbers.next() },
            makeRandom: { SeededRandom(seed: 1) },
            timeZone: .gmt,
            locale: Locale(identifier: "en_US"),
            workingFolder: "/"
        )
    }
}
