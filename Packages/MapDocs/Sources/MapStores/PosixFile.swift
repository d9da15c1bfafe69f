import CMapLinux
import Glibc
import MapDocs
import Synchronization

/// An open file of this machine: read, written or locked.
final class PosixFile: Sendable {
    /// After so many bytes the system is told to begin writing them, so that the medium works while bytes are made.
    private static let writebackBytes = 8 << 20

    private struct State {
        /// Nil once it is closed.
        var descriptor: Int32?
        var written = 0
        var begun = 0
    }

    private let path: String
    private let state: Mutex<State>

    init(_ descriptor: Int32, path: String) {
        self.path = path
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { close() }

    private func withDescriptor<Result>(
        _ body: (Int32) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        try state.withLock { state throws(FileSystemError) in try body(try descriptor(state)) }
    }

    private func descriptor(_ state: State) throws(FileSystemError) -> Int32 {
        guard let descriptor = state.descriptor else {
            throw FileSystemError(.failed, path: path, reason: "the file is closed")
        }
        return descriptor
    }

    /// Takes the lock of the file unless another open one has it.
    func tryLock() throws(FileSystemError) -> Bool {
        try withDescriptor { file throws(FileSystemError) in
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
            if errno == EWOULDBLOCK || errno == EINTR { return false }
            throw PosixFileSystem.error(errno, path)
        }
    }
}

extension PosixFile: ReadableFile, WritableFile {
    func entry() throws(FileSystemError) -> FileEntry {
        try withDescriptor { file throws(FileSystemError) in
            var status = stat()
            try PosixFileSystem.call(path) { fstat(file, &status) }
            return PosixFileSystem.entry(status, name: "")
        }
    }

    func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        return try withDescriptor { file throws(FileSystemError) in
            try PosixFileSystem.read(file, count: count, path: path) { pread(file, $0, $1, off_t(offset)) }
        }
    }

    func write(_ bytes: [UInt8]) throws(FileSystemError) {
        try state.withLock { state throws(FileSystemError) in
            let file = try descriptor(state)
            try PosixFileSystem.write(bytes, to: file, path: path)
            state.written += bytes.count
            if state.written - state.begun >= Self.writebackBytes {
                // Only a hint: what counts is `synchronize`.
                _ = hope_begin_writeback(file, Int64(state.begun), Int64(state.written - state.begun))
                state.begun = state.written
            }
        }
    }

    func synchronize() throws(FileSystemError) {
        try withDescriptor { file throws(FileSystemError) in
            _ = try PosixFileSystem.call(path) { fsync(file) }
        }
    }

    func close() {
        let descriptor = state.withLock { state in
            defer { state.descriptor = nil }
            return state.descriptor
        }
        // What could still fail here was written before, and `synchronize` says so.
        if let descriptor { Glibc.close(descriptor) }
    }
}

extension PosixFile: FileLock {
    func unlock() { close() }
}
