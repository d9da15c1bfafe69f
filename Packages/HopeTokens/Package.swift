// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HopeTokens",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "HopeRaster", targets: ["HopeRaster"]),
        .library(name: "HopeTokens", targets: ["HopeTokens"]),
    ],
    targets: [
        // Core: values, motion, contrast
        .target(name: "HopeTokens"),
        .testTarget(name: "HopeTokensTests", dependencies: ["HopeTokens"]),

        // Pixels
        .systemLibrary(
            name: "CHopeZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .target(name: "HopeRaster", dependencies: ["CHopeZlib", "HopeTokens"]),
        .testTarget(name: "HopeRasterTests", dependencies: ["CHopeZlib", "HopeRaster", "HopeTokens"]),
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
