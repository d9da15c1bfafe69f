extension DocumentStoreError {
    /// Makes the error for a file system that failed below a store, a destination or contents.
    ///
    /// - Parameters:
    ///   - error: What the file system said.
    ///   - subject: The document or file it is about.
    public init(_ error: FileSystemError, about subject: String) {
        self.init(code: .storage, subject: subject, message: error.message)
    }
}
