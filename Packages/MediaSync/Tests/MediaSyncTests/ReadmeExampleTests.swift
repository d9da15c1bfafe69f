import Foundation
import MediaSync
import Testing

struct ReadmeExampleTests {
    @Test("The example of the README runs")
    func example() throws {
        let url = try #require(URL(string: "https://hope.example:8765"))
        let json = #"{"track":{"id":"1","title":"Clair de lune","audio_url":"a.m4a"},"desired":"playing"}"#
        let (status, body) = (200, Array(json.utf8))
        var commands: [PlayerCommand] = []

        // What the server wants, and what this side has to do about it.
        let server = MediaServer(base: url)
        let state = try server.state(status: status, body: body)
        var local = LocalPlayback(formats: .avPlayer)
        let snapshot = ServerSnapshot(state: state, generation: local.generation)
        for command in reconcile(local: local, server: snapshot, now: .zero) {
            local.apply(command, now: .zero)
            commands.append(command)  // or: try await player.perform(command)
        }
        print(state.track?.title ?? "Nothing loaded", MediaTime.text(local.item?.position.seconds(at: .zero)))

        #expect(commands.count == 1)
    }

    @Test("Every line of the README's example stands in this file")
    func readmeIsCompiled() throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(readme.components(separatedBy: "<!-- example -->").dropFirst().first)
        let source = try String(contentsOf: here, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("```") }
        #expect(lines.count >= 10)
        for line in lines { #expect(source.contains(line), "\(line)") }
    }
}
