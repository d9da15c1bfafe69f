internal import Foundation
public import MediaSync
internal import Synchronization

/// The tracks that a player has been given, by id and by address.
public final class KnownTracks: Sendable {
    private struct State {
        var byID: [String: MediaTrack] = [:]
        var byURL: [URL: MediaTrack] = [:]
    }

    /// What a file is taken for whose length nobody knows, in seconds.
    private static let usualDuration = 180.0

    private let state = Mutex(State())

    /// Knows no track.
    public init() {}

    /// The track of an id, nil for one that no player has been given.
    public subscript(id: String) -> MediaTrack? {
        state.withLock { $0.byID[id] }
    }

    func note(_ track: MediaTrack, at url: URL) {
        state.withLock { state in
            state.byID[track.id] = track
            state.byURL[url] = track
        }
    }

    /// What a virtual player finds behind an address.
    func script(of url: URL) -> VirtualTrack {
        guard let track = state.withLock({ $0.byURL[url] }) else { return VirtualTrack(duration: Self.usualDuration) }
        return VirtualTrack(duration: track.kind == .stream ? nil : track.duration ?? Self.usualDuration)
    }
}
