internal import MediaSync
internal import TransportCore

/// The tracks that there are, as the folder has them now.
actor MediaCatalog {
    /// How many files are looked into at once.
    static let probesAtOnce = 2
    /// How long an answer waits for files to be looked into, so that a small library is told with its titles at once.
    static let patience = Duration.seconds(2)

    /// A file that was seen, whether it is media or not, so that it is opened once only.
    private struct Known {
        var record: MediaIndex.Record
        var entry: MediaEntry?
        /// Title and rest as they are searched, once somebody has searched.
        var folded: (title: String, other: String)?
    }

    private let library: MediaLibrary
    private let prober: MediaProber
    private let clock: any Clock<Duration>
    private let index: AtomicFile?
    private let probes: AsyncStream<MediaFolder.File>
    private let probeArrivals: AsyncStream<MediaFolder.File>.Continuation
    private var known: [Known] = []
    private var covers: [String: MediaFolder.File] = [:]
    private var places: [String: Int] = [:]
    private var displayOrder: [Int] = []
    private var streams: StreamList
    private var isRead = false
    private var isStopped = false
    private var isChanged = false
    private var outstanding = 0
    private var waiters: [AsyncStream<Never>.Continuation] = []
    private var scanNotices: [String] = []

    init(_ library: MediaLibrary, clock: any Clock<Duration>) {
        self.library = library
        self.clock = clock
        prober = MediaProber(
            tools: library.tools,
            pictures: library.cacheFolder.map { "\($0)/pictures" },
            clock: clock
        )
        index = library.cacheFolder.map { AtomicFile(path: "\($0)/index.json") }
        streams = StreamList(folder: library.dataFolder)
        (probes, probeArrivals) = AsyncStream.makeStream(of: MediaFolder.File.self)
    }

    // MARK: Reading

    /// What people should know about the library.
    var notices: [String] { library.notices + (streams.notice.map { [$0] } ?? []) + scanNotices }

    /// All entries in the order in which they are shown: by path, without regard to case.
    var entries: [MediaEntry] { displayOrder.compactMap { known[$0].entry } }

    var streamTracks: [MediaTrack] { streams.streams.map(\.track) }

    func entry(_ id: String) -> MediaEntry? { places[id].flatMap { known[$0].entry } }

    func stream(_ id: String) -> MediaTrack? { streams.streams.first { $0.id == id }?.track }

    /// Finds entries and streams, the best first.
    func search(_ query: String, limit: Int) -> [Found] {
        let query = MediaSearch.folded(query)
        guard !query.isEmpty else { return [] }
        var found: [(rank: Int, order: Int, what: Found)] = []
        for (order, place) in displayOrder.enumerated() {
            guard let entry = known[place].entry else { continue }
            let text =
                known[place].folded
                ?? (
                    MediaSearch.folded(entry.title),
                    MediaSearch.folded("\(entry.details?.artist ?? "") \(known[place].record.file.stem)")
                )
            known[place].folded = text
            if let rank = MediaSearch.rank(query, title: text.title, other: text.other) {
                found.append((rank, order, .entry(entry)))
            }
        }
        for (order, stream) in streamTracks.enumerated() {
            if let rank = MediaSearch.rank(query, title: MediaSearch.folded(stream.title), other: "") {
                found.append((rank, displayOrder.count + order, .stream(stream)))
            }
        }
        return found.sorted { ($0.rank, $0.order) < ($1.rank, $1.order) }.prefix(limit).map(\.what)
    }

    /// What a search finds.
    enum Found: Sendable {
        case entry(MediaEntry)
        case stream(MediaTrack)
    }

    /// Opens the picture of an entry; nil when there is none.
    func picture(of entry: MediaEntry) -> MediaFile? {
        if let name = entry.details?.picture, let folder = prober.pictures, let pictures = try? MediaFolder(folder),
            let file = pictures.open(name)
        {
            return file
        }
        guard let cover = entry.cover, let folder = library.folder else { return nil }
        return folder.open(cover.path)
    }

    /// Opens a file of the library; nil when it is not there any more.
    func open(_ file: MediaFolder.File) -> MediaFile? { library.folder?.open(file.path) }

    // MARK: Scanning

    /// Looks at the folder again; files of the same size and time are not opened.
    func refresh() {
        switch library.source {
        case .samples(let samples):
            if !isRead { take(samples) }
            isRead = true
        case .folder(let folder): scan(folder)
        }
    }

    private func take(_ samples: [MediaSample]) {
        known = samples.compactMap { sample in
            guard let suggestion = MediaFileType(name: sample.name) else { return nil }
            let type = MediaFileType(head: Array(sample.bytes.prefix(MediaFileType.headBytes)), suggestion: suggestion)
            let details = MediaDetails(title: sample.title, artist: sample.channel, duration: sample.duration)
            let file = MediaFolder.File(path: sample.name, size: sample.bytes.count, modified: 0)
            let entry = MediaEntry(
                id: Self.id(of: sample.name),
                content: .bytes(sample.bytes),
                type: type ?? suggestion,
                name: sample.title,
                details: details
            )
            return Known(record: .init(file: file, type: entry.type, details: details), entry: entry)
        }
        arrange()
    }

    private func scan(_ folder: MediaFolder) {
        guard let contents = folder.contents() else {
            // A disk that has gone for a moment takes nothing with it.
            scanNotices = ["\(folder.path) cannot be read at the moment; what it had is shown."]
            return
        }
        scanNotices = []
        if contents.unreadableNames > 0 {
            scanNotices.append("\(contents.unreadableNames) files have names that are not UTF-8, and are left out.")
        }
        if contents.isCut {
            scanNotices.append(
                "The library has more than \(MediaFolder.maximumFiles) files, or folders more than "
                    + "\(MediaFolder.maximumDepth) deep; the rest is left out."
            )
        }
        if isRead, contents.covers == covers, contents.files.count == known.count,
            zip(contents.files, known).allSatisfy({ Self.isSame($0, $1.record.file) })
        {
            return
        }
        var earlier = known
        if !isRead, let index {
            earlier = MediaIndex.read(index).map { record in
                var record = record
                // A picture that somebody has cleared away is taken out again.
                if let picture = record.details?.picture, !prober.hasPicture(picture) { record.details = nil }
                return Known(record: record)
            }
            earlier.sort { $0.record.file.path.utf8.lexicographicallyPrecedes($1.record.file.path.utf8) }
        }
        var place = 0
        var next: [Known] = []
        next.reserveCapacity(contents.files.count)
        for file in contents.files {
            while place < earlier.count,
                earlier[place].record.file.path.utf8.lexicographicallyPrecedes(file.path.utf8)
            {
                place += 1
            }
            if place < earlier.count, Self.isSame(earlier[place].record.file, file) {
                var same = earlier[place]
                complete(&same, contents.covers)
                next.append(same)
            } else {
                next.append(look(at: file, in: folder, contents.covers))
                isChanged = true
            }
        }
        if next.count != earlier.count { isChanged = true }
        isRead = true
        known = next
        covers = contents.covers
        arrange()
    }

    /// Compares byte by byte: two names that look the same may be two files'.
    private static func isSame(_ left: MediaFolder.File, _ right: MediaFolder.File) -> Bool {
        left.size == right.size && left.modified == right.modified && left.path.utf8.elementsEqual(right.path.utf8)
    }

    private func look(
        at file: MediaFolder.File,
        in folder: MediaFolder,
        _ covers: [String: MediaFolder.File]
    ) -> Known {
        var type: MediaFileType?
        if let suggestion = MediaFileType(name: file.name), let open = folder.open(file.path) {
            type = MediaFileType(head: open.head(MediaFileType.headBytes), suggestion: suggestion)
        }
        var known = Known(record: .init(file: file, type: type))
        complete(&known, covers)
        return known
    }

    /// Gives a known file its entry, and has it looked into where that has not been done.
    private func complete(_ known: inout Known, _ covers: [String: MediaFolder.File]) {
        guard let type = known.record.type else { return }
        let file = known.record.file
        let isNew = known.entry == nil
        known.entry = MediaEntry(
            id: known.entry?.id ?? Self.id(of: file.path),
            content: .file(file),
            type: type,
            name: MediaDetails.line(MediaFolder.File.name(of: file.stem)) ?? file.name,
            details: known.entry?.details ?? known.record.details,
            cover: covers[file.folder]
        )
        if isNew, known.record.details == nil, library.tools.ffprobe != nil {
            guard !isStopped else { return }
            outstanding += 1
            probeArrivals.yield(file)
        }
    }

    private func arrange() {
        places = [:]
        for (place, known) in known.enumerated() {
            if let entry = known.entry { places[entry.id] = place }
        }
        // A sort that keeps the order of equals: they are in the order of their bytes already.
        let keys = known.map { $0.record.file.path.lowercased() }
        displayOrder = known.indices.filter { known[$0].entry != nil }.sorted { left, right in
            keys[left] == keys[right] ? left < right : keys[left] < keys[right]
        }
    }

    private static func id(of path: String) -> String { String(MediaLibrary.identifier(path).prefix(20)) }

    // MARK: Looking into files

    /// Looks into files as they come, until the task is cancelled.
    func probe() async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await file in probes {
                if running >= Self.probesAtOnce {
                    await group.next()
                    running -= 1
                }
                running += 1
                group.addTask { await self.probe(file) }
            }
            group.cancelAll()
        }
        isStopped = true
        outstanding = 0
        for waiter in waiters { waiter.finish() }
        waiters = []
        save()
    }

    private nonisolated func probe(_ file: MediaFolder.File) async {
        var found: (details: MediaDetails, isCertain: Bool)? = (MediaDetails(), false)
        if let open = library.folder?.open(file.path) { found = await prober.details(of: open) }
        if let found { await take(found.details, of: file, isCertain: found.isCertain) }
    }

    private func take(_ details: MediaDetails, of file: MediaFolder.File, isCertain: Bool) {
        // A file that has changed meanwhile is looked into again.
        if let place = places[Self.id(of: file.path)], Self.isSame(known[place].record.file, file) {
            // A program that was too slow this time may find more at the next start.
            known[place].record.details = isCertain ? details : nil
            known[place].entry?.details = details
            known[place].folded = nil
            isChanged = true
        }
        outstanding -= 1
        guard outstanding <= 0 else { return }
        for waiter in waiters { waiter.finish() }
        waiters = []
        save()
    }

    /// Waits until every file has been looked into, but not for long.
    func settle() async {
        guard !isStopped, outstanding > 0 else { return }
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        waiters.append(ending)
        await withDiscardingTaskGroup { [clock] group in
            group.addTask {
                try? await clock.sleep(for: Self.patience)
                ending.finish()
            }
            for await _ in end {}
            group.cancelAll()
        }
    }

    private func save() {
        guard isChanged, let index, let folder = library.cacheFolder, AtomicFile.makeFolder(folder) else { return }
        // What is known is found out again where it cannot be kept.
        if index.write(MediaIndex.bytes(known.map(\.record))) == nil { isChanged = false }
    }

    // MARK: Changing

    /// Adds a stream.
    func addStream(name: String, url: String) throws(MediaRefusal) -> MediaTrack {
        try streams.add(name: name, url: url)
    }

    /// Removes a track: a stream from the list, a file into the folder's trash.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: 500 when it cannot be removed.
    func remove(_ id: String) throws(MediaRefusal) -> Bool {
        if try streams.remove(id) { return true }
        guard let entry = entry(id), let place = places[id] else { return false }
        switch entry.content {
        case .bytes:
            known.remove(at: place)
            arrange()
        case .file(let file):
            guard let folder = library.folder else { return false }
            guard folder.open(file.path) != nil else {
                refresh()
                return false
            }
            if let failure = folder.moveToTrash(file.path) {
                throw MediaRefusal(500, "“\(entry.title)” cannot be moved to \(MediaFolder.trash): \(failure)")
            }
            refresh()
        }
        return true
    }
}
