import Foundation
import MapDocs
import Testing
import TransportCore

struct DocumentFingerprintTests {
    private let digest = SoftwareContentDigest()
    private let project =
        #"{ "revision": {"number": 4}, "name": "Harbour", "format": "gispad", "version": 1.0 }"# + "\n"

    private func files(project: String) throws -> [PublishedFile] {
        let contents = [
            ("project.json", project), ("extra/\u{E9}.txt", ""), ("data.gpkg", "GPKGGPKGGPKG"),
            ("extra/e\u{301}.txt", "x"), ("Z.txt", "z"),
        ]
        return try contents.map { try PublishedFile(path: $0.0, contents: Array($0.1.utf8), digest: digest) }
    }

    @Test("Is the SHA-256 of a line for each file in byte order, as Python's hashlib and json make it")
    func reference() throws {
        let fingerprint = try DocumentFingerprint(of: files(project: project), digest: digest)
        #expect(fingerprint.sha256 == "1f4eccd02b5886c098dfb71048a7dbf9d973cc8d0ce25bd0edac94ba0663def4")
    }

    @Test("Neither the order of the files, nor white space, nor the revision in project.json changes it")
    func invariant() throws {
        let fingerprint = try DocumentFingerprint(of: files(project: project), digest: digest)
        #expect(try DocumentFingerprint(of: files(project: project).reversed(), digest: digest) == fingerprint)
        let other = #"{"version":1,"format":"gispad","name":"Harbour","revision":{"number":5,"x":[]}}"#
        #expect(try DocumentFingerprint(of: files(project: other), digest: digest) == fingerprint)
    }

    @Test("Every other change of project.json changes it, in keys that nobody knows too")
    func sensitive() throws {
        let fingerprint = try DocumentFingerprint(of: files(project: project), digest: digest)
        let other = project.replacing("}\n", with: ", \"unknown\": 1}")
        #expect(try DocumentFingerprint(of: files(project: other), digest: digest) != fingerprint)
    }

    @Test("A path that occurs twice is refused, and a project.json that is not JSON by name")
    func refuses() throws {
        let file = try PublishedFile(path: "a", contents: [], digest: digest)
        let twice = #expect(throws: DocumentStoreError.self) {
            try DocumentFingerprint(of: [file, file], digest: digest)
        }
        #expect(twice?.code == .invalidPath)
        let broken = #expect(throws: DocumentStoreError.self) {
            try PublishedFile(path: "project.json", contents: Array("{".utf8), digest: digest)
        }
        #expect(broken?.code == .damaged)
        #expect(
            broken?.message
                == "“project.json” is damaged: The JSON text cannot be read at line 1, column 2 (byte 1): a name in quotes is missing."
        )
    }

    @Test(
        "A path that leads out of the package or nowhere is refused",
        arguments: ["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\0b"]
    )
    func paths(path: String) {
        let error = #expect(throws: DocumentStoreError.self) {
            try PublishedFile(path: path, contents: [], digest: digest)
        }
        #expect(error?.code == .invalidPath)
    }

    @Test("A size below zero or a digest of another form is refused", arguments: [(-1, "0"), (0, "g"), (0, "00")])
    func entries(size: Int, digit: String) {
        let digits = digit.count == 1 ? String(repeating: digit, count: 64) : digit
        let error = #expect(throws: DocumentStoreError.self) {
            try PublishedFile(path: "a", size: size, sha256: digits)
        }
        #expect(error?.code == .damaged)
    }

    @Test("Only 64 hexadecimal digits are a fingerprint, in either case")
    func digits() {
        #expect(DocumentFingerprint(sha256: String(repeating: "AB", count: 32))?.sha256.first == "a")
        #expect(DocumentFingerprint(sha256: String(repeating: "a", count: 63)) == nil)
        #expect(DocumentFingerprint(sha256: String(repeating: "x", count: 64)) == nil)
        #expect(DocumentFingerprint(sha256: String(repeating: "０", count: 64)) == nil)
    }

    @Test("A revision is read and written as it stands in project.json")
    func revisionJSON() throws {
        let digits = String(repeating: "5c", count: 32)
        let text = #"{"fingerprint":"\#(digits)","number":7,"published_at":1795961025.5,"published_by":"iPad"}"#
        let revision = try JSONDecoder().decode(DocumentRevision.self, from: Data(text.utf8))
        #expect(revision.number == 7)
        #expect(revision.publishedAt == 1_795_961_025.5)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(revision), as: UTF8.self) == text)
        let short = #"{"fingerprint":"\#(digits)","number":0,"other":true}"#
        #expect(try JSONDecoder().decode(DocumentRevision.self, from: Data(short.utf8)).publishedBy == nil)
        let wrong = #"{"fingerprint":"abc","number":0}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(DocumentRevision.self, from: Data(wrong.utf8))
        }
    }

    @Test("Number and content make a state, dates and names don't")
    func sameState() throws {
        let first = try #require(DocumentFingerprint(sha256: String(repeating: "1", count: 64)))
        let second = try #require(DocumentFingerprint(sha256: String(repeating: "2", count: 64)))
        let revision = DocumentRevision(number: 5, fingerprint: first, publishedAt: 10, publishedBy: "a")
        #expect(revision.isSameState(as: DocumentRevision(number: 5, fingerprint: first, publishedAt: 99)))
        #expect(!revision.isSameState(as: DocumentRevision(number: 6, fingerprint: first, publishedAt: 10)))
        #expect(!revision.isSameState(as: DocumentRevision(number: 5, fingerprint: second, publishedAt: 10)))
    }
}
