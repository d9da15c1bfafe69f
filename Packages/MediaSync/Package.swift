// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MediaSync",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "MediaMPV", targets: ["MediaMPV"]),
        .library(name: "MediaPlayerConformance", targets: ["MediaPlayerConformance"]),
        .library(name: "MediaProxy", targets: ["MediaProxy"]),
        .library(name: "MediaSync", targets: ["MediaSync"]),
    ],
    dependencies: [
        .package(path: "../HopeTokens"),
        .package(path: "../Transport"),
    ],
    targets: [
        // Core: the server's API, the rules of following it, the seam to a player and the virtual one
        .target(
            name: "MediaSync",
            dependencies: [
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "MediaSyncTests",
            dependencies: [
                "MediaPlayerConformance",
                "MediaSync",
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),

        // Kit: the promises of a player
        .target(
            name: "MediaPlayerConformance",
            dependencies: [
                "MediaSync",
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),

        // Backend: a loopback proxy for players that cannot pin a certificate
        .target(
            name: "MediaProxy",
            dependencies: [
                "MediaSync",
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportHTTP", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "MediaProxyTests",
            dependencies: [
                "MediaProxy",
                "MediaSync",
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportHTTP", package: "Transport"),
                .product(name: "TransportTLS", package: "Transport"),
            ]
        ),

        // Backend: mpv over its JSON IPC
        .target(
            name: "MediaMPV",
            dependencies: [
                "MediaSync",
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "MediaMPVTests",
            dependencies: [
                "MediaMPV",
                "MediaPlayerConformance",
                "MediaSync",
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportHTTP", package: "Transport"),
            ]
        ),
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
