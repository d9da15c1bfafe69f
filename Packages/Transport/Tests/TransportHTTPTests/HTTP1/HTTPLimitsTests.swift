import Testing
import TransportHTTP

struct HTTPLimitsTests {
    @Test func defaultsAreThoseOfTheServer() {
        let limits = HTTPLimits()
        #expect(limits.startLineBytes == 8192)
        #expect(limits.headerBytes == 65536)
    }
}
