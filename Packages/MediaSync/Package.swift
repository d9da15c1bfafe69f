// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MediaSync",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "MediaSync", targets: ["MediaSync"])
    ],
    dependencies: [
        .package(path: "../Transport")
    ],
    targets: [
        // Core: the server's API, the rules of following it, the seam to a player
        .target(name: "MediaSync"),
        .testTarget(
            name: "MediaSyncTests",
            dependencies: [
                "MediaSync",
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
