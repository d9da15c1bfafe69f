import TransportCore

/// The protocol between a room server and its clients, version 1: what somebody who writes either side has to know.
///
/// **Opening.** A client opens a WebSocket with its token as `Authorization: Bearer …` or `?access_token=…`. A token that is
/// not accepted is answered with 401 and no upgrade. The first message is the client's
/// `{"type":"hello","version":1,"client":"hope"}`; to take up a connection that was lost, it adds the `resume` that
/// welcomed it and the number of counted messages it has `received`. The server answers with `welcome`, or with `bye`.
///
/// **Messages.** Binary messages are data packets. Everything else is a JSON object in a text message, with its `type`;
/// who reads passes over members that it does not know, and a server passes over no type that it does not know.
///
/// **Requests.** A client numbers what it asks for from 1, without gaps, in `request`. The server answers each in order, by
/// `done` (with an `id` for an opened text) or by `refused` (with a `code`, a `message`, and what belongs to the code).
/// Lossy packets may go with the number 0 and get no answer, `level` and `received` have none.
///
/// **Resuming.** Both sides count what they get in the same connection: the server the requests, the client the messages
/// that are counted: all except `welcome`, `bye`, `speakers` and lossy packets. So no message needs a number of its own, and
/// one packet is the same bytes for all who receive it. The client tells from time to time how many it has `received`;
/// what lies behind that is kept for it, up to a bound, also while its socket is gone, for as long as `welcome` said
/// in `window` (seconds). A `welcome` with `"resumed":true` is followed by exactly what the client has not got; it
/// then repeats its requests behind the number that `welcome` has under `received`. With `false` the client has joined
/// anew, and both count from 0.
///
/// **From the client:**
///
///     {"type":"received","count":32}
///     {"type":"open","request":1,"topic":"lk.chat","attributes":{},"to":["bob"],"id":"…","speaker":"…"}
///     {"type":"chunk","request":2,"id":"text-1","text":"at most 15,000 bytes of UTF-8"}
///     {"type":"end","request":3,"id":"text-1","attributes":{}}
///     {"type":"fail","request":3,"id":"text-1","reason":"…"}
///     {"type":"attributes","request":4,"changed":{"name":"value","removed":""}}
///     {"type":"microphone","request":5,"enabled":true}
///     {"type":"level","level":0.25}
///
/// **From the server:**
///
///     {"type":"welcome","version":1,"room":"r","local":{"identity":"ada","kind":"standard",…},
///      "grants":{"publish":true,"data":true,"attributes":true},"resume":"…","window":30,"resumed":false,"received":0,
///      "present":[{"identity":"bob",…}]}
///     {"type":"joined","participant":{"identity":"bob","kind":"agent","name":"","metadata":"","attributes":{},
///      "joined_at":1756540000.5}}
///     {"type":"left","identity":"bob"}
///     {"type":"attributes","identity":"bob","changed":{"name":"value","removed":""}}
///     {"type":"open","id":"text-1","sender":"bob","topic":"lk.chat","timestamp":1756540001.0,"attributes":{}}
///     {"type":"chunk","id":"text-1","sender":"bob","text":"…"}
///     {"type":"end","id":"text-1","sender":"bob","attributes":{}}
///     {"type":"fail","id":"text-1","sender":"bob","reason":"…"}
///     {"type":"speakers","levels":{"bob":0.25}}
///     {"type":"done","request":1,"id":"text-1"}
///     {"type":"refused","request":2,"code":"unknownReceiver","identity":"bob","message":"…"}
///     {"type":"bye","reason":"duplicateIdentity"}
///
/// **Data packets**, numbers with their highest byte first:
///
///     client: 1 | flags | topic bytes (2) | receivers (2) | request (8) | topic | receivers | payload
///     server: 1 | flags | topic bytes (2) | sender bytes (2) | topic | sender | payload
///
/// Bit 0 of the flags says reliable, the others are 0. Each receiver is its length in 2 bytes and its identity; none
/// means everybody else. Texts are UTF-8.
///
/// **Ending.** Who leaves closes the WebSocket with 1000. After `bye` the client closes. A connection that ends in
/// any other way may be taken up again. Both sides ping every 15 s and give up after two that were not answered.
enum RoomProtocol {
    /// The version that both sides name.
    static let version = 1
    /// The largest topic, identity or id, in bytes.
    static let maximumNameBytes = 1024
    /// How many receivers a message can name.
    static let maximumReceivers = 1024
    /// The largest message of a client, which the largest packet or an escaped chunk fit into.
    static let maximumClientMessageBytes = 128 * 1024
    /// The largest message of a server: a welcome to a room with thousands of participants.
    static let maximumServerMessageBytes = 16 * 1024 * 1024
}

/// What makes a message no message of the protocol.
struct RoomProtocolError: Error, Hashable {
    /// A sentence for people, without anything of the message itself.
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A message as it goes into a WebSocket.
enum RoomFrame: Hashable, Sendable {
    case text([UInt8])
    case binary([UInt8])

    init(_ value: JSONValue) {
        self = .text(value.bytes)
    }

    var count: Int {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes.count
        }
    }
}
