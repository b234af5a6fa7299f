// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that users of the libraries neither fetch nor build what only benchmarks need.
// Run it with `make bench` in the parent folder, or with `Benchmarks/run`.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "OpenHealthKit", path: "..")],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // Two small C programs: the baseline for imports, and a program that measures another process.
        .executableTarget(
            name: "expat-pass", path: "expat", linkerSettings: [.linkedLibrary("expat")]),
        .executableTarget(name: "measure", path: "measure"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CSQLite",
                .product(name: "HealthEngine", package: "OpenHealthKit"),
                .product(name: "HealthSQL", package: "OpenHealthKit"),
                .product(name: "HealthKit", package: "OpenHealthKit"),
                .product(name: "HealthWatcher", package: "OpenHealthKit"),
                .product(name: "CoreLocation", package: "OpenHealthKit"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
