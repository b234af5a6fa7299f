// swift-tools-version: 6.1
import PackageDescription

// A package of its own: nobody who uses the libraries builds or fetches what only measuring needs.
// Run it by `make bench` in the folder above, or by `Benchmarks/run`.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "OpenHealthKit", path: "..")],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // Two small C programs: the yardstick of the import, and what times a process from outside.
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
