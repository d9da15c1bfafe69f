extension PublishedFile {
    /// Returns whether a file of a package folder belongs to what is published.
    ///
    /// Everything does, whoever put it there, except what programs leave beside their files while they work: the
    /// companions of SQLite databases (`-wal`, `-shm`, `-journal`), lock files and half-received files of sync
    /// programs and network file systems, and the marks of file browsers.
    ///
    /// - Parameter path: The path inside the package, with `/` between its parts.
    /// - Returns: True when it enters the fingerprint and is fetched.
    public static func isPublished(_ path: String) -> Bool {
        let name = FilePath.name(of: path)
        let lower = name.lowercased()
        for companion in ["-wal", "-shm", "-journal"] where lower.hasSuffix(companion) {
            let database = lower.dropLast(companion.count)
            if [".gpkg", ".sqlite", ".sqlite3", ".db", ".mbtiles"].contains(where: database.hasSuffix) {
                return false
            }
        }
        if [".ds_store", "thumbs.db", "desktop.ini"].contains(lower) { return false }
        if lower.hasPrefix(".~lock.") && lower.hasSuffix("#") { return false }
        if (lower.hasPrefix(".syncthing.") || lower.hasPrefix("~syncthing~")) && lower.hasSuffix(".tmp") {
            return false
        }
        return !lower.hasPrefix("._") && !lower.hasPrefix(".nfs")
    }
}
