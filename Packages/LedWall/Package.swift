// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "LedWall",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "LedWall", targets: ["LedWall"])
    ],
    dependencies: [
        .package(path: "../HopeTokens")
    ],
    targets: [
        // The wall itself: grid, frames, motion, layout, pacing and the seam for renderers.
        .target(
            name: "LedWall",
            dependencies: [.product(name: "HopeTokens", package: "HopeTokens")]
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
