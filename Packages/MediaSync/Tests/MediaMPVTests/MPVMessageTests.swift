import MediaMPV
import Testing

struct MPVMessageTests {
    private static let lines: [(String, MPVMessage?)] = [
        (#"{"data":"mpv 0.35.1","request_id":1,"error":"success"}"#, .success(request: 1, .text("mpv 0.35.1"))),
        (#"{"request_id":2,"error":"success"}"#, .success(request: 2, nil)),
        (#"{"data":null,"request_id":15,"error":"success"}"#, .success(request: 15, nil)),
        (#"{"data":{"playlist_entry_id":7},"request_id":11,"error":"success"}"#, .success(request: 11, .entry(7))),
        (#"{"data":150.000000,"request_id":32,"error":"success"}"#, .success(request: 32, .number(150))),
        (#"{"request_id":23,"error":"error running command"}"#, .refusal(request: 23, "error running command")),
        (#"{"event":"start-file","playlist_entry_id":3}"#, .startFile(entry: 3)),
        (#"{"event":"file-loaded"}"#, .fileLoaded),
        (#"{"event":"seek"}"#, .seek),
        (#"{"event":"playback-restart"}"#, .playbackRestart),
        (#"{"event":"audio-reconfig"}"#, .other),
        (#"{"event":"property-change","id":1,"name":"time-pos"}"#, .property(.position, nil)),
        (
            #"{"event":"property-change","id":1,"name":"time-pos","data":-0.311521}"#,
            .property(.position, .number(-0.311521))
        ),
        (#"{"event":"property-change","id":3,"name":"pause","data":true}"#, .property(.isPaused, .flag(true))),
        (#"{"event":"property-change","id":9,"name":"idle-active","data":true}"#, .other),
        (
            #"{"event":"end-file","reason":"eof","playlist_entry_id":1}"#,
            .endFile(MPVEnd(entry: 1, reason: .endOfFile))
        ),
        (
            #"{"event":"end-file","reason":"error","playlist_entry_id":4,"file_error":"loading failed"}"#,
            .endFile(MPVEnd(entry: 4, reason: .error, error: "loading failed"))
        ),
        (
            #"{"event":"end-file","reason":"redirect","playlist_entry_id":3,"playlist_insert_id":4,"#
                + #""playlist_insert_num_entries":3}"#,
            .endFile(MPVEnd(entry: 3, reason: .redirect, replacements: 4...6))
        ),
        (
            #"{"event":"end-file","reason":"a new one","playlist_entry_id":4}"#,
            .endFile(MPVEnd(entry: 4, reason: .unknown))
        ),
        (
            #"{"event":"log-message","prefix":"ffmpeg","level":"warn","text":"http: HTTP error 404 Not Found\n"}"#,
            .log(prefix: "ffmpeg", text: "http: HTTP error 404 Not Found\n")
        ),
        // Half a surrogate pair, and a number that JSON does not have.
        (
            #"{"event":"log-message","prefix":"cplayer","text":"\ud83d"}"#,
            .log(prefix: "cplayer", text: "\u{FFFD}")
        ),
        (#"{"event":"property-change","id":1,"name":"time-pos","data":nan}"#, nil),
        (
            #"{"event":"property-change","id":1,"name":"time-pos","data":1e999}"#,
            .property(.position, .number(.infinity))
        ),
        ("", nil),
        ("[1]", nil),
        ("{}", nil),
        (#"{"event":"start-file"#, nil),
    ]

    @Test("Each line that mpv writes is read as what it means", arguments: lines)
    func meaning(line: String, message: MPVMessage?) {
        #expect(MPVMessage(Array(line.utf8)) == message)
    }

    @Test("Bytes that are not UTF-8 do not hide a line")
    func invalidUTF8() {
        let line = Array(#"{"event":"log-message","prefix":"file","text":"caf"#.utf8) + [0xE9] + Array(#""}"#.utf8)
        #expect(MPVMessage(line) == .log(prefix: "file", text: "caf\u{FFFD}"))
    }
}
