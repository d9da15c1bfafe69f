import MediaSync
import Testing

struct MediaTimeTests {
    @Test(
        "Times are minutes and seconds, with hours where there are some",
        arguments: [
            (187.0, "3:07"), (3729, "1:02:09"), (0, "0:00"), (59.999, "0:59"), (60, "1:00"), (3600, "1:00:00"),
            (-5, "0:00"), (36_000, "10:00:00"), (.nan, "–:––"), (.infinity, "–:––"), (1e300, "277777777:46:40"),
        ]
    )
    func text(seconds: Double, text: String) {
        #expect(MediaTime.text(seconds) == text)
    }

    @Test("A time that is missing is not zero, and a stream is live")
    func missing() {
        #expect(MediaTime.text(nil) == "–:––")
        #expect(MediaTime.text(12, of: .stream) == "Live")
        #expect(MediaTime.text(12, of: .file) == "0:12")
    }
}
