// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "PresenceKit",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "PresenceKit", targets: ["PresenceKit"]),
        .library(name: "PresenceAudio", targets: ["PresenceAudio"]),
        .library(name: "PresenceStorage", targets: ["PresenceStorage"]),
        .library(name: "PresenceConformance", targets: ["PresenceConformance"]),
    ],
    dependencies: [
        .package(path: "../HopeTokens"),
        .package(path: "../Transport"),
    ],
    targets: [
        // Core: values, rules and seams; no device, no file, no process.
        .target(
            name: "PresenceKit",
            dependencies: [
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "PresenceKitTests",
            dependencies: [
                .product(name: "HopeTokens", package: "HopeTokens"),
                "PresenceConformance",
                "PresenceKit",
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),

        // Backends that hear: WAV and PCM readers, the level meter, capture programs.
        .target(
            name: "PresenceAudio",
            dependencies: [
                "PresenceKit",
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "PresenceAudioTests",
            dependencies: [
                "PresenceAudio",
                "PresenceConformance",
                "PresenceKit",
                .product(name: "TransportCore", package: "Transport"),
            ],
            resources: [.copy("Fixtures")]
        ),

        // Backends that remember: settings and history in files that only their owner may read.
        .target(
            name: "PresenceStorage",
            dependencies: ["PresenceKit"]
        ),
        .testTarget(
            name: "PresenceStorageTests",
            dependencies: [
                "PresenceConformance",
                "PresenceKit",
                "PresenceStorage",
            ]
        ),

        // Kit: the promises of the seams, to be run by every backend.
        .target(
            name: "PresenceConformance",
            dependencies: [
                "PresenceKit",
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "PresenceConformanceTests",
            dependencies: [
                "PresenceConformance",
                "PresenceKit",
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
