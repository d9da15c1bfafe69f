// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MapDocs",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "DocumentStoreConformance", targets: ["DocumentStoreConformance"]),
        .library(name: "MapAuthoring", targets: ["MapAuthoring"]),
        .library(name: "MapDocs", targets: ["MapDocs"]),
        .library(name: "MapGeoPackage", targets: ["MapGeoPackage"]),
        .library(name: "MapGeodesy", targets: ["MapGeodesy"]),
        .library(name: "MapRendering", targets: ["MapRendering"]),
        .library(name: "MapStores", targets: ["MapStores"]),
    ],
    dependencies: [
        .package(path: "../HopeTokens"),
        .package(path: "../Transport"),
    ],
    targets: [
        // Core: geodesics on WGS84
        .target(name: "MapGeodesy"),
        .testTarget(
            name: "MapGeodesyTests",
            dependencies: ["MapGeodesy"],
            resources: [.copy("Fixtures")]
        ),

        // Core: camera and projection, documents, the edit session, the seams
        .target(
            name: "MapDocs",
            dependencies: [
                "MapGeodesy",
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "MapDocsTests",
            dependencies: [
                "DocumentStoreConformance",
                "MapDocs",
                "MapGeodesy",
                .product(name: "HopeTokens", package: "HopeTokens"),
                .product(name: "TransportCore", package: "Transport"),
            ],
            resources: [.copy("Fixtures")]
        ),

        // Kit: the promises of a document store
        .target(
            name: "DocumentStoreConformance",
            dependencies: [
                "MapDocs",
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),

        // Backend: packages on SQLite
        .systemLibrary(
            name: "CMapSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .target(
            name: "MapGeoPackage",
            dependencies: [
                "CMapSQLite",
                "MapDocs",
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        // Other programs, and SQLite as they use it, for tests to compare with
        .target(
            name: "MapDocsPeers",
            dependencies: ["CMapSQLite"],
            path: "Tests/MapDocsPeers"
        ),
        .testTarget(
            name: "MapGeoPackageTests",
            dependencies: [
                "MapDocs",
                "MapDocsPeers",
                "MapGeoPackage",
                .product(name: "TransportCore", package: "Transport"),
            ],
            resources: [.copy("Fixtures")]
        ),

        // Backend: the real file system, stores and secrets in folders
        .target(name: "CMapLinux"),
        .target(
            name: "MapStores",
            dependencies: [
                "CMapLinux",
                "MapDocs",
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        // A publisher of its own process, for tests to kill and to race
        .executableTarget(
            name: "MapStoresTestPublisher",
            dependencies: [
                "MapDocs",
                "MapStores",
                .product(name: "TransportCore", package: "Transport"),
            ],
            path: "Tests/MapStoresTestPublisher"
        ),
        .testTarget(
            name: "MapStoresTests",
            dependencies: [
                "DocumentStoreConformance",
                "MapDocs",
                "MapStoresTestPublisher",
                "MapStores",
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportTLS", package: "Transport"),
            ]
        ),

        // Backend: making packages and importing into them
        .target(
            name: "MapAuthoring",
            dependencies: [
                "MapDocs",
                "MapGeoPackage",
                .product(name: "TransportCore", package: "Transport"),
            ]
        ),
        .testTarget(
            name: "MapAuthoringTests",
            dependencies: [
                "MapAuthoring",
                "MapDocs",
                "MapDocsPeers",
                "MapGeoPackage",
                .product(name: "TransportCore", package: "Transport"),
            ],
            resources: [.copy("Fixtures")]
        ),

        // The core on its real backends
        .testTarget(
            name: "MapDocsIntegrationTests",
            dependencies: [
                "MapAuthoring",
                "MapDocs",
                "MapGeoPackage",
                "MapStores",
                .product(name: "TransportCore", package: "Transport"),
                .product(name: "TransportTLS", package: "Transport"),
            ]
        ),

        // Backend: pictures of a map
        .target(
            name: "MapRendering",
            dependencies: [
                "MapDocs",
                .product(name: "HopeRaster", package: "HopeTokens"),
                .product(name: "HopeTokens", package: "HopeTokens"),
            ]
        ),
        .testTarget(
            name: "MapRenderingTests",
            dependencies: [
                "MapDocs",
                "MapRendering",
                .product(name: "HopeRaster", package: "HopeTokens"),
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
