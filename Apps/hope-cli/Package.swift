// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "hope-cli",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "hope", targets: ["hope"]),
        .library(name: "HopeApp", targets: ["HopeApp"]),
    ],
    dependencies: [
        .package(path: "../../Packages/HopeTokens"),
        .package(path: "../../Packages/LedWall"),
        .package(path: "../../Packages/PresenceKit"),
        .package(path: "../../Packages/Transport"),
    ],
    targets: [
        .executableTarget(name: "hope", dependencies: ["HopeApp"]),
        .target(
            name: "HopeApp",
            dependencies: [
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "LedWall", package: "LedWall"),
                .product(name: "LedWallRendering", package: "LedWall"),
                .product(name: "PresenceAudio", package: "PresenceKit"),
                .product(name: "PresenceKit", package: "PresenceKit"),
                .product(name: "TransportCore", package: "Transport"),
            ],
            resources: [.copy("Samples")]
        ),
        .testTarget(
            name: "HopeAppTests",
            dependencies: [
                "HopeApp",
                "hope",
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "LedWall", package: "LedWall"),
                .product(name: "LedWallRendering", package: "LedWall"),
                .product(name: "TransportCore", package: "Transport"),
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
