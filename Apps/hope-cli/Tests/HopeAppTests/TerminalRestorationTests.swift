import Foundation
import Glibc
import LedWallRendering
import Testing
import TransportCore

/// Whatever ends a live wall, the terminal gets back its cursor, colours, modes and screen, as the last bytes.
@Suite struct TerminalRestorationTests {
    private let restore = TerminalWallRenderer.restoreSequence

    private func end(with signal: Int32, afterBytes count: Int) throws -> (status: Int32, tail: [UInt8]) {
        let terminal = try PseudoTerminal(["wall", "--fps", "60"])
        terminal.read(until: count)
        kill(terminal.process, signal)
        let status = terminal.readToEnd()
        return (status, terminal.seen.suffix(restore.count))
    }

    @Test func interruptedAtFiftyMoments() throws {
        var random = SeededRandom(seed: 2026)
        for round in 0..<50 {
            let moment = Int.random(in: 1...40_000, using: &random)
            let (status, tail) = try end(with: SIGINT, afterBytes: moment)
            #expect(status == 130, "round \(round), byte \(moment)")
            #expect(tail == restore, "round \(round), byte \(moment)")
        }
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
    func endedFromOutside(signal: Int32, expected: Int32) throws {
        let (status, tail) = try end(with: signal, afterBytes: 20_000)
        #expect(status == expected)
        #expect(tail == restore)
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP])
    func crashed(signal: Int32) throws {
        let (status, tail) = try end(with: signal, afterBytes: 20_000)
        #expect(status == 256 + signal, "a crash stays a crash")
        #expect(tail == restore)
    }

    @Test func interruptedInTheMiddleOfAConversation() throws {
        let terminal = try PseudoTerminal(["demo"])
        terminal.read(until: 20_000)
        kill(terminal.process, SIGINT)
        #expect(terminal.readToEnd() == 130)
        // The story so far comes after the terminal has been given back.
        let parts = terminal.seen.split(separator: restore)
        #expect(parts.count == 2)
        #expect(parts.last.map { String(decoding: $0, as: UTF8.self) }?.contains("Connecting…") == true)
        #expect(parts.last?.contains(0x1B) == false)
    }

    @Test func aReplayIsDrawnAtItsOwnPace() throws {
        let recording = ReplayCommandTests.recordings.appendingPathComponent("talk.jsonl").path
        let terminal = try PseudoTerminal(["replay", recording, "--speed", "100"])
        #expect(terminal.readToEnd() == 0)
        let frames = terminal.seen.split(separator: Array("\u{1B}[?2026h".utf8), omittingEmptySubsequences: false).count
        #expect(frames > 3, "31 seconds at a hundredfold are several frames")
        #expect(String(decoding: terminal.seen, as: UTF8.self).contains("Hung up"))
    }

    @Test func cameToItsEnd() throws {
        let terminal = try PseudoTerminal(["wall", "--for", "200ms"])
        #expect(terminal.readToEnd() == 0)
        #expect(terminal.seen.suffix(restore.count) == restore[...])
        #expect(terminal.seen.count > 5_000, "something was drawn")
    }

    @Test(arguments: [(0, 0), (1, 1), (20, 5), (65_535, 1)] as [(UInt16, UInt16)])
    func terminalsOfEverySize(columns: UInt16, rows: UInt16) throws {
        let terminal = try PseudoTerminal(["wall", "--for", "200ms"], columns: columns, rows: rows)
        #expect(terminal.readToEnd() == 0)
    }

    @Test func comesBackAfterBeingStopped() throws {
        let terminal = try PseudoTerminal(["wall", "--fps", "60"])
        terminal.read(until: 20_000)
        kill(terminal.process, SIGTSTP)
        #expect(terminal.readUntilStopped(), "it stopped")
        kill(terminal.process, SIGCONT)
        terminal.read(until: terminal.seen.count + 20_000)
        kill(terminal.process, SIGINT)
        #expect(terminal.readToEnd() == 130)
        let enteredScreens = terminal.seen.split(
            separator: Array("\u{1B}[?1049h".utf8),
            omittingEmptySubsequences: false
        )
        #expect(enteredScreens.count == 3, "entered once before and once after the stop")
        let leftScreens = terminal.seen.split(separator: Array("\u{1B}[?1049l".utf8), omittingEmptySubsequences: false)
        #expect(leftScreens.count == 3, "left once for the stop and once at the end")
        #expect(terminal.seen.suffix(restore.count) == restore[...])
    }
}
