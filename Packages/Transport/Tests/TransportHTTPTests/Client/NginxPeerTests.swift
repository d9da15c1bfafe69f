import Foundation
import Testing
import TransportCore
import TransportHTTP

@Suite(
    .enabled(if: PeerProgram.path("nginx") != nil, "nginx is not installed"),
    // One after the other: together they would take the time that other tests' limits count on.
    .serialized,
    .timeLimit(.minutes(1))
) struct NginxPeerTests {
    private func withNginx(_ body: (String, SocketHTTPClient) async throws -> Void) async throws {
        try await withFolder { folder in
            let port = try PeerProgram.freePort()
            let configuration = """
                daemon off; master_process off; pid \(folder)/pid; error_log stderr notice;
                events { worker_connections 64; }
                http {
                    access_log off;
                    client_body_temp_path \(folder)/b; proxy_temp_path \(folder)/p; fastcgi_temp_path \(folder)/f;
                    uwsgi_temp_path \(folder)/u; scgi_temp_path \(folder)/s;
                    server {
                        listen 127.0.0.1:\(port);
                        root \(folder);
                        location /count { return 200 $connection_requests; }
                        location /moved { return 302 /deep/../count; }
                        location /chunked { ssi on; ssi_types *; alias \(folder)/file; }
                        location /method { return 200 "$request_method $content_length $http_host $http_x"; }
                        location /refuse { client_max_body_size 10; proxy_pass http://127.0.0.1:1; }
                        location /once { keepalive_timeout 0; return 200 once; }
                    }
                }
                """
            try Data(configuration.utf8).write(to: URL(filePath: folder + "/conf"))
            try Data(pattern(1_000_000)).write(to: URL(filePath: folder + "/file"))
            let nginx = try PeerProgram("nginx", ["-c", folder + "/conf"])
            defer { nginx.stop() }
            // It listens by the time it says what it runs on.
            await nginx.wait(for: "OS: ")
            let client = try SocketHTTPClient()
            let url = "http://127.0.0.1:\(port)"
            try await body(url, client)
        }
    }

    @Test("A connection to nginx is kept and used again, also across a redirect")
    func keepAlive() async throws {
        try await withNginx { url, client in
            for expected in ["1", "2", "3"] {
                #expect(try await client.send(HTTPRequest("GET", url + "/count")).body == Array(expected.utf8))
            }
            let redirected = try await client.send(HTTPRequest("GET", url + "/moved"))
            #expect(redirected.status == 200)
            let head = try await client.send(HTTPRequest("HEAD", url + "/file"))
            #expect(head.headers["Content-Length"] == "1000000" && head.body.isEmpty)
            for _ in 0..<2 {
                #expect(try await client.send(HTTPRequest("GET", url + "/once")).body == Array("once".utf8))
            }
        }
    }

    @Test("Whole files, ranges and chunked answers of nginx come through byte for byte")
    func bodies() async throws {
        try await withNginx { url, client in
            let file = pattern(1_000_000)
            #expect(try await client.send(HTTPRequest("GET", url + "/file")).body == file)
            let part = try await client.send(HTTPRequest("GET", url + "/file", headers: ["Range": "bytes=1000-1999"]))
            #expect(part.status == 206)
            #expect(part.body == Array(file[1000..<2000]))
            #expect(part.headers["Content-Range"] == "bytes 1000-1999/1000000")
            let beyond = try await client.send(HTTPRequest("GET", url + "/file", headers: ["Range": "bytes=1000000-"]))
            #expect(beyond.status == 416)
            let chunked = try await client.send(HTTPRequest("GET", url + "/chunked"))
            #expect(chunked.headers["Transfer-Encoding"] == "chunked")
            #expect(chunked.body == file)
            #expect(try await client.send(HTTPRequest("GET", url + "/none")).status == 404)
        }
    }

    @Test("nginx understands our requests, and refuses a body that is too large while we are still sending it")
    func requests() async throws {
        try await withNginx { url, client in
            let answer = try await client.send(
                HTTPRequest("POST", url + "/method", headers: ["X": "é"], body: .bytes([1, 2, 3]))
            )
            let host = url.dropFirst("http://".count)
            #expect(String(decoding: answer.body, as: UTF8.self) == "POST 3 \(host) é")
            let stream = EndlessBody()
            let refused = try await client.open(
                HTTPRequest("POST", url + "/refuse", body: .stream(stream, length: nil))
            )
            #expect(refused.status == 413)
            refused.body.cancel()
        }
    }
}
