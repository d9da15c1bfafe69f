// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "MapDocsBenchmarks",
    platforms: [.iOS(.v18), .macOS(.v15)],
    dependencies: [
        .package(path: "../")
    ],
    targets: [
        .executableTarget(
            name: "GeodesicBenchmark",
            dependencies: [.product(name: "MapGeodesy", package: "MapDocs")]
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
