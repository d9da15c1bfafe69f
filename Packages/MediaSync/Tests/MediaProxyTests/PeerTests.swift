import Foundation
import MediaProxy
import Testing
import TransportCore
import TransportHTTP
import TransportTLS

private let hasCurl = PeerProgram.path("curl") != nil
private let hasPlayers = PeerProgram.path("ffmpeg") != nil && PeerProgram.path("mpv") != nil

@Suite(.enabled(if: hasCurl, "curl is not installed"), .serialized, .timeLimit(.minutes(1)))
struct CurlTests {
    private func curl(_ arguments: [String]) async throws -> PeerProgram.Outcome {
        try await PeerProgram.run("curl", ["-s", "-S", "--max-time", "20", "--noproxy", "*"] + arguments)
    }

    @Test("curl gets the whole, ranges, and a head, over TLS with a pin and from a server that breaks off")
    func gets() async throws {
        let identity = try TLSIdentity.selfSigned(issuedAt: 1_600_000_000, days: 36_500)
        try await withProxy(
            .with {
                $0.content = .pattern(2_000_000)
                $0.dropsAfter = 400_000
            },
            identity: identity,
            pins: [try CertificatePin(identity.fingerprints.leaf)]
        ) { bench in
            let url = try await bench.share()
            let content = bench.origin.content
            let whole = try await curl([url])
            #expect(whole.status == 0 && whole.output == content.bytes(0, 1_999_999))
            for (range, first, last) in [
                ("0-1", 0, 1), ("1999990-", 1_999_990, 1_999_999), ("-3", 1_999_997, 1_999_999),
            ] {
                let part = try await curl(["-r", range, url])
                #expect(part.status == 0 && part.output == content.bytes(first, last))
            }
            let head = try await curl(["-I", url])
            #expect(head.text.hasPrefix("HTTP/1.1 200 OK\r\n") && head.text.contains("Content-Length: 2000000\r\n"))
            #expect(head.text.contains("Content-Type: audio/mpeg\r\n"))
        }
    }

    @Test("P4 curl uses its connection again after 416")
    func reuse() async throws {
        try await withProxy { bench in
            let url = try await bench.share()
            let twice = try await curl(["-v", "-r", "100000-", url, url])
            #expect(twice.text.contains("416 Range Not Satisfiable"))
            #expect(twice.text.contains("Re-using existing connection"))
        }
    }

    @Test("curl notices that a body is not all, where it could not be resumed")
    func short() async throws {
        try await withProxy(
            .with {
                $0.tag = nil
                $0.dropsAfter = 40_000
            }
        ) { bench in
            let found = try await curl([try await bench.share()])
            #expect(found.status == 18)
        }
    }

    @Test(
        "P6 A range beyond 4 GiB of a sparse file comes from a real file server",
        .enabled(if: PeerProgram.path("nginx") != nil, "nginx is not installed")
    )
    func sparseFile() async throws {
        try await withFolder { folder in
            try Data().write(to: URL(filePath: folder + "/big.mp3"))
            let file = try FileHandle(forWritingTo: URL(filePath: folder + "/big.mp3"))
            try file.truncate(atOffset: 5 << 30)
            try file.seek(toOffset: 4_294_967_290)
            try file.write(contentsOf: Data("hello world".utf8))
            try file.close()
            try await withNginx(folder) { base in
                try await withProxy { bench in
                    let source = try #require(URL(string: base + "/big.mp3"))
                    let url = try await bench.session.share(MediaSource(id: "big", url: source)).absoluteString
                    let part = try await curl(["-r", "4294967290-4294967300", url])
                    #expect(part.text == "hello world")
                    #expect(try await curl(["-I", url]).text.contains("Content-Length: 5368709120\r\n"))
                }
            }
        }
    }

    /// Runs nginx for a folder, on a port that was free a moment ago.
    private func withNginx(_ folder: String, _ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let port = try HTTPServer { _ in .text("") }.port
        let configuration = """
            daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/log;
            events { worker_connections 64; }
            http {
                access_log off;
                client_body_temp_path \(folder)/b; proxy_temp_path \(folder)/p; fastcgi_temp_path \(folder)/f;
                uwsgi_temp_path \(folder)/u; scgi_temp_path \(folder)/s;
                server { listen 127.0.0.1:\(port); root \(folder); }
            }
            """
        try Data(configuration.utf8).write(to: URL(filePath: folder + "/conf"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await PeerProgram.run("nginx", ["-c", folder + "/conf"]) }
            defer { group.cancelAll() }
            let wait = ["--retry", "20", "--retry-connrefused", "--retry-delay", "1", "-o", "/dev/null"]
            _ = try await curl(wait + ["http://127.0.0.1:\(port)/conf"])
            try await body("http://127.0.0.1:\(port)")
        }
    }
}

