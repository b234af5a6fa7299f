// swift-tools-version: 6.1
import PackageDescription

let languageRules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// What lies below HealthKit is for the package above, whose name is that of its folder. The benchmarks measure it as part of that package.
let packageName = Context.packageDirectory.split(separator: "/").dropLast().last.map { name in
    String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
}

// A separate package, so that users of the libraries neither fetch nor build what only benchmarks need.
// Run it with `make bench` in the parent folder, or with `Benchmarks/run`.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "OpenHealthKit", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // Two small C programs: the baseline for imports, and a program that measures another process.
        .executableTarget(
            name: "expat-pass", path: "expat", linkerSettings: [.linkedLibrary("expat")]),
        .executableTarget(name: "measure", path: "measure"),
        // What the server is compared with: one route of the same library, with a constant body.
        .executableTarget(
            name: "constant-server",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: languageRules),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CSQLite",
                .product(name: "HealthEngine", package: "OpenHealthKit"),
                .product(name: "HealthStoragePostgreSQL", package: "OpenHealthKit"),
                .product(name: "HealthSQL", package: "OpenHealthKit"),
                .product(name: "HealthKit", package: "OpenHealthKit"),
                .product(name: "HealthWatcher", package: "OpenHealthKit"),
                .product(name: "HealthFixtures", package: "OpenHealthKit"),
                .product(name: "HealthTesting", package: "OpenHealthKit"),
                .product(name: "HealthSync", package: "OpenHealthKit"),
                // The server has the readers of devices' files.
                .product(name: "HealthServer", package: "OpenHealthKit"),
                .product(name: "CoreLocation", package: "OpenHealthKit"),
            ],
            packageAccess: false,
            swiftSettings: languageRules + [.unsafeFlags(["-package-name", packageName ?? ""])]),
    ],
    swiftLanguageModes: [.v6]
)
