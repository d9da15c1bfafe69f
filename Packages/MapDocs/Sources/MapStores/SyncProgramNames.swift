import Foundation
import MapDocs

/// How sync programs name what they put into a synced folder.
enum SyncProgramNames {
    /// Returns the document that a placeholder stands for which is not downloaded yet: `.Name.gispad.icloud`.
    static func document(ofPlaceholder fileName: String) -> DocumentName? {
        guard fileName.hasPrefix("."), fileName.hasSuffix(".icloud") else { return nil }
        return try? DocumentName(fileName: String(fileName.dropFirst().dropLast(".icloud".count)))
    }

    /// The name of the placeholder that stands for a document.
    static func placeholder(of name: DocumentName) -> String { ".\(name.fileName).icloud" }

    /// Whether a name is that of a copy made at a conflict: by this app, Dropbox and Nextcloud, or Syncthing.
    static func isConflictCopy(_ name: DocumentName) -> Bool {
        let title = name.title.lowercased()
        return ["(conflict copy", "conflicted copy", ".sync-conflict-"].contains { title.contains($0) }
    }
}
