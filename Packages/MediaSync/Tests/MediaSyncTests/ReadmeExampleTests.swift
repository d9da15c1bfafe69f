import Foundation
import MediaSync
import Testing
import TransportCore

struct ReadmeExampleTests {
    @Test("The example of the README runs")
    func example() async throws {
        let clock = ManualClock()
        let client = CannedHTTPClient()
        let url = try #require(URL(string: "https://hope.example:8765"))
        let json = #"{"track":{"id":"1","title":"Clair de lune","audio_url":"a.m4a"},"desired":"playing"}"#
        let state = HTTPResponse(status: 200, body: Array(json.utf8))
        client.answer("GET", "https://hope.example:8765/media/api/state?room=default", with: .success(state))
        let taken = HTTPResponse(status: 200)
        client.answer("POST", "https://hope.example:8765/media/api/report", with: .success(taken))

        let lines = try await clock.run(until: .seconds(60)) {
            // A room's music on a virtual player: swap in another MediaPlayer and another HTTPClient.
            let stopwatch = Stopwatch(clock: clock)
            let player = VirtualMediaPlayer(stopwatch: stopwatch) { _ in VirtualTrack(duration: 60) }
            let api = MediaAPI(base: url, client: client)
            let controller = MediaController(api: api, player: player, stopwatch: stopwatch, startedAt: 0)
            let events = controller.events()
            async let running: Void = controller.run()
            await controller.follow(room: "default")
            for await event in events {
                print(event.json.text)
                if case .report(let report) = event.kind, report.isPlaying { break }
            }
            print(MediaPanel(await controller.snapshot, now: stopwatch.elapsed).lines.joined(separator: "\n"))
            let lines = MediaPanel(await controller.snapshot, now: stopwatch.elapsed).lines
            await controller.close()
            await running
            return lines
        }
        #expect(lines.contains("Clair de lune"))
        #expect(lines.contains("Playing  0:00 / 1:00  Volume 100 %"))
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
