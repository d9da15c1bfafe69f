/// Why a document store cannot be used now.
public enum DocumentUnavailability: Hashable, Sendable {
    /// Nobody is signed in to the store's account.
    case signedOut
    /// The store is switched off in the settings of the device.
    case off
    /// The network or the place where the store lies cannot be reached.
    case offline
    /// Another reason, in words that follow a colon.
    case other(String)

    /// The reason in a few words, without a capital or a full stop.
    public var words: String {
        switch self {
        case .signedOut: "signed out"
        case .off: "switched off"
        case .offline: "offline"
        case .other(let words): words
        }
    }
}
