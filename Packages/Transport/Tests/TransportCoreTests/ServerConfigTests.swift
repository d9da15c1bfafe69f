import Testing
import TransportCore

@Suite struct ServerConfigTests {
    @Test(
        "What people type becomes one normal form",
        arguments: [
            ("https://hope.example.com", "https://hope.example.com"),
            ("hope.example.com", "https://hope.example.com"),
            ("  HTTPS://Hope.Example.COM/ ", "https://hope.example.com"),
            ("hope.example.com:8443", "https://hope.example.com:8443"),
            ("https://hope.example.com:443", "https://hope.example.com"),
            ("http://hope.example.com:80/", "http://hope.example.com"),
            ("http://hope.example.com:443", "http://hope.example.com:443"),
            ("wss://hope.example.com", "https://hope.example.com"),
            ("ws://10.0.0.7:8080", "http://10.0.0.7:8080"),
            ("localhost:8080", "http://localhost:8080"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("192.168.1.20", "https://192.168.1.20"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("::1", "http://[::1]"),
            ("https://[2001:DB8:0:0:0:0:0:1]:8443/", "https://[2001:db8::1]:8443"),
            ("2001:db8::ff00:42:8329", "https://[2001:db8::ff00:42:8329]"),
            ("https://[::ffff:1.2.3.4]", "https://[::ffff:102:304]"),
            ("https://[1:0:0:2:0:0:0:3]", "https://[1:0:0:2::3]"),
            ("https://hope.example.com.", "https://hope.example.com"),
            ("https://example.com/hope/", "https://example.com/hope"),
            ("my_server", "https://my_server"),
        ]
    )
    func normalForm(_ typed: String, _ expected: String) throws {
        let config = try ServerConfig(typed)
        #expect(config.baseURL == expected)
        #expect(try ServerConfig(config.baseURL) == config)
    }

    @Test(
        "What cannot be an address is refused, with the reason",
        arguments: [
            ("", "empty"), ("   ", "empty"), ("ftp://example.com", "ftp"), ("https://", "missing"),
            ("https://exa mple.com", "space"), ("https://example.com:0", "port"),
            ("https://example.com:65536", "port"), ("https://example.com:", "port"),
            ("https://example.com:８０", "port"), ("https://example.com:+80", "port"),
            ("https://user:secret@example.com", "password"), ("https://example.com?x=1", "?"),
            ("https://example.com/#a", "#"), ("https://[::1", "bracket"), ("https://[::g]", "IPv6"),
            ("https://[::1]8080", "[address]:port"), ("https://[1::2::3]", "IPv6"), ("https://[1:2:3]", "IPv6"),
            ("https://[1:2:3:4:5:6:7:8:9]", "IPv6"), ("https://256.1.1.1", "IPv4"), ("https://1.2.3", "IPv4"),
            ("https://01.2.3.4", "IPv4"), ("https://-a.com", "name"), ("https://a..b", "name"),
            ("https://bücher.example", "xn--"), ("https://example.com/../etc", "path"),
            ("https:\\\\example.com", "backslash"),
            (String(repeating: "a", count: 64) + ".com", "name"),
            (Array(repeating: "abcdefgh", count: 40).joined(separator: "."), "253"),
        ]
    )
    func refused(_ typed: String, _ hint: String) {
        let error = #expect(throws: ServerConfigError.self) { try ServerConfig(typed) }
        #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("secret") != true)
    }

    @Test("The endpoints stand on the same server")
    func endpoints() throws {
        let config = try ServerConfig("https://hope.example.com:8443")
        #expect(config.tokenURL == "https://hope.example.com:8443/token")
        #expect(config.healthURL == "https://hope.example.com:8443/healthz")
        #expect(config.mediaBaseURL == "https://hope.example.com:8443")
        #expect(config.roomURL() == "wss://hope.example.com:8443/rtc")
        #expect(config.roomURL(tokenAnswer: "") == "wss://hope.example.com:8443/rtc")
        #expect(config.roomURL(tokenAnswer: "wss://media.example.com") == "wss://media.example.com")
        #expect(try ServerConfig("localhost:80").roomURL() == "ws://localhost/rtc")
    }

    @Test(
        "A room server of its own is configured, and decides",
        arguments: [
            ("livekit://Media.example.com:7880", "livekit://media.example.com:7880"),
            ("https://media.example.com/", "wss://media.example.com"), ("ws://10.0.0.1:80", "ws://10.0.0.1"),
            ("media.example.com:7880", "wss://media.example.com:7880"),
            ("mqtts://broker:8883", "mqtts://broker:8883"),
        ]
    )
    func roomURL(_ typed: String, _ expected: String) throws {
        let config = try ServerConfig("hope.example.com", roomURL: typed)
        #expect(config.roomURL(tokenAnswer: "wss://other") == expected)
        #expect(throws: ServerConfigError.self) { try ServerConfig("hope.example.com", roomURL: "gopher://x") }
    }
}
