import MapDocs
import TransportCore

extension FolderDocumentStore {
    /// How much is read and written at a time.
    static let chunkBytes = 1 << 18
    /// `project.json` is held as a whole to be put into canonical form.
    private static let largestProject = 64 << 20

    /// A place to stage in that nobody else uses.
    private struct Slot {
        let layout: PublishLayout
        let number: Int
        let lock: any FileLock

        var folder: String { layout.staged(number) }
    }

    @concurrent
    func swap(
        _ staged: StagedDocument,
        as name: DocumentName,
        replacing base: PublishBase
    ) async throws(DocumentStoreError) -> PublishOutcome {
        try checkAvailable()
        try check(staged, for: name)
        if case .revision(let expected) = base, staged.revision.number <= expected.number {
            throw .damaged(
                name.fileName,
                reason: "its revision \(staged.revision.number) does not come after \(expected.number)"
            )
        }
        try await settle(name)
        // What is a conflict already need not be staged.
        if try isObviousConflict(name, base) { return .conflict(current: try find(name)?.read().revision) }
        let slot = try await takeSlot(layout(name), for: name)
        defer { release(slot) }
        try await stage(staged, in: slot, for: name)
        let lock = try await takeLock(slot.layout.lock, for: name)
        defer { release(lock, at: slot.layout.lock) }
        return try compareAndSwap(staged, in: slot, as: name, replacing: base)
    }

    @concurrent
    func keepCopy(
        _ staged: StagedDocument,
        named names: ConflictCopyName
    ) async throws(DocumentStoreError) -> DocumentName {
        try checkAvailable()
        let first = names.candidate(1)
        try check(staged, for: first)
        try await settle(first)
        let slot = try await takeSlot(layout(first), for: first)
        defer { release(slot) }
        try await stage(staged, in: slot, for: first)
        if Task.isCancelled { throw .cancelled(first) }
        var number = 1
        while true {
            let name = names.candidate(number)
            if try similarName(to: name) == nil, try moveIn(slot, as: name) { return name }
            number += 1
        }
    }

    // MARK: Comparing and swapping, under the document's lock

    private func isObviousConflict(_ name: DocumentName, _ base: PublishBase) throws(DocumentStoreError) -> Bool {
        let package = try find(name)
        switch base {
        case .nothing: return package != nil
        case .revision(let expected):
            guard let package else { return try !isPlaceholder(name) }
            // A package that does not say is looked at again under the lock.
            guard let number = try? package.claimedNumber() else { return false }
            return number != expected.number
        }
    }

    private func compareAndSwap(
        _ staged: StagedDocument,
        in slot: Slot,
        as name: DocumentName,
        replacing base: PublishBase
    ) throws(DocumentStoreError) -> PublishOutcome {
        try finishInterrupted(slot.layout)
        guard let package = try find(name) else {
            if try isPlaceholder(name) { throw notDownloaded(name, .revisionUnknown) }
            guard base == .nothing else { return .conflict(current: nil) }
            if let other = try similarName(to: name) {
                return .conflict(current: try find(other)?.read().revision)
            }
            if Task.isCancelled { throw .cancelled(name) }
            if try moveIn(slot, as: name) { return .published(staged.revision) }
            return .conflict(current: try find(name)?.read().revision)
        }
        let found = try package.read()
        guard case .revision(let expected) = base, found.revision.isSameState(as: expected) else {
            return .conflict(current: found.revision)
        }
        if Task.isCancelled { throw .cancelled(name) }
        let isSwapped = try swap(package, found, with: staged, in: slot)
        return isSwapped ? .published(staged.revision) : .conflict(current: try package.read().revision)
    }

