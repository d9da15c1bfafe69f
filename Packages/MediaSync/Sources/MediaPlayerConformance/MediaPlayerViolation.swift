/// A promise that was not kept, as a sentence.
struct MediaPlayerViolation: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// Throws a violation unless `condition` holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw MediaPlayerViolation(message()) }
}
