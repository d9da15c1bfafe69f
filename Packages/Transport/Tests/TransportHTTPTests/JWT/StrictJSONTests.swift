import Testing
import TransportHTTP

/// The JSON of requests and tokens, tried through the token endpoint's request.
struct StrictJSONTests {
    private func isAccepted(_ json: String) -> Bool {
        (try? TokenEndpointRequest(body: Array(json.utf8))) != nil
    }

    // What other readers are known to let through ("Parsing JSON is a minefield", Nicolas Seriot).
    @Test(arguments: [
        "[1,]", "[1 true]", "[,1]", "[1,,2]", "[1", "[1}", "[\"a", "[-]", "[+1]", "[.5]", "[1.]", "[1.e1]", "[1e]",
        "[1e+]", "[01]", "[-01]",
        "[0x1]", "[1_000]", "[NaN]", "[Infinity]", "[True]", "[nul]", "['a']", "[\"\\x\"]", "[\"\\u12\"]",
        "[\"\\u00g0\"]", "[\"\\ud800\"]",
        "[\"\\udc00\"]", "[\"\\ud800\\n\"]", "[\"\\\"]", "[\"\t\"]", "[\"\n\"]", "[\"\0\"]", "{\"a\"}", "{\"a\":}",
        "{:1}", "{a:1}", "{1:1}", "{\"a\":1,}",
        "{\"a\":1 \"b\":2}", "{\"a\":1,,\"b\":2}", "{\"a\":1,\"a\":1}", "{\"\\u0061\":1,\"a\":1}",
        "{\"a\":{\"b\":1,\"b\":1}}", "// c\n1", "/* c */ 1", "1 2",
        "1]", "\u{FEFF}1", "\u{A0}1", "\u{B}1", "", " ",
    ])
    func isRefused(_ value: String) {
        #expect(!isAccepted("{\"x\":\(value)}"))
    }

    @Test(arguments: [
        "[]", "{}", "[ ]", "{ }", " [ 1 , 2 ] ", "0", "-0", "1e5", "1E+5", "1.25e-3", "-1.5", "true", "false", "null",
        "\"\"", "\"é\u{10348}\u{7F}\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\"", "\"\\ud83d\\ude00\"", "{\"a\":{\"a\":{\"a\":1}}}",
        "[{\"a\":1},{\"a\":1}]", "{\"\":1,\" \":2}", "\n[\r\n\t1]",
    ])
    func isAccepted(value: String) {
        #expect(isAccepted("{\"x\":\(value)}"))
    }

    @Test func depthIsLimited() {
        #expect(isAccepted("{\"x\":" + String(repeating: "[", count: 30) + String(repeating: "]", count: 30) + "}"))
        #expect(!isAccepted("{\"x\":" + String(repeating: "[", count: 32) + String(repeating: "]", count: 32) + "}"))
        #expect(!isAccepted("{\"x\":" + String(repeating: "[", count: 60_000)))
    }

    @Test func onlyUTF8IsRead() {
        let json = "{\"x\":1}"
        #expect((try? TokenEndpointRequest(body: json.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })) == nil)
        #expect((try? TokenEndpointRequest(body: Array("{\"x\":\"".utf8) + [0xFF] + Array("\"}".utf8))) == nil)
    }
}
