import Foundation
import Testing
import TransportCore
import TransportHTTP

@Suite(
    .enabled(if: PeerProgram.hasPythonModule("websockets.asyncio.server"), "Python's websockets is not installed"),
    // One after the other: together they would take the time that other tests' limits count on.
    .serialized,
    .timeLimit(.minutes(1))
) struct PythonWebSocketPeerTests {
    private func python(_ program: String, _ arguments: [String] = []) throws -> PeerProgram {
        try PeerProgram("python3", ["-u", "-c", program] + arguments)
    }

    @Test("Our client and Python's server understand each other, fragments, pings and closing included")
    func ourClient() async throws {
        let server = try python(
            """
            from asyncio import get_running_loop, run
            from websockets.asyncio.server import serve

            async def answer(socket):
                await socket.send([b"frag", b"men", b"ted"])
                await (await socket.ping())
                async for message in socket:
                    await socket.send(message)
                print("closed", socket.close_code, socket.close_reason)

            async def main():
                async with serve(answer, "127.0.0.1", 0, subprotocols=["two"]) as server:
                    print("port", server.sockets[0].getsockname()[1])
                    await get_running_loop().create_future()

            run(main())
            """
        )
        defer { server.stop() }
        let port = await server.wait(for: "\n").split(separator: " ").last.map { $0.prefix { $0.isNumber } } ?? ""
        let client = try SocketHTTPClient()
        let socket = try await client.openWebSocket("ws://127.0.0.1:\(port)/", subprotocols: ["one", "two"])
        #expect(socket.subprotocol == "two")
        #expect(try await socket.receive() == .binary(Array("fragmented".utf8)))
        for count in [0, 125, 126, 65_536, 300_000] {
            let bytes = pattern(count)
            try await socket.send(bytes)
            #expect(try await socket.receive() == .binary(bytes))
        }
        try await socket.send("Grüße")
        #expect(try await socket.receive() == .text("Grüße"))
        await socket.close(.goingAway, reason: "enough")
        #expect(await server.wait(for: "enough").contains("closed 1001 enough"))
    }

    @Test("Python's client and our server understand each other, fragments, pings and closing included")
    func ourServer() async throws {
        try await withServer { request in
            .webSocket(subprotocols: ["two"]) { socket in
                while let message = try? await socket.receive() {
                    switch message {
                    case .text("bye"): await socket.close(.goingAway, reason: "enough")
                    case .text(let text): try? await socket.send(text)
                    case .binary(let bytes): try? await socket.send(bytes)
                    }
                }
            }
        } _: { server in
            let client = try python(
                """
                from asyncio import run
                from sys import argv
                from websockets.asyncio.client import connect

                async def main():
                    async with connect(argv[1], subprotocols=["one", "two"], max_size=None) as socket:
                        assert socket.subprotocol == "two"
                        for size in [0, 125, 126, 65536, 300000]:
                            message = bytes(i * 7 % 256 for i in range(size))
                            await socket.send(message)
                            assert await socket.recv() == message
                        await socket.send(["Gr", "ü", "ße"])
                        assert await socket.recv() == "Grüße"
                        await (await socket.ping())
                        await socket.send("bye")
                        await socket.wait_closed()
                        print("closed", socket.close_code, socket.close_reason)

                run(main())
                """,
                ["ws://127.0.0.1:\(server.port)/"]
            )
            #expect(await client.end() == "closed 1001 enough\n")
        }
    }
}