    /// Swaps under a journal; returns false, with everything as it was, when another program got in between.
    private func swap(
        _ package: PackageFolder,
        _ found: PackageFolder.Reading,
        with staged: StagedDocument,
        in slot: Slot
    ) throws(DocumentStoreError) -> Bool {
        let journal = PublishJournal(
            document: package.name,
            slot: slot.number,
            base: PublishJournal.State(found.revision),
            next: PublishJournal.State(staged.revision)
        )
        var previous = slot.folder
        return try onDisk(package.name) { () throws(FileSystemError) in
            var isIn = false
            do throws(FileSystemError) {
                try write(journal, in: slot.layout)
                do throws(FileSystemError) {
                    try fileSystem.exchange(slot.folder, with: package.path)
                } catch let error where error.code == .unsupported {
                    previous = slot.layout.aside(slot.number)
                    try fileSystem.move(package.path, to: previous)
                    try fileSystem.move(slot.folder, to: package.path)
                }
                isIn = true
                // Somebody without the lock could have written after the revision was read.
                if try isUntouched(package.name, at: previous, since: found) {
                    try fileSystem.synchronize(root)
                    // From here on it is published. A journal that stays says so, too, to whoever finds it.
                    try? forgetJournal(of: slot.layout)
                    return true
                }
            } catch {
                try undo(package, slot, isIn: isIn)
                throw error
            }
            try undo(package, slot, isIn: isIn)
            return false
        }
    }

    private func isUntouched(
        _ name: DocumentName,
        at path: String,
        since found: PackageFolder.Reading
    ) throws(FileSystemError) -> Bool {
        try interrupted { () throws(DocumentStoreError) in
            do throws(DocumentStoreError) {
                return try PackageFolderScan(path, in: fileSystem) == found.scan
            } catch let error where error.code == .damaged {
                return false
            }
        }
    }

    /// Puts back what was there; where that fails too, the journal stays for the next one to finish it.
    private func undo(_ package: PackageFolder, _ slot: Slot, isIn: Bool) throws(FileSystemError) {
        let aside = slot.layout.aside(slot.number)
        if try fileSystem.entry(at: aside) != nil {
            if isIn { try fileSystem.move(package.path, to: slot.folder) }
            try fileSystem.move(aside, to: package.path)
        } else if isIn {
            try fileSystem.exchange(slot.folder, with: package.path)
        }
        try fileSystem.synchronize(root)
        try forgetJournal(of: slot.layout)
    }

    /// Moves what is staged to a name that is free; returns false when it is not any more.
    private func moveIn(_ slot: Slot, as name: DocumentName) throws(DocumentStoreError) -> Bool {
        let path = "\(root)/\(name.fileName)"
        return try onDisk(name) { () throws(FileSystemError) in
            do throws(FileSystemError) {
                try fileSystem.move(slot.folder, to: path)
            } catch let error where error.code == .exists {
                return false
            }
            do throws(FileSystemError) {
                try fileSystem.synchronize(root)
            } catch {
                try fileSystem.move(path, to: slot.folder)
                throw error
            }
            return true
        }
    }

    /// Returns a document, or the placeholder of one, whose name differs at most in case or in how letters are composed.
    ///
    /// Other devices that a synced folder reaches may take the two for the same.
    private func similarName(to name: DocumentName) throws(DocumentStoreError) -> DocumentName? {
        let entries = try onDisk(name) { () throws(FileSystemError) in try fileSystem.entries(in: root) }
        for entry in entries {
            let other =
                SyncProgramNames.document(ofPlaceholder: entry.name) ?? (try? DocumentName(fileName: entry.name))
            if let other, other.fileName.lowercased() == name.fileName.lowercased() { return other }
        }
        return nil
    }

    // MARK: The journal

    private func write(_ journal: PublishJournal, in layout: PublishLayout) throws(FileSystemError) {
        try fileSystem.remove(layout.journalDraft)
        let file = try fileSystem.create(layout.journalDraft, isPrivate: false)
        do throws(FileSystemError) {
            try file.write(journal.bytes)
            try file.synchronize()
        } catch {
            try? file.close()
            try? fileSystem.remove(layout.journalDraft)
            throw error
        }
        try file.close()
        try fileSystem.replaceFile(layout.journal, with: layout.journalDraft)
        // What it stands for begins only when it is safe, and so is the name of what is staged.
        try fileSystem.synchronize(root)
    }

