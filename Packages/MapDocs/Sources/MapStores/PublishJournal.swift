import MapDocs
import TransportCore

/// What a swap was about, for whoever finds it interrupted.
struct PublishJournal: Equatable {
    /// The state of a document: number and content.
    struct State: Equatable {
        let number: Int
        let sha256: String

        init(number: Int, sha256: String) {
            self.number = number
            self.sha256 = sha256
        }

        init(_ revision: DocumentRevision) {
            self.init(number: revision.number, sha256: revision.fingerprint.sha256)
        }
    }

    let document: DocumentName
    let slot: Int
    let base: State
    let next: State

    init(document: DocumentName, slot: Int, base: State, next: State) {
        self.document = document
        self.slot = slot
        self.base = base
        self.next = next
    }

    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes),
            let document = value["document"]?.stringValue.flatMap({ try? DocumentName(fileName: $0) }),
            let slot = value["slot"]?.intValue,
            let base = Self.state(value["base"]),
            let next = Self.state(value["next"])
        else { return nil }
        self.init(document: document, slot: slot, base: base, next: next)
    }

    private static func state(_ value: JSONValue?) -> State? {
        guard let number = value?["number"]?.intValue, let sha256 = value?["sha256"]?.stringValue else { return nil }
        return State(number: number, sha256: sha256)
    }

    var bytes: [UInt8] {
        func object(_ state: State) -> JSONValue {
            .object(["number": .integer(state.number), "sha256": .string(state.sha256)])
        }
        let value = JSONValue.object([
            "document": .string(document.fileName), "slot": .integer(slot), "base": object(base), "next": object(next),
        ])
        return value.bytes + [UInt8(ascii: "\n")]
    }
}
