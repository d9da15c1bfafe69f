internal import Synchronization

/// A recording on its way to a file, which is written whole at the end.
final class RecordingFile: Sendable {
    private let file: OutputFile
    private let text = Mutex("")

    /// Looks whether the file can be written, before there is anything to lose.
    init(path: String) throws(CommandError) {
        file = OutputFile(path: path)
        try file.checkPlace()
    }

    func append(_ line: String) {
        text.withLock { $0 += line }
    }

    func save() throws(CommandError) {
        try file.write(text.withLock { Array($0.utf8) })
    }
}
