import HopeServer
import Testing
import TransportCore
import TransportHTTP

@Suite(.timeLimit(.minutes(1))) struct DevelopmentServerTests {
    @Test func saysThatItIsWell() async throws {
        try await withDevelopmentServer { server in
            let answer = try await ask("GET", server.url + "/healthz")
            #expect(answer.status == 200)
            #expect(answer.text == "{\"ok\":true}")
            #expect(answer.headers["Content-Type"] == "application/json")
        }
    }

    @Test func listensOnThisMachineOnlyUnlessTold() async throws {
        try await withDevelopmentServer { server in
            #expect(server.url == "http://127.0.0.1:\(server.port)")
            #expect(server.pins == nil)
        }
    }

    @Test(arguments: ["/", "/nothing", "/healthz/", "/token/x"])
    func unknownPathsAreSaidToBe(_ path: String) async throws {
        try await withDevelopmentServer { server in
            let answer = try await ask("GET", server.url + path)
            #expect(answer.status == 404)
            #expect(
                answer.text == """
                    {"error":{"code":"not_found","message":"There is nothing at \(path) on this server."}}
                    """
            )
        }
    }

    @Test(arguments: [("POST", "/healthz", "GET, HEAD"), ("GET", "/token", "POST"), ("POST", "/rtc", "GET")])
    func otherMethodsAreRefusedWithTheRightOnes(_ method: String, _ path: String, _ allowed: String) async throws {
        try await withDevelopmentServer { server in
            let answer = try await ask(method, server.url + path, body: method == "POST" ? "{}" : nil)
            #expect(answer.status == 405)
            #expect(answer.headers["Allow"] == allowed)
            #expect(answer.text.hasPrefix("{\"error\":{\"code\":\"method_not_allowed\",\"message\":\""))
        }
    }

    @Test func aProgramAddsPathsOfItsOwn() async throws {
        var configuration = DevelopmentServerConfiguration.forTests
        configuration.handleOther = { request in
            request.path == "/api/media/state" ? .text("here", status: 200) : nil
        }
        try await withDevelopmentServer(configuration) { server in
            #expect(try await ask("GET", server.url + "/api/media/state").text == "here")
            #expect(try await ask("GET", server.url + "/api/media/other").status == 404)
            let form = try await ask(
                "POST",
                server.url + "/api/media/state",
                headers: ["Content-Type": "text/plain"],
                body: "{}"
            )
            #expect(form.status == 415)
        }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func changesNeedJSON(_ method: String) async throws {
        try await withDevelopmentServer { server in
            for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
                let answer = try await ask(method, server.url + "/token", headers: ["Content-Type": type], body: "{}")
                #expect(answer.status == 415, "\(type)")
            }
        }
    }

    @Test func pagesOfOtherOriginsAreRefused() async throws {
        try await withDevelopmentServer { server in
            for origin in ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example"] {
                let answer = try await ask("POST", server.url + "/token", headers: ["Origin": origin], body: "{}")
                #expect(answer.status == 403, "\(origin)")
            }
            let own = try await ask("POST", server.url + "/token", headers: ["Origin": server.url], body: "{}")
            #expect(own.status == 200)
        }
    }

    @Test func namesThatSomebodyPointedHereAreRefused() async throws {
        try await withDevelopmentServer { server in
            let answer = try await ask("GET", server.url + "/healthz", headers: ["Host": "evil.example"])
            #expect(answer.status == 421)
        }
    }

    @Test func endsWhenItIsShutDown() async throws {
        let server = try DevelopmentServer(.forTests)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            server.shutDown()
            await group.waitForAll()
        }
        await #expect(throws: TransportError.self) { try await ask("GET", server.url + "/healthz") }
    }

    @Test func finishesWhatItHasBegunWhenItIsCancelled() async throws {
        var configuration = DevelopmentServerConfiguration.forTests
        let (began, beginning) = AsyncStream.makeStream(of: Void.self)
        let (release, releasing) = AsyncStream.makeStream(of: Void.self)
        configuration.handleOther = { _ in
            beginning.yield()
            for await _ in release { break }
            return .text("finished")
        }
        let server = try DevelopmentServer(configuration)
        try await withThrowingTaskGroup(of: String.self) { group in
            let serving = Task { await server.run() }
            group.addTask { try await ask("GET", server.url + "/slow").text }
            for await _ in began { break }
            serving.cancel()
            releasing.yield()
            let answer = try await group.next()
            #expect(answer == "finished")
            await serving.value
        }
    }

    @Test func aServerThatOthersReachNeedsAKey() async throws {
        var configuration = DevelopmentServerConfiguration.forTests
        configuration.host = "0.0.0.0"
        #expect(throws: TransportError.self) { try DevelopmentServer(configuration) }
        configuration.serverKey = "short"
        #expect(throws: TransportError.self) { try DevelopmentServer(configuration) }
    }
}
