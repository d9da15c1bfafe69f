import TransportCore

/// One answer of a server: a body and which bytes of the file it holds.
struct UpstreamLeg: Sendable {
    let body: any HTTPBodyStream
    /// The first byte that comes.
    let first: Int
    /// The last byte that was announced; one before ``first`` when there is none.
    let last: Int
    /// Whether reading to the end of the body waits for nothing once all bytes are there.
    let endsByLength: Bool
}

/// What came of asking for bytes.
enum UpstreamAnswer: Sendable {
    case leg(UpstreamLeg, Representation)
    /// There are no such bytes; with the length, where the server told it.
    case unsatisfiable(total: Int?)
}
