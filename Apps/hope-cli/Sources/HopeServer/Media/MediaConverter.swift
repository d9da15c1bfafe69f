internal import Glibc
internal import MediaSync
internal import Synchronization

/// Converts what Apple's players cannot open to AAC in MP4, on demand, and keeps what it has made.
final class MediaConverter: Sendable {
    /// How many conversions run at once: a long one must not keep a short one waiting.
    static let conversionsAtOnce = 2
    /// How long one may take: hours of speech on a slow machine.
    static let limit = Duration.seconds(4 * 3_600)

    private struct State {
        var order: [String] = []
        var pending: [String: PendingDownload] = [:]
        /// Why conversions failed, by version; those files are offered as they are.
        var failures: [String: String] = [:]
        var waiters: [String: [AsyncStream<Never>.Continuation]] = [:]
        var isStopped = false
    }

    private let folder: MediaFolder?
    private let tools: MediaTools
    private let target: String?
    private let clock: any Clock<Duration>
    private let jobs: AsyncStream<MediaEntry>
    private let jobArrivals: AsyncStream<MediaEntry>.Continuation
    private let state = Mutex(State())

    init(_ library: MediaLibrary, clock: any Clock<Duration>) {
        folder = library.folder
        tools = library.tools
        target = library.cacheFolder.map { "\($0)/converted" }
        self.clock = clock
        (jobs, jobArrivals) = AsyncStream.makeStream(of: MediaEntry.self)
    }

    /// What is being converted or waits for it, in the order in which it was asked for.
    var pending: [PendingDownload] {
        state.withLock { state in state.order.compactMap { state.pending[$0] } }
    }

    /// Whether a track is offered as its conversion.
    func converts(_ entry: MediaEntry) -> Bool {
        guard !entry.type.isForApple, tools.ffmpeg != nil, target != nil, case .file = entry.content else {
            return false
        }
        return state.withLock { $0.failures[entry.version] == nil }
    }

    /// Opens a conversion; nil when it has not been made.
    func open(_ entry: MediaEntry) -> MediaFile? {
        path(of: entry).flatMap { MediaFile(descriptor: Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) }
    }

    /// Whether a conversion has been made.
    func isDone(_ entry: MediaEntry) -> Bool {
        path(of: entry).map { access($0, R_OK) == 0 } ?? false
    }

    /// Begins a conversion, unless it has been made, runs already, or has failed before.
    func start(_ entry: MediaEntry) {
        guard converts(entry), !isDone(entry) else { return }
        let isNew = state.withLock { state in
            guard !state.isStopped, state.pending[entry.version] == nil else { return false }
            state.order.append(entry.version)
            state.pending[entry.version] = PendingDownload(
                id: entry.id,
                title: entry.title,
                status: "waiting",
                progress: entry.details?.duration.map { _ in 0 }
            )
            return true
        }
        if isNew { jobArrivals.yield(entry) }
    }

    /// Waits until a conversion that has been started is over, well or not.
    func wait(for entry: MediaEntry) async {
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        let isPending = state.withLock { state in
            guard state.pending[entry.version] != nil else { return false }
            state.waiters[entry.version, default: []].append(ending)
            return true
        }
        guard isPending else { return }
        for await _ in end {}
    }

    /// Why a conversion failed; nil when it has not.
    func failure(of entry: MediaEntry) -> String? { state.withLock { $0.failures[entry.version] } }

