/// The name of a map package in a store: one file name ending in `.gispad`.
public struct DocumentName: Hashable, Sendable {
    /// The ending of every package.
    public static let fileExtension = ".gispad"
    /// The longest file name in bytes, which is what common file systems can keep.
    public static let maximumBytes = 255

    /// The name as people see it, without the ending.
    public let title: String

    /// Makes a name from what people see.
    ///
    /// - Parameter title: The name without the ending.
    /// - Throws: `DocumentStoreError` with the code `invalidName` when it is empty, begins with a dot, has a slash or a
    ///   control character, or is longer than `maximumBytes` with its ending.
    public init(title: String) throws(DocumentStoreError) {
        let isSafe =
            !title.isEmpty && !title.hasPrefix(".")
            && title.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
        guard isSafe, title.utf8.count + Self.fileExtension.utf8.count <= Self.maximumBytes else {
            throw .invalidName(title)
        }
        self.title = title
    }

    /// Makes a name from a file name.
    ///
    /// - Parameter fileName: The name with its ending, in any case.
    /// - Throws: `DocumentStoreError` with the code `invalidName` when the ending is another one or the rest no title.
    public init(fileName: String) throws(DocumentStoreError) {
        guard fileName.lowercased().hasSuffix(Self.fileExtension) else { throw .invalidName(fileName) }
        try self.init(title: String(fileName.dropLast(Self.fileExtension.count)))
    }

    init(safeTitle: String) {
        title = safeTitle
    }

    /// The name of the package's folder.
    public var fileName: String { title + Self.fileExtension }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DocumentName: CustomStringConvertible {
    public var description: String { fileName }
}
