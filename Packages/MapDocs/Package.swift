// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MapDocs",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "MapDocs", targets: ["MapDocs"])
    ],
    dependencies: [
        .package(path: "../HopeTokens"),
        .package(path: "../Transport"),
    ],
    targets: [
        // Core: camera and projection, documents and the store they are kept in
        .target(
            name: "MapDocs",
            dependencies: [
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "MapDocsTests",
            dependencies: [
                "MapDocs",
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "TransportCore", package: "Transport"),
            ],
            resources: [.copy("Fixtures")]
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
