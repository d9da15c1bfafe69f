// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "TransportBenchmarks",
    platforms: [.iOS(.v18), .macOS(.v15)],
    dependencies: [
        .package(path: "../")
    ],
    targets: [
        .executableTarget(name: "FanOutLoad"),
        .executableTarget(
            name: "RoomBenchmark",
            dependencies: [
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportHTTP", package: "Transport"),
                .product(name: "TransportWebSocket", package: "Transport"),
            ]
        ),
        .executableTarget(
            name: "SocketBenchmark",
            dependencies: [
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportHTTP", package: "Transport"),
                .product(name: "TransportTLS", package: "Transport"),
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
