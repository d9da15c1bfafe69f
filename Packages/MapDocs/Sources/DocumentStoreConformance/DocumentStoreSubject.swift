public import MapDocs
public import TransportCore

/// An empty store with what a test can do to the place below it.
///
/// What a backend cannot bring about stays nil; the laws that need it then do not apply.
public struct DocumentStoreSubject: Sendable {
    /// The store.
    public var store: any DocumentStore
    /// What computes SHA-256 for the packages of the laws.
    public var digest: any ContentDigest
    /// Another store over the same place, as another process or device has it.
    public var otherStore: (any DocumentStore)?
    /// Makes the store unavailable for a reason, or available again with nil.
    public var setUnavailability: (@Sendable (DocumentUnavailability?) async throws -> Void)?
    /// Makes the store unable to tell the revision of a document.
    public var hideRevision: (@Sendable (DocumentName) async throws -> Void)?
    /// Replaces the bytes of a file behind the store's back by others of the same number, with the same dates.
    public var overwrite: (@Sendable (DocumentName, _ path: String, _ bytes: [UInt8]) async throws -> Void)?
    /// Damages a document so that the store has to notice it when it is fetched.
    public var damage: (@Sendable (DocumentName) async throws -> Void)?

    /// Makes a subject that can do nothing to its place.
    ///
    /// - Parameters:
    ///   - store: An empty store that nobody else uses.
    ///   - digest: What computes SHA-256.
    public init(_ store: any DocumentStore, digest: any ContentDigest = SoftwareContentDigest()) {
        self.store = store
        self.digest = digest
    }
}

/// Something that only some backends can bring about, and that some laws need.
public enum DocumentStoreAbility: Hashable, Sendable, CaseIterable {
    /// Has a second store over the same place.
    case sharesItsPlace
    /// Can become unavailable.
    case becomesUnavailable
    /// Can become unable to tell a revision.
    case hidesRevisions
    /// Can be changed behind its back.
    case changesBehindItsBack
    /// Can be damaged.
    case becomesDamaged
}

extension DocumentStoreSubject {
    /// What the subject can bring about.
    public var abilities: Set<DocumentStoreAbility> {
        var abilities: Set<DocumentStoreAbility> = []
        if otherStore != nil { abilities.insert(.sharesItsPlace) }
        if setUnavailability != nil { abilities.insert(.becomesUnavailable) }
        if hideRevision != nil { abilities.insert(.hidesRevisions) }
        if overwrite != nil { abilities.insert(.changesBehindItsBack) }
        if damage != nil { abilities.insert(.becomesDamaged) }
        return abilities
    }
}