    private func forgetJournal(of layout: PublishLayout) throws(FileSystemError) {
        try fileSystem.remove(layout.journal)
        try fileSystem.remove(layout.journalDraft)
        try fileSystem.synchronize(root)
    }

    // MARK: Staging

    /// Looks whether the list of files is what the revision says, before anything is read.
    private func check(_ staged: StagedDocument, for name: DocumentName) throws(DocumentStoreError) {
        let files = staged.contents.files
        let isInOrder = zip(files, files.dropFirst()).allSatisfy {
            $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
        }
        guard isInOrder else { throw .damaged(name.fileName, reason: "its files are not in byte order, each once") }
        guard try DocumentFingerprint(of: files, digest: digest) == staged.revision.fingerprint else {
            throw .damaged(name.fileName, reason: "its files do not match the fingerprint of its revision")
        }
        guard staged.revision.number >= 0 else {
            throw .damaged(name.fileName, reason: "its revision has the number \(staged.revision.number)")
        }
        guard files.contains(where: { $0.path == PublishedFile.projectPath }) else {
            throw .damaged(name.fileName, reason: "it has no \(PublishedFile.projectPath)")
        }
        for file in files where !PublishedFile.isPublished(file.path) {
            throw .damaged(name.fileName, reason: "it has “\(file.path)”, which is never published")
        }
    }

    /// Takes the first place to stage in that nobody uses, and clears what somebody left there who was stopped.
    private func takeSlot(_ layout: PublishLayout, for name: DocumentName) async throws(DocumentStoreError) -> Slot {
        var number = 1
        while true {
            if Task.isCancelled { throw .cancelled(name) }
            let lock = try onDisk(name) { () throws(FileSystemError) in
                try fileSystem.lock(layout.slotLock(number))
            }
            guard let lock else {
                number += 1
                continue
            }
            let slot = Slot(layout: layout, number: number, lock: lock)
            do throws(FileSystemError) {
                if try removeStaged(slot) {
                    try fileSystem.createDirectory(slot.folder)
                    return slot
                }
            } catch {
                release(slot)
                throw DocumentStoreError(error, about: name.fileName)
            }
            // A journal stands for what is there, so it has to be finished first.
            lock.unlock()
            try await settle(name)
        }
    }

    /// Removes what is staged in a slot; returns false, removing nothing, while a journal stands for it.
    private func removeStaged(_ slot: Slot) throws(FileSystemError) -> Bool {
        if try fileSystem.entry(at: slot.layout.journal) != nil {
            guard let journal = try readJournal(slot.layout), journal.slot != slot.number else { return false }
        }
        let paths = [slot.folder, slot.layout.aside(slot.number)]
        for path in paths where try fileSystem.entry(at: path) != nil {
            // A crash must not bring back a journal for what is being removed.
            try fileSystem.synchronize(root)
            try fileSystem.remove(path)
        }
        return true
    }

    private func release(_ slot: Slot) {
        // What cannot be removed now is removed by whoever lists or publishes next.
        let isEmpty = (try? removeStaged(slot)) ?? false
        if isEmpty {
            release(slot.lock, at: slot.layout.slotLock(slot.number))
        } else {
            slot.lock.unlock()
        }
    }

