// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "hope-cli",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "hope", targets: ["hope"]),
        .library(name: "HopeApp", targets: ["HopeApp"]),
        .library(name: "HopeServer", targets: ["HopeServer"]),
    ],
    dependencies: [
        .package(path: "../../Packages/HopeTokens"),
        .package(path: "../../Packages/LedWall"),
        .package(path: "../../Packages/MapDocs"),
        .package(path: "../../Packages/MediaSync"),
        .package(path: "../../Packages/PresenceKit"),
        .package(path: "../../Packages/TaskFeed"),
        .package(path: "../../Packages/Transport"),
    ],
    targets: [
        .executableTarget(name: "hope", dependencies: ["HopeApp"]),
        .target(
            name: "HopeApp",
            dependencies: [
                "HopeServer",
                .product(name: "HopeRaster", package: "HopeTokens"),
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "LedWall", package: "LedWall"),
                .product(name: "LedWallRendering", package: "LedWall"),
                .product(name: "MapAuthoring", package: "MapDocs"),
                .product(name: "MapDocs", package: "MapDocs"),
                .product(name: "MapGeoPackage", package: "MapDocs"),
                .product(name: "MapGeodesy", package: "MapDocs"),
                .product(name: "MapRendering", package: "MapDocs"),
                .product(name: "MapStores", package: "MapDocs"),
                .product(name: "MediaMPV", package: "MediaSync"),
                .product(name: "MediaProxy", package: "MediaSync"),
                .product(name: "MediaSync", package: "MediaSync"),
                .product(name: "PresenceAudio", package: "PresenceKit"),
                .product(name: "PresenceKit", package: "PresenceKit"),
                .product(name: "PresenceStorage", package: "PresenceKit"),
                .product(name: "TaskFeed", package: "TaskFeed"),
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportHTTP", package: "Transport"),
                .product(name: "TransportTLS", package: "Transport"),
                .product(name: "TransportWebSocket", package: "Transport"),
            ],
            resources: [.copy("Samples")]
        ),
        .target(
            name: "HopeServer",
            dependencies: [
                .product(name: "MediaSync", package: "MediaSync"),
                .product(name: "PresenceKit", package: "PresenceKit"),
                .product(name: "TaskFeed", package: "TaskFeed"),
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportHTTP", package: "Transport"),
                .product(name: "TransportTLS", package: "Transport"),
                .product(name: "TransportWebSocket", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "HopeAppTests",
            dependencies: [
                "HopeApp",
                "hope",
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "LedWall", package: "LedWall"),
                .product(name: "LedWallRendering", package: "LedWall"),
                .product(name: "PresenceKit", package: "PresenceKit"),
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "HopeServerTests",
            dependencies: [
                "HopeServer",
                .product(name: "MediaSync", package: "MediaSync"),
                .product(name: "PresenceKit", package: "PresenceKit"),
                .product(name: "TaskFeed", package: "TaskFeed"),
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportHTTP", package: "Transport"),
                .product(name: "TransportTLS", package: "Transport"),
                .product(name: "TransportWebSocket", package: "Transport"),
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
