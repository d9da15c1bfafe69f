import Foundation
import MediaProxy
import TransportCore
import TransportHTTP
import TransportTLS

/// A proxy to be measured.
///
///     ProxyBenchmark URL PIN      shares an address of a server that has this certificate, and prints where
@main
struct ProxyBenchmark {
    static func main() async {
        do {
            try await serve()
        } catch {
            FileHandle.standardError.write(Data("ProxyBenchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func serve() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[1]), let host = url.host(), let port = url.port
        else {
            print("usage: ProxyBenchmark https://host:port/file.mp3 PIN")
            return
        }
        let loops = try SocketLoopGroup()
        var configuration = SocketHTTPClient.Configuration()
        configuration.pins.pin([try CertificatePin(arguments[2])], for: try ServerConfig("https://\(host):\(port)"))
        let client = try SocketHTTPClient(configuration, loops: loops)
        let proxy = try LoopbackMediaProxy(client: client, loops: loops)
        let session = proxy.makeSession()
        let local = try await session.share(MediaSource(id: "file", url: url))
        // At once, for whoever waits for it at the other end of a pipe.
        FileHandle.standardOutput.write(Data("\(local.absoluteString)\n".utf8))
        await proxy.run()
        session.close()
    }
}
