// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Transport",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "TransportCore", targets: ["TransportCore"]),
        .library(name: "TransportHTTP", targets: ["TransportHTTP"]),
        .library(name: "TransportTLS", targets: ["TransportTLS"]),
        .library(name: "TransportTesting", targets: ["TransportTesting"]),
        .library(name: "TransportWebSocket", targets: ["TransportWebSocket"]),
    ],
    targets: [
        // Values, the seams, and everything that needs no operating system behind it.
        .target(name: "TransportCore"),
        .testTarget(name: "TransportCoreTests", dependencies: ["TransportCore"]),

        // HTTP/1.1, WebSocket and room tokens as state machines over bytes, and clients and servers on sockets.
        .target(name: "CTransportLinux"),
        .target(name: "TransportHTTP", dependencies: ["CTransportLinux", "TransportCore", "TransportTLS"]),
        .testTarget(
            name: "TransportHTTPTests",
            dependencies: ["TransportCore", "TransportHTTP", "TransportTLS"]
        ),

        // TLS with pins, SHA-256 and HMAC, by OpenSSL; nothing of OpenSSL shows in its interface.
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .target(name: "TransportTLS", dependencies: ["COpenSSL", "TransportCore"]),
        .testTarget(name: "TransportTLSTests", dependencies: ["TransportCore", "TransportTLS"]),

        // Rooms on a server of ours, and the transport that joins them.
        .target(name: "TransportWebSocket", dependencies: ["TransportCore", "TransportHTTP", "TransportTLS"]),
        .testTarget(
            name: "TransportWebSocketTests",
            dependencies: ["TransportCore", "TransportHTTP", "TransportTLS", "TransportTesting", "TransportWebSocket"]
        ),

        // The promises of the seam as checks that any backend can run; for test targets only.
        .target(name: "TransportTesting", dependencies: ["TransportCore"]),
        .testTarget(name: "TransportTestingTests", dependencies: ["TransportCore", "TransportTesting"]),
    ]
)

// SHARED SETTINGS: edit Scripts/shared-settings.txt, then run Scripts/settings sync
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
// END SHARED SETTINGS
