/// Why settings or the transcript's history could not be read or written.
public struct PresenceStorageError: Error, Hashable, Sendable {
    /// What was tried.
    public enum Action: String, Hashable, Sendable {
        /// Reading what is stored.
        case read
        /// Writing something new.
        case write
        /// Putting an unreadable file aside.
        case setAside
    }

    /// What was tried.
    public let action: Action
    /// The file or other place, as a person would recognise it.
    public let place: String
    /// What went wrong, as the system says it.
    public let reason: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - action: What was tried.
    ///   - place: The file or other place.
    ///   - reason: What went wrong.
    public init(_ action: Action, place: String, reason: String) {
        self.action = action
        self.place = place
        self.reason = reason
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PresenceStorageError: CustomStringConvertible {
    public var description: String {
        switch action {
        case .read: "Could not read \(place): \(reason). Check that it is a file that you may read."
        case .write: "Could not write \(place): \(reason). Check the folder's permissions and the free space."
        case .setAside: "Could not move the unreadable \(place) aside: \(reason). Move it yourself, or delete it."
        }
    }
}
