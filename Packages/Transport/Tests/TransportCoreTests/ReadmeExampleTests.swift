import Foundation
import Testing
import TransportCore

@Suite struct ReadmeExampleTests {
    @Test("The example of the README does what it says", .timeLimit(.minutes(1)))
    func example() async throws {
        let clock = ManualClock()
        let hub = InMemoryHub(clock: clock)
        let agent = try await hub.join(.init(room: "demo", identity: "agent-1", kind: .agent))
        let transport = try hub.makeTransport()
        let token = try await hub.token(for: TokenRequest(room: "demo", identity: "me"))
        try await transport.connect(to: "memory:", token: token.token)
        try await agent.publish(Array("hello".utf8), topic: "greeting")
        for await event in transport.events {
            if case .data(let packet) = event, packet.text == "hello" { await transport.disconnect() }
        }
        #expect(hub.participants(in: "demo").map(\.identity) == ["agent-1"])
    }

    @Test("Each line of the README's example stands in this test")
    func exampleIsTheSame() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let parts = readme.components(separatedBy: "<!-- example -->")
        try #require(parts.count == 3)
        let lines = parts[1].split(separator: "\n").filter { !$0.hasPrefix("```") }
        #expect(lines.count >= 10)
        let known = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        for line in lines { #expect(known.contains(line.trimmingCharacters(in: .whitespaces))) }
    }
}