    /// Copies a package into a slot, checking each file against its entry while it is copied, and makes it safe.
    private func stage(
        _ staged: StagedDocument,
        in slot: Slot,
        for name: DocumentName
    ) async throws(DocumentStoreError) {
        for file in staged.contents.files {
            if let parent = file.path.lastIndex(of: "/") {
                try onDisk(name) { () throws(FileSystemError) in
                    try fileSystem.createDirectories("\(slot.folder)/\(file.path[..<parent])")
                }
            }
            let target = try onDisk(name) { () throws(FileSystemError) in
                try fileSystem.create("\(slot.folder)/\(file.path)", isPrivate: false)
            }
            do throws(DocumentStoreError) {
                if file.path == PublishedFile.projectPath {
                    try await stageProject(file, of: staged, to: target, for: name)
                } else {
                    try await stage(file, of: staged, to: target, for: name)
                }
            } catch {
                try? target.close()
                throw error
            }
            try onDisk(name) { () throws(FileSystemError) in try target.close() }
        }
        try onDisk(name) { () throws(FileSystemError) in try fileSystem.synchronizeTree(slot.folder) }
    }

    private func stage(
        _ file: PublishedFile,
        of staged: StagedDocument,
        to target: any WritableFile,
        for name: DocumentName
    ) async throws(DocumentStoreError) {
        var hasher = digest.makeHasher()
        var size = 0
        while true {
            if Task.isCancelled { throw .cancelled(name) }
            let chunk = try await staged.contents.read(file.path, from: size, count: Self.chunkBytes)
            if chunk.isEmpty { break }
            size += chunk.count
            // More than was announced is not written: the medium could be full before it ends.
            guard size <= file.size else { break }
            hasher.update(chunk)
            try onDisk(name) { () throws(FileSystemError) in try target.write(chunk) }
        }
        guard size == file.size, FolderDocumentContents.hexadecimal(hasher.finalize()) == file.sha256 else {
            throw .damaged("\(name.fileName)/\(file.path)", reason: "its content does not match its SHA-256")
        }
    }

    private func stageProject(
        _ file: PublishedFile,
        of staged: StagedDocument,
        to target: any WritableFile,
        for name: DocumentName
    ) async throws(DocumentStoreError) {
        var bytes: [UInt8] = []
        while true {
            if Task.isCancelled { throw .cancelled(name) }
            let chunk = try await staged.contents.read(file.path, from: bytes.count, count: Self.chunkBytes)
            if chunk.isEmpty { break }
            bytes += chunk
            guard bytes.count <= Self.largestProject else { break }
        }
        guard try PublishedFile(path: file.path, contents: bytes, digest: digest) == file else {
            throw .damaged("\(name.fileName)/\(file.path)", reason: "its content does not match its SHA-256")
        }
        let stated = try PackageFolder.project(bytes, stating: staged.revision)
        try onDisk(name) { () throws(FileSystemError) in try target.write(stated) }
    }
}

// MARK: Finishing what was interrupted

extension FolderDocumentStore {
    /// Finishes or undoes what somebody was doing to a document who was stopped; waits for somebody who was not.
    func settle(_ name: DocumentName) async throws(DocumentStoreError) {
        let layout = layout(name)
        let hasJournal = try onDisk(name) { () throws(FileSystemError) in
            try fileSystem.entry(at: layout.journal) != nil
        }
        if hasJournal { try await finish(layout, for: name) }
    }

    /// Finishes what was interrupted and removes what is not needed any more.
    func settle(_ leftovers: PublishLayout.Leftovers) async throws(DocumentStoreError) {
        let layout = leftovers.layout
        if leftovers.hasJournal {
            guard let name = try? readJournal(layout)?.document else { return }
            try await finish(layout, for: name)
        }
        // On a medium that cannot be written, and while somebody uses them, they stay.
        for number in leftovers.slots.sorted() {
            if let lock = try? fileSystem.lock(layout.slotLock(number)) {
                release(Slot(layout: layout, number: number, lock: lock))
            }
        }
        if leftovers.hasLock, let lock = try? fileSystem.lock(layout.lock) {
            try? fileSystem.remove(layout.journalDraft)
            release(lock, at: layout.lock)
        }
    }

    private func finish(_ layout: PublishLayout, for name: DocumentName) async throws(DocumentStoreError) {
        let lock: any FileLock
        do throws(DocumentStoreError) {
            lock = try await takeLock(layout.lock, for: name)
        } catch let error where error.code == .storage && isReadOnly(layout) {
            return
        }
        defer { release(lock, at: layout.lock) }
        try finishInterrupted(layout)
    }

