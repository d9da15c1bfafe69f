/// What mpv 0.35.1 wrote, line by line, while it was given the commands that `MPVState` gives; some repeated positions
/// and events that nothing depends on are left out.
enum RecordedMPV {
    /// What mpv 0.35.1 answered to the first nine commands.
    static let greeting = #"""
        {"data":"mpv 0.35.1","request_id":1,"error":"success"}
        {"request_id":2,"error":"success"}
        {"request_id":3,"error":"success"}
        {"request_id":4,"error":"success"}
        {"request_id":5,"error":"success"}
        {"request_id":6,"error":"success"}
        {"request_id":7,"error":"success"}
        {"request_id":8,"error":"success"}
        {"request_id":9,"error":"success"}
        {"event":"property-change","id":1,"name":"time-pos"}
        {"event":"property-change","id":2,"name":"duration"}
        {"event":"property-change","id":3,"name":"pause","data":false}
        {"event":"property-change","id":4,"name":"core-idle","data":true}
        {"event":"property-change","id":5,"name":"paused-for-cache"}
        {"event":"property-change","id":6,"name":"seeking"}
        {"event":"property-change","id":7,"name":"seekable"}
        """#

    /// Two seconds of sound, begun at the first.
    static let lastSecond = #"""
        {"request_id":10,"error":"success"}
        {"data":{"playlist_entry_id":1},"request_id":11,"error":"success"}
        {"request_id":12,"error":"success"}
        {"event":"start-file","playlist_entry_id":1}
        {"event":"file-loaded"}
        {"event":"seek"}
        {"event":"playback-restart"}
        {"event":"property-change","id":1,"name":"time-pos","data":1.000000}
        {"event":"property-change","id":2,"name":"duration","data":2.000000}
        {"event":"property-change","id":4,"name":"core-idle","data":false}
        {"event":"property-change","id":5,"name":"paused-for-cache","data":false}
        {"event":"property-change","id":6,"name":"seeking","data":false}
        {"event":"property-change","id":7,"name":"seekable","data":true}
        {"data":2.000000,"request_id":13,"error":"success"}
        {"data":true,"request_id":14,"error":"success"}
        {"event":"property-change","id":1,"name":"time-pos","data":1.096267}
        {"event":"property-change","id":1,"name":"time-pos","data":1.249991}
        {"event":"property-change","id":1,"name":"time-pos","data":1.626226}
        {"event":"end-file","reason":"eof","playlist_entry_id":1}
        {"event":"property-change","id":1,"name":"time-pos"}
        {"event":"property-change","id":2,"name":"duration"}
        {"event":"property-change","id":4,"name":"core-idle","data":true}
        {"event":"property-change","id":5,"name":"paused-for-cache"}
        {"event":"property-change","id":6,"name":"seeking"}
        {"event":"property-change","id":7,"name":"seekable"}
        """#

    /// A minute of sound, to wait at the 30th second.
    static let pausedAtThirty = #"""
        {"request_id":10,"error":"success"}
        {"event":"property-change","id":3,"name":"pause","data":true}
        {"request_id":11,"error":"success"}
        {"data":{"playlist_entry_id":1},"request_id":12,"error":"success"}
        {"event":"start-file","playlist_entry_id":1}
        {"event":"file-loaded"}
        {"event":"seek"}
        {"event":"property-change","id":1,"name":"time-pos","data":30.000000}
        {"event":"property-change","id":2,"name":"duration","data":60.000000}
        {"event":"property-change","id":5,"name":"paused-for-cache","data":false}
        {"event":"property-change","id":6,"name":"seeking","data":true}
        {"event":"property-change","id":7,"name":"seekable","data":true}
        {"event":"playback-restart"}
        {"event":"property-change","id":6,"name":"seeking","data":false}
        {"data":60.000000,"request_id":13,"error":"success"}
        {"data":true,"request_id":14,"error":"success"}
        {"event":"property-change","id":1,"name":"time-pos","data":29.999875}
        """#

    /// After `pausedAtThirty`: played on.
    static let playedOn = #"""
        {"request_id":15,"error":"success"}
        {"event":"property-change","id":1,"name":"time-pos","data":29.999970}
        {"event":"property-change","id":3,"name":"pause","data":false}
        {"event":"property-change","id":4,"name":"core-idle","data":false}
        {"event":"property-change","id":1,"name":"time-pos","data":30.120377}
        {"event":"property-change","id":1,"name":"time-pos","data":30.289438}
        """#

    /// After `playedOn`: a seek to the 40th second.
    static let soughtForty = #"""
        {"data":null,"request_id":16,"error":"success"}
        {"event":"seek"}
        {"event":"property-change","id":1,"name":"time-pos","data":40.000000}
        {"event":"property-change","id":4,"name":"core-idle","data":true}
        {"event":"property-change","id":6,"name":"seeking","data":true}
        {"event":"playback-restart"}
        {"event":"property-change","id":4,"name":"core-idle","data":false}
        {"event":"property-change","id":6,"name":"seeking","data":false}
        {"event":"property-change","id":1,"name":"time-pos","data":40.048325}
        {"event":"property-change","id":1,"name":"time-pos","data":40.238061}
        {"event":"property-change","id":1,"name":"time-pos","data":40.289485}
        """#

    /// After `soughtForty`: paused.
    static let pausedAgain = #"""
        {"request_id":17,"error":"success"}
        {"event":"property-change","id":3,"name":"pause","data":true}
        {"event":"property-change","id":4,"name":"core-idle","data":true}
        {"event":"property-change","id":1,"name":"time-pos","data":40.301167}
        """#

    /// A minute of sound from its 50th second.
    static let fifty = #"""
        {"request_id":10,"error":"success"}
        {"data":{"playlist_entry_id":1},"request_id":11,"error":"success"}
        {"request_id":12,"error":"success"}
        {"event":"start-file","playlist_entry_id":1}
        {"event":"file-loaded"}
        {"event":"seek"}
        {"event":"property-change","id":1,"name":"time-pos","data":50.000000}
        {"event":"property-change","id":2,"name":"duration","data":60.000000}
        {"event":"property-change","id":5,"name":"paused-for-cache","data":false}
        {"event":"property-change","id":6,"name":"seeking","data":true}
        {"event":"property-change","id":7,"name":"seekable","data":true}
        {"event":"playback-restart"}
        {"data":60.000000,"request_id":13,"error":"success"}
        {"data":true,"request_id":14,"error":"success"}
        {"event":"property-change","id":4,"name":"core-idle","data":false}
        {"event":"property-change","id":6,"name":"seeking","data":false}
        {"event":"property-change","id":1,"name":"time-pos","data":50.025788}
        {"event":"property-change","id":1,"name":"time-pos","data":50.250685}
        {"event":"property-change","id":1,"name":"time-pos","data":50.300923}
        """#

    /// After `fifty`: two seconds of sound loaded in its place.
    static let replaced = #"""
        {"request_id":15,"error":"success"}
        {"data":{"playlist_entry_id":2},"request_id":16,"error":"success"}
        {"request_id":17,"error":"success"}
        {"event":"property-change","id":1,"name":"time-pos","data":50.477268}
        {"event":"property-change","id":4,"name":"core-idle","data":true}
        {"event":"end-file","reason":"stop","playlist_entry_id":1}
        {"event":"start-file","playlist_entry_id":2}
        {"event":"property-change","id":1,"name":"time-pos"}
        {"event":"property-change","id":2,"name":"duration"}
        {"event":"property-change","id":5,"name":"paused-for-cache"}
        {"event":"property-change","id":6,"name":"seeking"}
        {"event":"property-change","id":7,"name":"seekable"}
        {"event":"file-loaded"}
        {"event":"property-change","id":1,"name":"time-pos","data":0.000000}
        {"event":"property-change","id":2,"name":"duration","data":2.000000}
        {"event":"property-change","id":5,"name":"paused-for-cache","data":false}
        {"event":"playback-restart"}
        {"event":"property-change","id":6,"name":"seeking","data":false}
        {"event":"property-change","id":7,"name":"seekable","data":true}
        {"event":"property-change","id":4,"name":"core-idle","data":false}
        {"data":2.000000,"request_id":18,"error":"success"}
        {"data":true,"request_id":19,"error":"success"}
        {"event":"property-change","id":1,"name":"time-pos","data":0.036884}
        {"event":"property-change","id":1,"name":"time-pos","data":0.087063}
        {"event":"property-change","id":1,"name":"time-pos","data":0.298965}
        """#

    /// A file without a byte.
    static let zeroBytes = #"""
        {"request_id":10,"error":"success"}
        {"data":{"playlist_entry_id":1},"request_id":11,"error":"success"}
        {"request_id":12,"error":"success"}
        {"event":"start-file","playlist_entry_id":1}
        {"event":"end-file","reason":"error","playlist_entry_id":1,"file_error":"unrecognized file format"}
        {"event":"log-message","prefix":"cplayer","level":"error","text":"Failed to recognize file format.\n"}
        """#

    /// After `zeroBytes`: a file of noise.
    static let broken = #"""
        {"request_id":13,"error":"success"}
        {"data":{"playlist_entry_id":2},"request_id":14,"error":"success"}
        {"request_id":15,"error":"success"}
        {"event":"start-file","playlist_entry_id":2}
        {"event":"end-file","reason":"error","playlist_entry_id":2,"file_error":"unrecognized file format"}
        {"event":"log-message","prefix":"cplayer","level":"error","text":"Failed to recognize file format.\n"}
        """#

    /// After `broken`: an address that answers with 404.
    static let notFound = #"""
        {"request_id":16,"error":"success"}
        {"data":{"playlist_entry_id":3},"request_id":17,"error":"success"}
        {"event":"start-file","playlist_entry_id":3}
        {"request_id":18,"error":"success"}
        {"event":"log-message","prefix":"ffmpeg","level":"warn","text":"http: HTTP error 404 Not Found\n"}
        {"event":"log-message","prefix":"stream","level":"error","text":"Failed to open http://h/a?t=secret.\n"}
        {"event":"end-file","reason":"error","playlist_entry_id":3,"file_error":"loading failed"}
        """#

    /// Ten seconds from a server that stops in the middle for three seconds.
    static let starved = #"""
        {"request_id":10,"error":"success"}
        {"data":{"playlist_entry_id":1},"request_id":11,"error":"success"}
        {"request_id":12,"error":"success"}
        {"event":"start-file","playlist_entry_id":1}
        {"event":"file-loaded"}
        {"event":"property-change","id":1,"name":"time-pos","data":0.000000}
        {"event":"property-change","id":2,"name":"duration","data":10.000000}
        {"event":"property-change","id":5,"name":"paused-for-cache","data":false}
        {"event":"property-change","id":6,"name":"seeking","data":true}
        {"event":"property-change","id":7,"name":"seekable","data":true}
        {"data":10.000000,"request_id":13,"error":"success"}
        {"data":true,"request_id":14,"error":"success"}
        {"event":"playback-restart"}
        {"event":"property-change","id":4,"name":"core-idle","data":false}
        {"event":"property-change","id":6,"name":"seeking","data":false}
        {"event":"property-change","id":1,"name":"time-pos","data":0.000827}
        {"event":"property-change","id":1,"name":"time-pos","data":0.099633}
        {"event":"property-change","id":1,"name":"time-pos","data":1.557333}
        {"event":"property-change","id":4,"name":"core-idle","data":true}
        {"event":"property-change","id":5,"name":"paused-for-cache","data":true}
        {"event":"log-message","prefix":"cplayer","level":"warn","text":"Audio device underrun detected.\n"}
        {"event":"property-change","id":4,"name":"core-idle","data":false}
        {"event":"property-change","id":5,"name":"paused-for-cache","data":false}
        {"event":"property-change","id":1,"name":"time-pos","data":1.609891}
        {"event":"property-change","id":1,"name":"time-pos","data":1.659931}
        {"event":"property-change","id":1,"name":"time-pos","data":3.960594}
        """#

    /// A minute of sound, to begin at its 100th second.
    static let beyondTheEnd = #"""
        {"request_id":10,"error":"success"}
        {"data":{"playlist_entry_id":1},"request_id":11,"error":"success"}
        {"event":"start-file","playlist_entry_id":1}
        {"request_id":12,"error":"success"}
        {"event":"file-loaded"}
        {"event":"seek"}
        {"event":"property-change","id":1,"name":"time-pos","data":100.000000}
        {"event":"property-change","id":2,"name":"duration","data":60.000000}
        {"event":"property-change","id":5,"name":"paused-for-cache","data":false}
        {"event":"property-change","id":6,"name":"seeking","data":true}
        {"event":"property-change","id":7,"name":"seekable","data":true}
        {"event":"playback-restart"}
        {"event":"property-change","id":6,"name":"seeking"}
        {"event":"end-file","reason":"error","playlist_entry_id":1,"file_error":"no audio or video data played"}
        {"event":"property-change","id":1,"name":"time-pos"}
        {"event":"property-change","id":2,"name":"duration"}
        {"event":"property-change","id":5,"name":"paused-for-cache"}
        {"event":"property-change","id":7,"name":"seekable"}
        {"request_id":13,"error":"property unavailable"}
        {"request_id":14,"error":"property unavailable"}
        """#

    /// After `beyondTheEnd`: the same, to wait at the beginning.
    static let pausedAtZero = #"""
        {"request_id":15,"error":"success"}
        {"request_id":16,"error":"success"}
        {"data":{"playlist_entry_id":2},"request_id":17,"error":"success"}
        {"event":"start-file","playlist_entry_id":2}
        {"event":"property-change","id":3,"name":"pause","data":true}
        {"event":"file-loaded"}
        {"event":"property-change","id":1,"name":"time-pos","data":0.000000}
        {"event":"property-change","id":2,"name":"duration","data":60.000000}
        {"event":"property-change","id":5,"name":"paused-for-cache","data":false}
        {"event":"property-change","id":6,"name":"seeking","data":true}
        {"event":"property-change","id":7,"name":"seekable","data":true}
        {"event":"playback-restart"}
        {"event":"property-change","id":6,"name":"seeking","data":false}
        {"data":60.000000,"request_id":18,"error":"success"}
        {"data":true,"request_id":19,"error":"success"}
        """#

    /// After `pausedAtZero`: a seek to the end, paused.
    static let soughtTheEnd = #"""
        {"data":null,"request_id":20,"error":"success"}
        {"event":"seek"}
        {"event":"property-change","id":1,"name":"time-pos","data":60.000000}
        {"event":"property-change","id":6,"name":"seeking","data":true}
        {"event":"playback-restart"}
        {"event":"property-change","id":6,"name":"seeking","data":false}
        {"event":"end-file","reason":"eof","playlist_entry_id":2}
        {"event":"property-change","id":1,"name":"time-pos"}
        {"event":"property-change","id":2,"name":"duration"}
        {"event":"property-change","id":5,"name":"paused-for-cache"}
        {"event":"property-change","id":6,"name":"seeking"}
        {"event":"property-change","id":7,"name":"seekable"}
        """#

    /// A server that breaks off and answers with 503 from then on; the tries in between are left out.
    static let brokenOff = #"""
        {"event":"log-message","prefix":"ffmpeg","level":"error","text":"http: Stream ends prematurely at 200000, should be 1920044\n"}
        {"event":"log-message","prefix":"ffmpeg","level":"warn","text":"http: Will reconnect at 200000 in 0 second(s), error=Input/output error.\n"}
        {"event":"log-message","prefix":"ffmpeg","level":"warn","text":"http: HTTP error 503 Service Unavailable\n"}
        {"event":"log-message","prefix":"ffmpeg","level":"error","text":"http: Stream ends prematurely at 200000, should be 18446744073709551615\n"}
        """#
}
