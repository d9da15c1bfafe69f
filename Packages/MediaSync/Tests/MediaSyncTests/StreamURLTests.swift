import MediaSync
import Testing

struct StreamURLTests {
    @Test(
        "An address is trimmed and its scheme put in lower case, the rest stays",
        arguments: [
            ("  HTTP://Radio.example/Live?A=b \n", "http://Radio.example/Live?A=b"), ("https://a", "https://a"),
            ("hTTps://user:pw@a:8000/x", "https://user:pw@a:8000/x"), ("http://[::1]:8000/", "http://[::1]:8000/"),
        ]
    )
    func accepts(input: String, text: String) throws {
        #expect(try StreamURL(input).text == text)
    }

    @Test(
        "Other schemes and none are refused",
        arguments: ["", "  ", "radio.example", "ftp://a", "file:///a", "javascript:1", "://a"]
    )
    func refuses(input: String) {
        let error = #expect(throws: StreamURLError.notHTTP) { try StreamURL(input) }
        #expect(error?.message == "url must be http(s)")
    }

    @Test(
        "An address without a host or with a space in it is refused",
        arguments: ["http://", "https:a", "http:///x", "http://a/b c", "http://a\u{A0}b"]
    )
    func refusesHostless(input: String) {
        #expect(throws: StreamURLError.noHost) { try StreamURL(input) }
    }
}
