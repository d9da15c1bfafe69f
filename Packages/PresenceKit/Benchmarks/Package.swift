// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "PresenceKitBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../")
    ],
    targets: [
        .executableTarget(
            name: "LevelMeterBenchmark",
            dependencies: [
                .product(name: "PresenceAudio", package: "PresenceKit"),
                .product(name: "PresenceKit", package: "PresenceKit"),
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