@Suite(.enabled(if: hasPlayers, "ffmpeg or mpv is not installed"), .serialized, .timeLimit(.minutes(1)))
struct PlayerTests {
    /// A container as ffmpeg writes it, with the index at the end where it has one there.
    struct Format: Sendable, CustomTestStringConvertible {
        let ending: String
        let options: [String]
        var testDescription: String { ending }
    }

    static let formats = [
        Format(ending: "m4a", options: ["-c:a", "aac"]), Format(ending: "mp3", options: ["-c:a", "libmp3lame"]),
        Format(ending: "webm", options: ["-c:a", "libopus"]), Format(ending: "flac", options: ["-c:a", "flac"]),
        Format(ending: "ogg", options: ["-c:a", "libvorbis"]),
    ]

    /// Makes half a minute of sound that is different everywhere.
    private func make(_ format: Format, in folder: String) async throws -> [UInt8] {
        let path = "\(folder)/file.\(format.ending)"
        let sound = "aevalsrc=0.3*sin(2*PI*(200+10*t)*t)+0.1*random(0):d=30:s=24000"
        let made = try await PeerProgram.run(
            "ffmpeg",
            ["-v", "error", "-y", "-f", "lavfi", "-i", sound] + format.options + ["-b:a", "64k", path]
        )
        #expect(made.status == 0, "\(made.text)")
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// The sum over two seconds of decoded sound.
    private func sum(_ input: String, from second: Int) async throws -> String {
        let found = try await PeerProgram.run(
            "ffmpeg",
            ["-v", "error", "-ss", "\(second)", "-i", input, "-t", "2", "-f", "md5", "-"]
        )
        #expect(found.status == 0)
        return found.text
    }

    @Test(
        "ffmpeg and mpv hear the file itself, seek in it, and notice nothing of a server that breaks off",
        arguments: formats
    )
    func plays(_ format: Format) async throws {
        try await withFolder { folder in
            let bytes = try await make(format, in: folder)
            let file = "\(folder)/file.\(format.ending)"
            try await withProxy(
                .with {
                    $0.content = .bytes(bytes)
                    $0.dropsAfter = 60_000
                    $0.hidesTotal = true
                }
            ) { bench in
                let url = try await bench.share("/file." + format.ending)
                let copy = folder + "/copy"
                let copied = try await PeerProgram.run("curl", ["-s", "-o", copy, url])
                #expect(copied.status == 0)
                #expect(try Data(contentsOf: URL(filePath: copy)) == Data(bytes))
                for second in [0, 18] {
                    let (heard, expected) = (try await sum(url, from: second), try await sum(file, from: second))
                    #expect(heard == expected && expected.hasPrefix("MD5="), "at \(second): \(heard)")
                }
                let arguments = [
                    "--no-config", "--no-video", "--no-ytdl", "--ao=pcm", "--ao-pcm-waveheader=no",
                    "--demuxer-lavf-o=fflags=+fastseek", "--start=22", "--length=2", "--really-quiet",
                ]
                let ours = try await PeerProgram.run("mpv", arguments + ["--ao-pcm-file=\(folder)/ours", url])
                let theirs = try await PeerProgram.run("mpv", arguments + ["--ao-pcm-file=\(folder)/theirs", file])
                #expect(ours.status == 0 && theirs.status == 0, "\(ours.text)\(theirs.text)")
                let sound = try Data(contentsOf: URL(filePath: folder + "/ours"))
                #expect(sound == (try Data(contentsOf: URL(filePath: folder + "/theirs"))) && sound.count > 50_000)
                // Players open several connections at once and drop them; none of them is left behind.
                await bench.origin.wait { _, open in open == 0 }
                #expect(bench.log.all.contains { if case .resumed = $0 { true } else { false } })
                #expect(bench.origin.seen.allSatisfy { $0.headers["Icy-MetaData"] == nil })
            }
        }
    }
}