    /// Converts what is asked for until the task is cancelled, which ends what is being converted as well.
    func run() async {
        removeDrafts()
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await entry in jobs {
                if running >= Self.conversionsAtOnce {
                    await group.next()
                    running -= 1
                }
                running += 1
                group.addTask { await self.convert(entry) }
            }
            group.cancelAll()
        }
        let versions = state.withLock { state in
            state.isStopped = true
            return state.order
        }
        for version in versions { finish(version, nil) }
    }

    /// Removes the conversions of files that are not there any more, or not the same.
    func prune(keeping entries: [MediaEntry]) {
        guard let target, !entries.isEmpty else { return }
        let kept = Set(entries.map { "\($0.version).m4a" })
        for name in Self.names(in: target) where name.hasSuffix(".m4a") && !kept.contains(name) {
            unlink("\(target)/\(name)")
        }
    }

    private func path(of entry: MediaEntry) -> String? {
        target.map { "\($0)/\(entry.version).m4a" }
    }

    private func convert(_ entry: MediaEntry) async {
        finish(entry.version, await failure(ofConverting: entry))
    }

    /// Converts a file.
    ///
    /// - Returns: Why that did not work; nil when it did, or was cancelled.
    private func failure(ofConverting entry: MediaEntry) async -> String? {
        guard let ffmpeg = tools.ffmpeg, let target, let path = path(of: entry), case .file(let file) = entry.content
        else {
            return "it is not a file"
        }
        guard let input = folder?.open(file.path) else { return "it is not there any more" }
        guard AtomicFile.makeFolder(target) else { return "\(target) cannot be made: \(AtomicFile.reason())" }
        let draft = "\(path).\(getpid()).part"
        defer { unlink(draft) }
        var details = entry.details
        if details == nil {
            // It was asked for before its turn to be looked into had come.
            let prober = MediaProber(tools: tools, pictures: nil, clock: clock)
            details = await prober.details(of: input, takesPicture: false)?.details
        }
        let codec = details?.codec
        let progress = ConversionProgress(duration: details?.duration)
        advance(entry.version, to: progress.duration.map { _ in 0 })
        let ending = await ChildProgram.run(
            ffmpeg,
            [
                "-nostdin", "-v", "error", "-protocol_whitelist", "file", "-format_whitelist", MediaProber.formats,
                "-i", MediaProber.input, "-map", "0:a:0", "-map_metadata", "0",
                "-c:a", codec == "aac" || codec == "alac" ? "copy" : "aac", "-b:a", "192k",
                "-movflags", "+faststart", "-f", "ipod", "-progress", "pipe:1", "-y", "file:\(draft)",
            ],
            input: input,
            limit: Self.limit,
            clock: clock,
            onOutput: { bytes in
                if let part = progress.take(bytes) { self.advance(entry.version, to: part) }
            }
        )
        if Task.isCancelled { return nil }
        guard let ending else { return "\(ffmpeg) cannot be started" }
        guard ending.isWell else { return ending.lastWords.isEmpty ? "ffmpeg gave up" : ending.lastWords }
        // Whoever opens the conversion sees all of it or nothing.
        return rename(draft, path) == 0 ? nil : AtomicFile.reason()
    }

    private func advance(_ version: String, to progress: Double?) {
        state.withLock { state in
            state.pending[version]?.status = "converting"
            state.pending[version]?.progress = progress
        }
    }

    private func finish(_ version: String, _ failure: String?) {
        let waiters = state.withLock { state in
            state.order.removeAll { $0 == version }
            state.pending[version] = nil
            if let failure { state.failures[version] = failure }
            return state.waiters.removeValue(forKey: version) ?? []
        }
        for waiter in waiters { waiter.finish() }
    }

    /// Removes what a process that is no more has left half-made.
    private func removeDrafts() {
        guard let target else { return }
        for name in Self.names(in: target) where name.hasSuffix(".part") {
            let process = name.split(separator: ".").dropLast().last.flatMap { pid_t($0) }
            if let process, process > 0, process == getpid() || kill(process, 0) != 0 && errno == ESRCH {
                unlink("\(target)/\(name)")
            }
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let open = opendir(folder) else { return [] }
        defer { closedir(open) }
        var names: [String] = []
        while let entry = readdir(open) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(validatingCString: $0)
                }
            }
            if let name { names.append(name) }
        }
        return names
    }
}

/// Reads how far ffmpeg says it is.
private final class ConversionProgress: Sendable {
    let duration: Double?
    private let line = Mutex<[UInt8]>([])

    init(duration: Double?) {
        self.duration = duration
    }

    /// Takes in what ffmpeg wrote, in any pieces.
    ///
    /// - Returns: The part that is done in 0...1; nil when that is not known, or nothing new was said.
    func take(_ bytes: [UInt8]) -> Double? {
        var newest: Double?
        line.withLock { line in
            for byte in bytes {
                guard byte == UInt8(ascii: "\n") else {
                    if line.count < 200 { line.append(byte) }
                    continue
                }
                let parts = String(decoding: line, as: UTF8.self).split(separator: "=")
                if parts.count == 2, parts[0] == "out_time_us", let done = Double(parts[1]), let duration, done >= 0 {
                    newest = min(1, (done / 1_000_000 / duration * 1000).rounded() / 1000)
                }
                line = []
            }
        }
        return newest
    }
}
