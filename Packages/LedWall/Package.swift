// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "LedWall",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "LedWall", targets: ["LedWall"]),
        .library(name: "LedWallConformance", targets: ["LedWallConformance"]),
        .library(name: "LedWallRendering", targets: ["LedWallRendering"]),
    ],
    dependencies: [
        .package(path: "../HopeTokens")
    ],
    targets: [
        // The wall itself: grid, frames, motion, layout, pacing and the seam for renderers.
        .target(
            name: "LedWall",
            dependencies: [.product(name: "HopeTokens", package: "HopeTokens")]
        ),
        .testTarget(
            name: "LedWallTests",
            dependencies: ["LedWall", .product(name: "HopeTokens", package: "HopeTokens")],
            resources: [.copy("Fixtures")]
        ),

        // Backends: terminal and PNG.
        .target(
            name: "LedWallRendering",
            dependencies: [
                "LedWall",
                .product(name: "HopeRaster", package: "HopeTokens"),
                .product(name: "HopeTokens", package: "HopeTokens"),
            ]
        ),
        .testTarget(
            name: "LedWallRenderingTests",
            dependencies: [
                "LedWall",
                "LedWallConformance",
                "LedWallRendering",
                .product(name: "HopeRaster", package: "HopeTokens"),
                .product(name: "HopeTokens", package: "HopeTokens"),
            ]
        ),

        // The laws of a renderer, for whoever writes another one.
        .target(
            name: "LedWallConformance",
            dependencies: ["LedWall"]
        ),
        .testTarget(
            name: "LedWallConformanceTests",
            dependencies: ["LedWall", "LedWallConformance"]
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
