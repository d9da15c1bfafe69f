import Synchronization

/// Settings that are kept as long as the program runs, stored as a file would store them.
public final class InMemorySettingsStorage: Sendable {
    private struct State {
        var contents: [UInt8]?
        var setAside: [[UInt8]] = []
    }

    private let state: Mutex<State>

    /// Makes a storage.
    ///
    /// - Parameter contents: What is stored from the start, readable or not; nil for nothing.
    public init(contents: [UInt8]? = nil) {
        state = Mutex(State(contents: contents))
    }

    /// The stored bytes, nil when nothing is stored.
    public var contents: [UInt8]? { state.withLock { $0.contents } }

    /// Replaces what is stored, as another program or a damaged disk would.
    ///
    /// - Parameter contents: The new contents, readable or not.
    public func plant(_ contents: [UInt8]) {
        state.withLock { $0.contents = contents }
    }

    /// Contents that could not be read, oldest first.
    public var setAside: [[UInt8]] { state.withLock { $0.setAside } }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemorySettingsStorage: SettingsStorage {
    public func load() throws(PresenceStorageError) -> LoadedSettings {
        try state.withLock { state throws(PresenceStorageError) in
            try LoadedSettings(contents: state.contents, place: "memory") { () throws(PresenceStorageError) in
                if let contents = state.contents { state.setAside.append(contents) }
                state.contents = nil
                return "memory (set aside \(state.setAside.count))"
            }
        }
    }

    public func save(_ settings: Settings) {
        state.withLock { $0.contents = settings.json }
    }
}
