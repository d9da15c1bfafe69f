import Foundation
import MapDocs

/// Clears what was deleted from pages that are still in use, and leaves every page where it is.
///
/// A program that does not overwrite what it deletes leaves it in the unused parts of b-tree pages: between the list of
/// cells and the cells, and in the blocks that cells left behind (sqlite.org/fileformat2.html, section 1.6).
struct PageScrub {
    private static let chunkSize = 1 << 20

    private let path: String
    private let name: String
    private let header: DatabaseHeader

    /// - Parameters:
    ///   - path: A database that nobody has open, without free pages that hold anything.
    ///   - header: Its header.
    init(_ path: String, header: DatabaseHeader) {
        self.path = path
        name = (path as NSString).lastPathComponent
        self.header = header
    }

    func run() throws(MapPackageError) {
        // In larger files the number that a page of another kind begins with could look like the mark of a b-tree page;
        // in files that shrink by themselves, so could a page that says what others are.
        guard header.fileSize / header.pageSize < 0x0200_0000, !header.hasPointerMap else { return }
        guard let file = FileHandle(forUpdatingAtPath: path) else { throw .storage(name, "the copy cannot be opened") }
        defer { try? file.close() }
        let pagesPerChunk = max(1, Self.chunkSize / header.pageSize)
        var page = 0
        do {
            while page * header.pageSize < header.fileSize {
                try file.seek(toOffset: UInt64(page * header.pageSize))
                var bytes = [UInt8](try file.read(upToCount: pagesPerChunk * header.pageSize) ?? Data())
                let count = bytes.count / header.pageSize
                guard count > 0 else { return }
                for place in 0..<count {
                    let range = place * header.pageSize..<(place + 1) * header.pageSize
                    let isChanged = bytes.withUnsafeMutableBytes { buffer in
                        clear(UnsafeMutableRawBufferPointer(rebasing: buffer[range]), isFirst: page + place == 0)
                    }
                    guard isChanged else { continue }
                    try file.seek(toOffset: UInt64((page + place) * header.pageSize))
                    try file.write(contentsOf: bytes[range])
                }
                page += count
            }
        } catch {
            throw .storage(name, "the copy cannot be cleared of what was deleted; check the medium and try again")
        }
    }

    /// Clears one page; true when there was something to clear.
    private func clear(_ page: UnsafeMutableRawBufferPointer, isFirst: Bool) -> Bool {
        let start = isFirst ? 100 : 0
        let isInner = page[start] == 2 || page[start] == 5
        guard isInner || page[start] == 10 || page[start] == 13 else { return false }
        func number(_ place: Int) -> Int { Int(page[place]) << 8 | Int(page[place + 1]) }
        let usable = page.count - header.reservedSize
        let listEnd = start + (isInner ? 12 : 8) + number(start + 3) * 2
        let content = number(start + 5) == 0 ? 65536 : number(start + 5)
        // A page that contradicts itself is left to the check that follows.
        guard listEnd <= content, content <= usable else { return false }
        var isChanged = Self.zero(page, listEnd..<content)
        var block = number(start + 1)
        var last = content
        while block != 0 {
            guard block >= last, block + 4 <= usable else { return isChanged }
            let size = number(block + 2)
            guard size >= 4, block + size <= usable else { return isChanged }
            if Self.zero(page, block + 4..<block + size) { isChanged = true }
            last = block + size
            block = number(block)
        }
        return isChanged
    }

    /// Writes zeros; true when something else stood there.
    private static func zero(_ page: UnsafeMutableRawBufferPointer, _ range: Range<Int>) -> Bool {
        var found: UInt8 = 0
        for place in range { found |= page[place] }
        guard found != 0 else { return false }
        for place in range { page[place] = 0 }
        return true
    }
}
