import Synchronization

/// A file system on which a chosen step fails, or after which nothing happens any more, as after a kill.
///
/// Every call is a step, those of open files too; steps count from 1, in the order in which they begin. A write that
/// goes wrong has written a half, and a folder that could not be removed has lost its first entry: that is what the
/// seam allows.
public final class FaultyFileSystem: Sendable {
    /// What goes wrong.
    public enum Fault: Hashable, Sendable {
        /// A step fails, the others work.
        case failing(step: Int, FileSystemError.Code)
        /// A step and all after it do not happen, and locks are free, as when the process is killed.
        case stopping(step: Int)
        /// The medium is full once so many bytes were written or copied.
        case full(afterBytes: Int)
        /// The file system cannot exchange two paths.
        case noExchange
    }

    private struct State {
        var steps: [FileSystemStep] = []
        var isStopped = false
        var room: Int?
        var locks: [Int: any FileLock] = [:]
        var lastLock = 0
    }

    private enum Verdict {
        case works
        case fails(FileSystemError)
    }

    private let base: any FileSystem
    private let faults: [Fault]
    private let willBegin: @Sendable (FileSystemStep) -> Void
    private let state: Mutex<State>

    /// Makes a file system over one that works.
    ///
    /// - Parameters:
    ///   - base: The file system that works.
    ///   - faults: What goes wrong; none only counts the steps.
    ///   - willBegin: Called before each step that is going to happen; may use `base`, as another program would.
    public init(
        _ base: any FileSystem,
        faults: [Fault] = [],
        willBegin: @escaping @Sendable (FileSystemStep) -> Void = { _ in }
    ) {
        self.base = base
        self.faults = faults
        self.willBegin = willBegin
        var room: Int?
        for case .full(let bytes) in faults { room = min(room ?? bytes, bytes) }
        state = Mutex(State(room: room))
    }

    /// The steps so far, those that failed included, up to the one that stopped everything.
    public var steps: [FileSystemStep] { state.withLock { $0.steps } }

    private func begin(_ operation: FileSystemStep.Operation, _ path: String) -> Verdict {
        let (step, verdict, freed) = state.withLock { state -> (FileSystemStep?, Verdict, [any FileLock]) in
            let stopped = Verdict.fails(FileSystemError(.failed, path: path, reason: "the program has stopped"))
            if state.isStopped { return (nil, stopped, []) }
            let step = FileSystemStep(number: state.steps.count + 1, operation: operation, path: path)
            state.steps.append(step)
            for fault in faults {
                switch fault {
                case .failing(step.number, let code):
                    return (nil, .fails(FileSystemError(code, path: path, reason: "a fault on purpose")), [])
                case .stopping(step.number):
                    state.isStopped = true
                    defer { state.locks = [:] }
                    return (nil, stopped, Array(state.locks.values))
                case .noExchange where operation == .exchange:
                    return (nil, .fails(FileSystemError(.unsupported, path: path)), [])
                default: break
                }
            }
            return (step, .works, [])
        }
        for lock in freed { lock.unlock() }
        if let step { willBegin(step) }
        return verdict
    }

    private func check(_ operation: FileSystemStep.Operation, _ path: String) throws(FileSystemError) {
        if case .fails(let error) = begin(operation, path) { throw error }
    }

