/// Where a working copy came from and is published back to.
public struct DocumentSource: Hashable, Sendable {
    /// What identifies the store on this device, such as `folder:/maps`; without credentials.
    public let store: String
    /// The document in that store.
    public let name: DocumentName
    /// Whether the document was opened from elsewhere by its path; its store is then the folder that it lies in.
    public let isLocal: Bool

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - store: What identifies the store on this device.
    ///   - name: The document.
    ///   - isLocal: Whether it was opened by its path.
    public init(store: String, name: DocumentName, isLocal: Bool = false) {
        self.store = store
        self.name = name
        self.isLocal = isLocal
    }
}
