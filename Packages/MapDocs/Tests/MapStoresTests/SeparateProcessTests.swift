import Foundation
import MapDocs
import MapStores
import Testing

/// Publishers in processes of their own, on the real file system.
struct SeparateProcessTests {
    private static let publisher = Bundle.main.executableURL?.deletingLastPathComponent()
        .appendingPathComponent("MapStoresTestPublisher")

    private func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
        let process = Process()
        let publisher: URL = try #require(Self.publisher)
        process.executableURL = publisher
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    private func lines(_ child: (process: Process, output: Pipe)) throws -> [Int] {
        let bytes = try child.output.fileHandleForReading.readToEnd() ?? Data()
        child.process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    }

    private func harbour() throws -> DocumentName { try DocumentName(title: "Harbour") }

    private func store(_ folder: String) -> FolderDocumentStore {
        FolderDocumentStore(folder, digest: TestPackage.digest)
    }

    @Test("A publisher killed at any step leaves the old package or the new one", arguments: [false, true])
    func killed(withoutExchange: Bool) async throws {
        try await withTemporaryFolder { folder in
            let harbour = try harbour()
            let old = try TestPackage(data: "old").staged(1)
            let options = withoutExchange ? ["no-exchange"] : []
            var step = 1
            var (olds, news) = (0, 0)
            while true {
                let root = "\(folder)/\(step)"
                try PosixFileSystem().createDirectory(root)
                _ = try await store(root).publish(old, as: harbour, replacing: .nothing)
                let child = try start(["kill", root, "\(step)"] + options)
                let finished = try lines(child)
                let opened = store(root)
                #expect(try await opened.list().map(\.name) == [harbour], "step \(step)")
                let revision = try await opened.currentRevision(of: harbour)
                let isOld = revision == old.revision
                #expect(isOld || revision.number == 2, "step \(step)")
                let destination = InMemoryDocumentDestination()
                _ = try await opened.fetch(harbour, into: destination) { _ in }
                let data = destination.package?["tiles/1/a.pbf"].map { String(decoding: $0, as: UTF8.self) }
                #expect(data == (isOld ? "old" : "new"), "step \(step)")
                let left = try PosixFileSystem().entries(in: root).map(\.name)
                #expect(left == ["Harbour.gispad"], "step \(step)")
                if !finished.isEmpty {
                    #expect(!isOld && child.process.terminationStatus == 0)
                    break
                }
                #expect(child.process.terminationReason == .uncaughtSignal, "step \(step)")
                if isOld { olds += 1 } else { news += 1 }
                step += 1
            }
            print("killed at \(step - 1) steps: \(olds) times the old package was left, \(news) times the new one")
            #expect(olds > 10 && news > 3)
        }
    }

    @Test("Of two processes that publish at the same time one wins each of 200 rounds")
    func race() async throws {
        try await withTemporaryFolder { folder in
            let harbour = try harbour()
            let first = try TestPackage(data: "first").staged(1)
            _ = try await store(folder).publish(first, as: harbour, replacing: .nothing)
            let children = try ["left", "right"].map { try start(["race", folder, "201", $0]) }
            let wins = try children.map { try lines($0) }
            #expect(children.map(\.process.terminationStatus) == [0, 0])
            #expect(wins.flatMap { $0 }.sorted() == Array(2...201))
            print("wins of two racing processes: \(wins.map(\.count))")
            #expect(try await store(folder).currentRevision(of: harbour).number == 201)
            #expect(try await store(folder).list().map(\.name) == [harbour])
            let left = try PosixFileSystem().entries(in: folder).map(\.name)
            #expect(left == ["Harbour.gispad"])
        }
    }
}
