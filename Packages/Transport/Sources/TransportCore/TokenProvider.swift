import Synchronization

/// What a token is asked for.
public struct TokenRequest: Hashable, Sendable {
    /// The room to join; `nil` lets the server choose one.
    public var room: String?
    /// The identity to join under; `nil` lets the server choose one.
    public var identity: String?
    /// The name to show.
    public var name: String?
    /// The agent to call into the room.
    public var agent: String?

    /// Creates a request.
    public init(room: String? = nil, identity: String? = nil, name: String? = nil, agent: String? = nil) {
        self.room = room
        self.identity = identity
        self.name = name
        self.agent = agent
    }
}

/// A token and what came with it.
///
/// Printing it never shows the token.
public struct RoomToken: Hashable, Sendable {
    /// The proof to hand to ``Transport/connect(to:token:options:)``.
    public var token: String
    /// The room it is for.
    public var room: String
    /// The room server's address, where the answer has one.
    public var url: String?
    /// The identity it is for.
    public var identity: String
    /// The name to show; empty when there is none.
    public var displayName: String

    /// Creates a token's value.
    public init(token: String, room: String, url: String? = nil, identity: String, displayName: String = "") {
        self.token = token
        self.room = room
        self.url = url
        self.identity = identity
        self.displayName = displayName
    }
}

extension RoomToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The room and the identity, without the token.
    public var description: String {
        "RoomToken(room: \(room), identity: \(identity))"
    }

    /// The room and the identity, without the token.
    public var debugDescription: String { description }

    /// The room and the identity, without the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["room": room, "identity": identity])
    }
}

/// Where tokens come from.
///
/// Conformers ask anew at each call: a token that was handed out once is not handed out again after it has expired.
public protocol TokenProvider: Sendable {
    /// Asks for a token.
    ///
    /// - Throws: `unauthorized` or `refused` when the server says no, `timedOut`, `unreachable`, `nameNotFound`,
    ///   `pinMismatch`, `protocolViolation` when the answer cannot be read, or `cancelled`.
    func token(for request: TokenRequest) async throws(TransportError) -> RoomToken
}

/// Hands out prepared answers, one after the other, and remembers what was asked.
///
/// The last answer is repeated.
public final class CannedTokenProvider: TokenProvider {
    private struct State {
        var answers: [Result<RoomToken, TransportError>]
        var requests: [TokenRequest] = []
    }

    private let state: Mutex<State>

    /// Creates a provider with the answers to give.
    ///
    /// - Parameter answers: In order; with none, every request is `refused` with status 404.
    public init(_ answers: [Result<RoomToken, TransportError>]) {
        state = Mutex(State(answers: answers))
    }

    /// What has been asked so far, in order.
    public var requests: [TokenRequest] {
        state.withLock { $0.requests }
    }

    /// Answers with the next prepared token or error.
    ///
    /// - Throws: The prepared error.
    public func token(for request: TokenRequest) async throws(TransportError) -> RoomToken {
        let answer = state.withLock { state -> Result<RoomToken, TransportError>? in
            state.requests.append(request)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first
        }
        guard let answer else { throw TransportError(.refused(status: 404)) }
        return try answer.get()
    }
}