    /// Takes room for bytes and returns how many fit.
    private func take(_ count: Int) -> Int {
        state.withLock { state in
            guard let room = state.room else { return count }
            let fitting = min(room, count)
            state.room = room - fitting
            return fitting
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FaultyFileSystem: FileSystem {
    public func entry(at path: String) throws(FileSystemError) -> FileEntry? {
        try check(.entry, path)
        return try base.entry(at: path)
    }

    public func entries(in path: String) throws(FileSystemError) -> [FileEntry] {
        try check(.entries, path)
        return try base.entries(in: path)
    }

    public func openForReading(_ path: String) throws(FileSystemError) -> any ReadableFile {
        try check(.openForReading, path)
        return FaultyReadableFile(system: self, base: try base.openForReading(path), path: path)
    }

    public func create(_ path: String, isPrivate: Bool) throws(FileSystemError) -> any WritableFile {
        try check(.create, path)
        return FaultyWritableFile(system: self, base: try base.create(path, isPrivate: isPrivate), path: path)
    }

    public func openForAppending(_ path: String) throws(FileSystemError) -> any WritableFile {
        try check(.openForAppending, path)
        return FaultyWritableFile(system: self, base: try base.openForAppending(path), path: path)
    }

    public func copyFile(_ source: String, to destination: String) throws(FileSystemError) {
        try check(.copyFile, destination)
        let size = try base.entry(at: source)?.size ?? 0
        guard take(size) == size else { throw FileSystemError(.full, path: destination) }
        try base.copyFile(source, to: destination)
    }

    public func createDirectory(_ path: String, isPrivate: Bool) throws(FileSystemError) {
        try check(.createDirectory, path)
        try base.createDirectory(path, isPrivate: isPrivate)
    }

    public func move(_ source: String, to destination: String) throws(FileSystemError) {
        try check(.move, destination)
        try base.move(source, to: destination)
    }

    public func replaceFile(_ destination: String, with source: String) throws(FileSystemError) {
        try check(.replaceFile, destination)
        try base.replaceFile(destination, with: source)
    }

    public func exchange(_ first: String, with second: String) throws(FileSystemError) {
        try check(.exchange, first)
        try base.exchange(first, with: second)
    }

    public func remove(_ path: String) throws(FileSystemError) {
        let wasStopped = state.withLock { $0.isStopped }
        if case .fails(let error) = begin(.remove, path) {
            if !wasStopped { removeFirstEntry(of: path) }
            throw error
        }
        try base.remove(path)
    }

    public func synchronize(_ path: String) throws(FileSystemError) {
        try check(.synchronize, path)
        try base.synchronize(path)
    }

    public func lock(_ path: String) throws(FileSystemError) -> (any FileLock)? {
        try check(.lock, path)
        guard let lock = try base.lock(path) else { return nil }
        let number = state.withLock { state in
            state.lastLock += 1
            state.locks[state.lastLock] = lock
            return state.lastLock
        }
        return FaultyLock(system: self, number: number)
    }

    private func removeFirstEntry(of path: String) {
        guard (try? base.entry(at: path))??.kind == .directory else { return }
        guard let first = (try? base.entries(in: path))?.first else { return }
        try? base.remove("\(path)/\(first.name)")
    }
}

extension FaultyFileSystem {
    private struct FaultyReadableFile: ReadableFile {
        let system: FaultyFileSystem
        let base: any ReadableFile
        let path: String

        func entry() throws(FileSystemError) -> FileEntry {
            try system.check(.entry, path)
            return try base.entry()
        }

        func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
            try system.check(.read, path)
            return try base.read(from: offset, count: count)
        }

        func close() { base.close() }
    }

    private struct FaultyWritableFile: WritableFile {
        let system: FaultyFileSystem
        let base: any WritableFile
        let path: String

        func write(_ bytes: [UInt8]) throws(FileSystemError) {
            let wasStopped = system.state.withLock { $0.isStopped }
            if case .fails(let error) = system.begin(.write, path) {
                if !wasStopped { try base.write(Array(bytes.prefix(bytes.count / 2))) }
                throw error
            }
            let fitting = system.take(bytes.count)
            try base.write(Array(bytes.prefix(fitting)))
            guard fitting == bytes.count else { throw FileSystemError(.full, path: path) }
        }

        func synchronize() throws(FileSystemError) {
            try system.check(.synchronize, path)
            try base.synchronize()
        }

        func close() throws(FileSystemError) {
            // A file is closed even when closing it says that writing has failed.
            defer { try? base.close() }
            try system.check(.close, path)
        }
    }

    private struct FaultyLock: FileLock {
        let system: FaultyFileSystem
        let number: Int

        func unlock() {
            system.state.withLock { $0.locks.removeValue(forKey: number) }?.unlock()
        }
    }
}

/// One call of a file system.
public struct FileSystemStep: Hashable, Sendable {
    /// Which call.
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        /// Looking at a path or an open file.
        case entry
        /// Listing a folder.
        case entries
        /// Opening a file to read.
        case openForReading
        /// Reading bytes.
        case read
        /// Making a file.
        case create
        /// Opening a file to write behind its end.
        case openForAppending
        /// Writing bytes.
        case write
        /// Closing a written file.
        case close
        /// Copying a file.
        case copyFile
        /// Making a folder.
        case createDirectory
        /// Moving.
        case move
        /// Replacing a file.
        case replaceFile
        /// Swapping two paths.
        case exchange
        /// Removing.
        case remove
        /// Making a file, a folder or what was written safe.
        case synchronize
        /// Taking a lock.
        case lock
    }

    /// Its place in the order of calls, from 1.
    public let number: Int
    /// Which call.
    public let operation: Operation
    /// The path it changes or looks at.
    public let path: String

    /// Whether the call changes what others see or what outlives a crash.
    public var isChange: Bool {
        switch operation {
        case .entry, .entries, .openForReading, .read, .close: false
        default: true
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FileSystemStep: CustomStringConvertible {
    public var description: String { "\(number) \(operation.rawValue) \(path)" }
}
