internal import Dispatch

/// The lines that are typed into the process.
enum StandardInput {
    /// The lines of standard input as they come, without their line breaks.
    ///
    /// Reading cannot be interrupted: a line that is waited for when nobody listens any more is lost with the process.
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue(label: "hope.input").async {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
