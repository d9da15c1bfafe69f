// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Transport",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "TransportCore", targets: ["TransportCore"])
    ],
    targets: [
        // Values, the seams, and everything that needs no operating system behind it.
        .target(name: "TransportCore"),
        .testTarget(name: "TransportCoreTests", dependencies: ["TransportCore"]),
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
