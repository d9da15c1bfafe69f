import Testing
import TransportHTTP

struct HTTPTargetTests {
    @Test(arguments: [
        ("/", [""] as [String]?), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("/a%20b/%C3%A4", ["a b", "ä"]),
        ("/a//b", ["a", "", "b"]),
        ("/..", nil), ("/a/../b", nil), ("/%2e%2E/b", nil), ("/.", nil), ("/a/%2e", nil), ("/a%2fb", nil),
        ("/a%5Cb", nil),
        ("/a\\b", nil), ("/%00", nil), ("/%0a", nil), ("/%ff", nil), ("/...", ["..."]), ("/a+b", ["a+b"]),
        ("/a?../b", ["a"]),
        ("http://x/a/b?c", ["a", "b"]), ("http://x", [""]), ("http://x?q", [""]),
    ])
    func noPathLeadsOutOfItsFolder(_ text: String, _ segments: [String]?) throws {
        #expect(try HTTPTarget(text, method: "GET").segments == segments)
    }

    @Test(arguments: [
        ("/?a=1&b=2", "b", "2" as String?), ("/?a=1&a=2", "a", "1"), ("/?a", "a", ""), ("/?a=b=c", "a", "b=c"),
        ("/?n%61me=J%C3%B6+K", "name", "Jö K"), ("/?a=1", "b", nil), ("/", "a", nil), ("/?a=%ff", "a", nil),
        ("/?", "a", nil),
    ])
    func readsTheQuery(_ text: String, _ name: String, _ value: String?) throws {
        #expect(try HTTPTarget(text, method: "GET").queryValue(name) == value)
    }

    @Test(arguments: [
        "http://", "http:///a", "http://a@b/", "ftp://a/", "//", "/a\"b", "/<", "/>", "", "a/b", "http://[::1/",
    ])
    func refusesOtherForms(_ text: String) {
        if text == "//" { return }
        #expect(throws: HTTPMessageError.self) { try HTTPTarget(text, method: "GET") }
    }

    @Test func keepsPathAndQueryAsSent() throws {
        let target = try HTTPTarget("HTTPS://Host:8443/a%20b?c?d", method: "GET")
        #expect(target.path == "/a%20b")
        #expect(target.query == "c?d")
        #expect(target.authority == HTTPAuthority("host:8443"))
    }
}

struct HTTPAuthorityTests {
    @Test(arguments: [
        ("Example.COM", "example.com", nil as Int?), ("a:80", "a", 80), ("127.0.0.1:1", "127.0.0.1", 1),
        ("[::1]:8080", "::1", 8080),
        ("[FE80::1]", "fe80::1", nil), ("a:", "a", nil), ("a_b-c.d", "a_b-c.d", nil),
        ("[::ffff:1.2.3.4]", "::ffff:1.2.3.4", nil),
    ])
    func reads(_ text: String, _ host: String, _ port: Int?) {
        let authority = HTTPAuthority(text)
        #expect(authority?.host == host)
        #expect(authority?.port == port)
    }

    @Test(arguments: [
        "", ":80", "a:b", "a:0", "a:65536", "a:123456", "a:+1", "a b", "a/b", "u@a", "[::1", "[::1]x", "::1", "[]",
        "[g::1]", "[1.2.3.4]",
        "a,b", "ä", "a%20", "a\0", "a:1:2",
    ])
    func refuses(_ text: String) {
        #expect(HTTPAuthority(text) == nil)
    }

    @Test(arguments: [
        ("localhost:1", true), ("LOCALHOST", true), ("127.0.0.1", true), ("127.9.9.9", true), ("[::1]:5", true),
        ("localhost.evil.com", false),
        ("127.0.0.1.evil.com", false), ("evil.com", false), ("127.1", false), ("10.0.0.1", false),
    ])
    func knowsTheMachineItself(_ text: String, _ expected: Bool) {
        #expect(HTTPAuthority(text)?.isLoopback == expected)
    }

    @Test(arguments: ["a", "a:80", "[::1]:80"])
    func writesItselfAsRead(_ text: String) {
        #expect(HTTPAuthority(text)?.description == text)
    }
}
