// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "MediaSyncBenchmarks",
    platforms: [.iOS(.v18), .macOS(.v15)],
    dependencies: [
        .package(path: "../"),
        .package(path: "../../Transport"),
    ],
    targets: [
        .executableTarget(
            name: "ProxyBenchmark",
            dependencies: [
                .product(name: "MediaProxy", package: "MediaSync"),
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportHTTP", package: "Transport"),
                .product(name: "TransportTLS", package: "Transport"),
            ]
        )
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
