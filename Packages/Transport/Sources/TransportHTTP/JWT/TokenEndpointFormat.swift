/// The two ways in which token endpoints are spoken to.
public enum TokenEndpointFormat: Hashable, Sendable, CaseIterable {
    /// `{room, identity, name, agent}` is answered by `{token, room, url, user}`.
    case hope
    /// LiveKit's standard endpoint: `{room_name, participant_identity, …}` is answered by `{server_url, participant_token}`.
    case liveKit
}
