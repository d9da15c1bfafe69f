import CMapSQLite
import Foundation
import MapDocs

/// Copies what a database has at one moment into one clean file, page by page.
struct DatabaseCopy {
    private let source: SQLiteConnection
    private let path: String
    private let name: String
    private let busyTimeout: Duration

    init(from source: SQLiteConnection, to path: String, busyTimeout: Duration) {
        self.source = source
        self.path = path
        name = (path as NSString).lastPathComponent
        self.busyTimeout = busyTimeout
    }

    func run() throws(MapPackageError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw .storage(name, "something is at the place of the copy already; remove it first")
        }
        do throws(MapPackageError) {
            try copyPages()
            let header = try DatabaseHeader(ofFileAt: path)
            if header.hasLog { throw .storage(name, "the copy could not be made a single file; try again") }
            if try needsVacuum(header) {
                try vacuum()
            } else {
                try PageScrub(path, header: header).run()
            }
            for ending in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + ending) }
        } catch {
            for ending in ["", "-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: path + ending)
            }
            throw error
        }
    }

    private func copyPages() throws(MapPackageError) {
        let target = try SQLiteConnection(path, .building, busyTimeout: busyTimeout)
        guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.error(sqlite3_errcode(target.handle))
        }
        // In one step, so that it is the copy of one moment whatever is written meanwhile.
        let stepped = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        guard stepped == SQLITE_DONE, finished == SQLITE_OK else {
            let result = stepped == SQLITE_DONE || stepped == SQLITE_OK ? finished : stepped
            throw .sqlite(result, String(cString: sqlite3_errstr(result)), file: source.fileName)
        }
        // The copy says that it has a log, as its source does; what is published has none.
        try target.execute("PRAGMA journal_mode=DELETE")
    }

    private func vacuum() throws(MapPackageError) {
        let target = try SQLiteConnection(path, .building, busyTimeout: busyTimeout)
        try target.execute("VACUUM")
    }

    // MARK: Free pages

    /// Whether a fifth of the copy is free, or something that was deleted still stands in a free page.
    private func needsVacuum(_ header: DatabaseHeader) throws(MapPackageError) -> Bool {
        let pageCount = header.fileSize / header.pageSize
        if header.freePageCount * 5 >= max(pageCount, 1) { return true }
        guard header.firstFreePage > 0 else { return false }
        guard let file = FileHandle(forReadingAtPath: path) else { throw .storage(name, "the copy cannot be read") }
        defer { try? file.close() }
        // A trunk names the next one and the leaves that hang on it (sqlite.org/fileformat2.html, section 1.5).
        var trunk = header.firstFreePage
        var remaining = header.freePageCount
        while trunk > 0, remaining > 0 {
            guard trunk <= pageCount else { return true }
            let page = try read(trunk, header.pageSize, file)
            guard page.count == header.pageSize else { return true }
            func number(_ place: Int) -> Int { page[place * 4..<place * 4 + 4].reduce(0) { $0 << 8 | Int($1) } }
            let leaves = number(1)
            guard leaves <= header.pageSize / 4 - 2 else { return true }
            // Behind the list stand at most numbers of leaves that have been used again.
            for place in leaves + 2..<header.pageSize / 4 where number(place) > pageCount { return true }
            for place in 0..<leaves {
                let leaf = number(place + 2)
                guard (1...pageCount).contains(leaf) else { return true }
                if try read(leaf, header.pageSize, file).contains(where: { $0 != 0 }) { return true }
            }
            remaining -= leaves + 1
            trunk = number(0)
        }
        return false
    }

    private func read(_ page: Int, _ size: Int, _ file: FileHandle) throws(MapPackageError) -> [UInt8] {
        do {
            try file.seek(toOffset: UInt64(page - 1) * UInt64(size))
            return [UInt8](try file.read(upToCount: size) ?? Data())
        } catch {
            throw .storage(name, "reading the copy failed; check the medium and try again")
        }
    }
}
