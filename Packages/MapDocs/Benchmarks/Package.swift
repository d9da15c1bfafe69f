// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "MapDocsBenchmarks",
    platforms: [.iOS(.v18), .macOS(.v15)],
    dependencies: [
        .package(path: "../"),
        .package(path: "../../Transport"),
    ],
    targets: [
        .executableTarget(
            name: "GeodesicBenchmark",
            dependencies: [.product(name: "MapGeodesy", package: "MapDocs")]
        ),
        .executableTarget(
            name: "HitTestBenchmark",
            dependencies: [
                .product(name: "MapDocs", package: "MapDocs"),
                .product(name: "MapGeoPackage", package: "MapDocs"),
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .executableTarget(
            name: "PublishBenchmark",
            dependencies: [
                .product(name: "MapDocs", package: "MapDocs"),
                .product(name: "MapGeoPackage", package: "MapDocs"),
                .product(name: "MapStores", package: "MapDocs"),
                .product(name: "TransportTLS", package: "Transport"),
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