    /// Whether nothing can be changed here, so that what was interrupted stays as it is.
    private func isReadOnly(_ layout: PublishLayout) -> Bool {
        do throws(FileSystemError) {
            try fileSystem.lock(layout.lock)?.unlock()
            return false
        } catch {
            return error.code == .readOnly || error.code == .denied
        }
    }

    private func readJournal(_ layout: PublishLayout) throws(FileSystemError) -> PublishJournal? {
        guard try fileSystem.entry(at: layout.journal) != nil else { return nil }
        let file = try fileSystem.openForReading(layout.journal)
        defer { file.close() }
        return PublishJournal(try file.read(from: 0, count: 1 << 16))
    }

    /// Finishes or undoes a swap whose journal is there, under the document's lock.
    ///
    /// What was there before is thrown away only if it is still what the swap was to replace.
    private func finishInterrupted(_ layout: PublishLayout) throws(DocumentStoreError) {
        do throws(FileSystemError) {
            guard try fileSystem.entry(at: layout.journal) != nil else { return }
            guard let journal = try readJournal(layout) else {
                throw FileSystemError(.failed, path: layout.journal, reason: "it is no journal; remove it")
            }
            let aside = layout.aside(journal.slot)
            let hasAside = try fileSystem.entry(at: aside) != nil
            let previous = hasAside ? aside : layout.staged(journal.slot)
            let path = "\(root)/\(journal.document.fileName)"
            let package = try interrupted { () throws(DocumentStoreError) in try find(journal.document) }
            if let package, try fileSystem.entry(at: previous) != nil {
                let here = try readState(of: package)
                let there = try readState(of: self.package(journal.document, at: previous))
                let isOwnWork = there != journal.base && there != journal.next
                if isOwnWork && here == journal.next {
                    if hasAside {
                        try fileSystem.move(package.path, to: layout.staged(journal.slot))
                        try fileSystem.move(aside, to: package.path)
                    } else {
                        try fileSystem.exchange(previous, with: package.path)
                    }
                } else if isOwnWork || (hasAside && here != journal.base && here != journal.next) {
                    try keepRecovered(previous, of: journal.document)
                }
            } else if hasAside {
                try fileSystem.move(aside, to: path)
            }
            try fileSystem.synchronize(root)
            try forgetJournal(of: layout)
        } catch {
            throw DocumentStoreError(error, about: layout.key)
        }
    }

    /// Returns the state of a package, or nil when it has none that can be told.
    private func readState(of package: PackageFolder) throws(FileSystemError) -> PublishJournal.State? {
        try interrupted { () throws(DocumentStoreError) in
            do throws(DocumentStoreError) {
                return PublishJournal.State(try package.read().revision)
            } catch let error where error.code == .revisionUnknown {
                return nil
            }
        }
    }

    private func interrupted<Result>(
        _ body: () throws(DocumentStoreError) -> Result
    ) throws(FileSystemError) -> Result {
        do throws(DocumentStoreError) {
            return try body()
        } catch {
            throw FileSystemError(code: .failed, path: error.subject, message: error.message)
        }
    }

    /// Keeps what nobody else has as a document of its own.
    private func keepRecovered(_ path: String, of name: DocumentName) throws(FileSystemError) {
        var number = 1
        while true {
            let suffix = " (conflict copy, recovered)" + (number > 1 ? " \(number)" : "")
            var title = name.title
            while (title + suffix).utf8.count + DocumentName.fileExtension.utf8.count > DocumentName.maximumBytes {
                title.removeLast()
            }
            do throws(FileSystemError) {
                return try fileSystem.move(path, to: "\(root)/\(title)\(suffix)\(DocumentName.fileExtension)")
            } catch let error where error.code == .exists {
                number += 1
            }
        }
    }
}
