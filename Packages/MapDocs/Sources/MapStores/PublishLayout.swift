import Foundation
import MapDocs
import TransportCore

/// Where a folder store keeps what it needs while it publishes a document: hidden, beside the document.
///
/// The names come from a digest, so that they are never too long, and of the name in lower case, so that on a file
/// system that does not tell cases apart one document has one lock.
///
///     .gispad-KEY.lock         held from reading the store's revision until the swap is done
///     .gispad-KEY.journal      there while the swap is: which document, from what, to what
///     .gispad-KEY.N.lock       held while somebody stages in slot N
///     .gispad-KEY.N.staged     what is staged; after the swap what was there before
///     .gispad-KEY.N.aside      what was there before, where two folders cannot be exchanged in one step
struct PublishLayout {
    private static let prefix = ".gispad-"
    private static let keyDigits = 32

    private let base: String
    /// The key in all names of one document.
    let key: String

    init(root: String, name: DocumentName, digest: any ContentDigest) {
        let folded = name.fileName.lowercased().decomposedStringWithCanonicalMapping
        self.init(root: root, key: String(digest.sha256Hex(Array(folded.utf8)).prefix(Self.keyDigits)))
    }

    private init(root: String, key: String) {
        self.key = key
        base = "\(root)/\(Self.prefix)\(key)"
    }

    var lock: String { "\(base).lock" }
    var journal: String { "\(base).journal" }
    var journalDraft: String { "\(base).journal.new" }

    func slotLock(_ slot: Int) -> String { "\(base).\(slot).lock" }
    func staged(_ slot: Int) -> String { "\(base).\(slot).staged" }
    func aside(_ slot: Int) -> String { "\(base).\(slot).aside" }

    /// What somebody has left behind who was stopped, as the entries of a store's folder show it.
    struct Leftovers {
        let layout: PublishLayout
        var hasJournal = false
        var hasLock = false
        var slots: Set<Int> = []
    }

    /// Sorts the entries of a store's folder that are no documents by the document they belong to.
    static func leftovers(among entries: [FileEntry], root: String) -> [Leftovers] {
        var found: [String: Leftovers] = [:]
        for entry in entries where entry.name.hasPrefix(prefix) {
            let parts = entry.name.dropFirst(prefix.count).split(separator: ".")
            guard let key = parts.first.map(String.init), key.count == keyDigits, parts.count > 1 else { continue }
            var leftovers = found[key] ?? Leftovers(layout: PublishLayout(root: root, key: key))
            if let slot = Int(parts[1]) {
                leftovers.slots.insert(slot)
            } else if parts[1] == "journal" {
                // A draft alone says nothing yet, and goes with the lock.
                leftovers.hasJournal = leftovers.hasJournal || parts.count == 2
                leftovers.hasLock = true
            } else {
                leftovers.hasLock = true
            }
            found[key] = leftovers
        }
        return found.keys.sorted().compactMap { found[$0] }
    }
}
