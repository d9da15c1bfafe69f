// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "TaskFeed",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "TaskFeed", targets: ["TaskFeed"])
    ],
    dependencies: [
        .package(path: "../HopeTokens"),
        .package(path: "../Transport"),
    ],
    targets: [
        .target(
            name: "TaskFeed",
            dependencies: [
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "TaskFeedTests",
            dependencies: [
                "TaskFeed",
                .product(name: "HopeTokens", package: "HopeTokens"),
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
