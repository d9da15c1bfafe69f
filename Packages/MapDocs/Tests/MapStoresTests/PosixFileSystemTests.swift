import DocumentStoreConformance
import Foundation
import MapDocs
import MapStores
import Testing

struct PosixFileSystemTests {
    private let files = PosixFileSystem()

    @Test("It keeps every promise", arguments: FileSystemLaw.allCases)
    func laws(_ law: FileSystemLaw) async throws {
        try await withTemporaryFolder { root in
            law.check(
                FileSystemSubject(files, root: root) {
                    try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $1)
                }
            )
        }
    }

    @Test("A name that is not text is listed, so that it is not lost by silence")
    func notText() async throws {
        try await withTemporaryFolder { root in
            let path = Array("\(root)/caf".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
            let file = fopen(path, "w")
            #expect(file != nil)
            if let file { fclose(file) }
            #expect(try files.entries(in: root).map(\.kind) == [.other])
            try files.remove(root)
        }
    }

    @Test("A pipe is no file, and opening it does not wait")
    func pipes() async throws {
        try await withTemporaryFolder { root in
            #expect(mkfifo("\(root)/pipe", 0o600) == 0)
            let kinds = try files.entries(in: root).map(\.kind)
            #expect(kinds == [.other])
            let error = #expect(throws: FileSystemError.self) { try files.openForReading("\(root)/pipe") }
            #expect(error?.code == .unsupported)
        }
    }

    @Test("A large file is copied to the last byte")
    func copies() async throws {
        try await withTemporaryFolder { root in
            let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            let file = try files.create("\(root)/a", isPrivate: false)
            try file.write(bytes)
            try file.close()
            try files.copyFile("\(root)/a", to: "\(root)/b")
            #expect(try files.bytes(of: "\(root)/b") == bytes)
        }
    }

    @Test(
        "Errors say what is to be done",
        arguments: [
            ("/proc/no-such-file", FileSystemError.Code.notFound), ("/proc/self/no", .notFound),
        ]
    )
    func errors(path: String, code: FileSystemError.Code) {
        let error = #expect(throws: FileSystemError.self) { try files.openForReading(path) }
        #expect(error?.code == code)
        #expect(error?.message.contains(path) == true)
    }
}
