// swift-tools-version: 6.1
import PackageDescription

// An application, which has `traits: []` in its manifest, resolves GRDB and swift-log. The trait adds the packages of what serves, encrypts
// or sends. Targets that can't do without them depend on ServerTrait, which can't be compiled without the trait.
let server = TargetDependencyCondition.when(traits: ["Server"])
let serverOnLinux = TargetDependencyCondition.when(platforms: [.linux], traits: ["Server"])

// Full RELRO of every program, also in a debug build. SwiftPM calls linker options unsafe: another package can't depend on the product hk.
let hardened: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux]))]

// One target per layer, listed from the bottom to the top. A target imports only those that are
// listed before it; Tests/ArchitectureTests checks that against the sources.
let house: [Target] = [
    .target(name: "ServerTrait"),
    .target(name: "HealthModel"),
    .target(name: "HealthJSON", dependencies: ["HealthModel"]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "HealthCompression", dependencies: ["CZlib"]),
    .target(name: "HealthPages", dependencies: ["HealthModel"]),
    .target(name: "HealthStorage", dependencies: ["HealthModel"]),
    .target(
        name: "HealthStorageFiles",
        dependencies: [
            "HealthModel", "HealthStorage", .product(name: "GRDBSQLite", package: "GRDB.swift"),
            .product(name: "Crypto", package: "swift-crypto", condition: server),
            .product(name: "CryptoExtras", package: "swift-crypto", condition: server),
        ]),
    .target(
        name: "HealthStorageSQLite",
        dependencies: [
            "HealthModel", "HealthStorage", "HealthStorageFiles", .product(name: "GRDB", package: "GRDB.swift"),
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]),
    // Only the headers of libpq and libqrencode: the libraries are opened when a program connects, or draws a code.
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
    .target(name: "HealthStoragePostgreSQL", dependencies: ["HealthModel", "HealthStorage", "CPostgreSQL"]),
    .target(name: "HealthEngine", dependencies: ["HealthModel", "HealthPages", "HealthStorage"]),
    // No part of an application: storing and reading many rows at a time, for archives, devices, changes, exports, checks
    // and copies.
    .target(name: "HealthImport", dependencies: ["HealthModel", "HealthPages", "HealthStorage", "HealthEngine"]),
    // SQLite's allocator and temporary files, which count what a thread takes.
    .target(name: "CSQLiteBounds", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
        name: "HealthSQL",
        dependencies: [
            "CSQLiteBounds", "HealthModel", "HealthJSON", "HealthStorage", "HealthEngine",
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]),
    .target(
        name: "HealthFormats",
        dependencies: [
            "HealthModel", "HealthJSON", "HealthStorage", "HealthStorageFiles", "HealthEngine", "HealthSQL",
        ]),
    // Access to a server: people, tokens, sessions, passwords and the log of accesses, without HTTP.
    .target(
        name: "HealthAccess",
        dependencies: [
            "ServerTrait", "HealthModel", "HealthJSON", "HealthStorage", "HealthStorageFiles",
            "HealthStoragePostgreSQL", "HealthEngine", "HealthFormats",
            .product(name: "Crypto", package: "swift-crypto", condition: server),
            .product(name: "CryptoExtras", package: "swift-crypto", condition: server),
            .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    .target(name: "HealthCohort", dependencies: ["HealthModel", "HealthEngine"]),
    .target(
        name: "HealthBackup",
        dependencies: [
            "ServerTrait", "HealthModel", "HealthPages", "HealthStorage", "HealthStorageFiles", "HealthStorageSQLite",
            "HealthEngine", "HealthImport", "HealthAccess",
            .product(name: "Crypto", package: "swift-crypto", condition: server),
            .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]),
    .target(name: "CoreLocation"),
    .target(name: "UniformTypeIdentifiers"),
    // A module that applications don't import: in HealthKit, its NSComparisonPredicate would make the name of Foundation's
    // ambiguous in every application.
    .target(name: "PredicateTypes"),
    .target(
        name: "HealthKit",
        dependencies: [
            "CoreLocation", "UniformTypeIdentifiers", "PredicateTypes", "HealthModel", "HealthEngine", "HealthStorage",
            "HealthStorageFiles", "HealthStorageSQLite", .product(name: "Logging", package: "swift-log"),
        ]),
    .target(name: "HealthInsights", dependencies: ["CoreLocation", "HealthKit"]),
    .target(
        name: "HealthAnswers",
        dependencies: [
            "HealthModel", "HealthJSON", "HealthEngine", "HealthImport", "HealthSQL", "HealthFormats", "HealthKit",
            "HealthInsights",
        ]),
    // The header of the C library, and the structures of Arrow's C data interface.
    .systemLibrary(name: "COpenHealthKit"),
    .target(
        name: "HealthArrow",
        dependencies: [
            "COpenHealthKit", "HealthModel", "HealthJSON", "HealthEngine", "HealthSQL", "HealthFormats",
            "HealthAnswers",
        ]),
    .target(name: "HealthKitUI", dependencies: ["HealthKit", "HealthInsights"]),
    // What files of every kind are read with: byte sources, archives, XML, and an import's options, report and errors.
    .target(
        name: "HealthFiles",
        dependencies: [
            "HealthModel", "HealthJSON", "HealthCompression", "HealthStorage", "HealthEngine", "HealthImport",
        ]),
    .target(
        name: "AppleHealthExport",
        dependencies: [
            "UniformTypeIdentifiers", "HealthModel", "HealthPages", "HealthJSON", "HealthStorage",
            "HealthStorageFiles", "HealthEngine", "HealthImport", "HealthFormats", "HealthCompression", "HealthFiles",
        ]),
    .target(name: "AppleHealthGenerator", dependencies: ["HealthModel", "HealthFiles", "AppleHealthExport"]),
    .target(
        name: "HealthDevices",
        dependencies: [
            "HealthModel", "HealthJSON", "HealthStorage", "HealthStorageFiles", "HealthEngine", "HealthSQL",
            "HealthFormats", "HealthFiles",
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]),
    // What comes in: the files at a path by the readers of two targets, and what an application posts.
    .target(
        name: "HealthIngest",
        dependencies: [
            "HealthModel", "HealthJSON", "HealthStorage", "HealthEngine", "HealthKit", "HealthFiles",
            "AppleHealthExport", "HealthDevices",
        ]),
    .target(
        name: "HealthLibrary",
        dependencies: [
            "COpenHealthKit", "HealthModel", "HealthJSON", "HealthCompression", "HealthStorage", "HealthStorageFiles",
            "HealthStorageSQLite", "HealthStoragePostgreSQL", "HealthEngine", "HealthSQL", "HealthFormats", "HealthKit",
            "HealthAnswers", "HealthArrow", "AppleHealthExport", "AppleHealthGenerator", "HealthIngest",
        ]),
    .target(
        name: "HealthWatcher",
        dependencies: [
            "HealthModel", "HealthStorageFiles", "HealthKit", .product(name: "Logging", package: "swift-log"),
        ]),
    .target(
        name: "HealthTesting",
        dependencies: ["HealthModel", "HealthStorage", "HealthEngine", "HealthKit"]),
    // Stores for tests from archives, store files and scenarios. Apart from HealthTesting, so that a test target that needs
    // none of them builds no code of archives.
    .target(
        name: "HealthFixtures",
        dependencies: [
            "HealthModel", "HealthStorage", "HealthStorageSQLite", "HealthEngine", "HealthImport", "HealthKit",
            "HealthFormats", "AppleHealthExport", "AppleHealthGenerator", "HealthTesting",
        ]),
    .target(
        name: "HealthSync",
        dependencies: [
            "HealthKit", "CoreLocation",
            .product(name: "AsyncHTTPClient", package: "async-http-client", condition: serverOnLinux),
            .product(name: "NIOCore", package: "swift-nio", condition: serverOnLinux),
            .product(name: "NIOFoundationCompat", package: "swift-nio", condition: serverOnLinux),
            .product(name: "NIOHTTP1", package: "swift-nio", condition: serverOnLinux),
        ]),
    .target(
        name: "HealthDaemon",
        dependencies: [
            "ServerTrait", "HealthModel", "HealthJSON", "HealthStorage", "HealthStorageFiles", "HealthEngine",
            "HealthFormats", "HealthKit", "HealthInsights",
            .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
            .product(name: "Crypto", package: "swift-crypto", condition: server),
            .product(name: "NIOCore", package: "swift-nio", condition: server),
            .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
            .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
        ]),
    // The page of the server: its files, and the languages that they speak.
    .target(name: "HealthDashboard", resources: [.copy("Page")]),
    .target(
        name: "HealthServer",
        dependencies: [
            "ServerTrait", "HealthModel", "HealthJSON", "HealthPages", "HealthStorage", "HealthStorageFiles",
            "HealthStorageSQLite",
            "HealthStoragePostgreSQL", "HealthEngine", "HealthImport",
            "HealthKit", "HealthAnswers", "HealthArrow", "HealthFormats", "HealthSQL", "HealthCohort",
            "AppleHealthExport", "AppleHealthGenerator", "HealthDevices", "HealthFiles", "HealthSync", "HealthIngest",
            "HealthDaemon", "HealthCompression", "HealthAccess", "HealthDashboard", "CQREncode",
            .product(name: "Crypto", package: "swift-crypto", condition: server),
            .product(name: "Hummingbird", package: "hummingbird", condition: server),
            .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
            .product(name: "HummingbirdTLS", package: "hummingbird", condition: server),
            .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
            .product(name: "NIOCore", package: "swift-nio", condition: server),
            .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
            .product(name: "NIOPosix", package: "swift-nio", condition: server),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
            .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
            .product(name: "Metrics", package: "swift-metrics", condition: server),
            .product(name: "Logging", package: "swift-log"),
        ]),
    .executableTarget(
        name: "hk",
        dependencies: [
            "ServerTrait", "HealthModel", "HealthJSON", "HealthCompression", "HealthStorage", "HealthStorageSQLite",
            "HealthStoragePostgreSQL", "HealthEngine", "HealthImport", "HealthKit", "HealthIngest",
            "HealthKitUI", "AppleHealthExport", "AppleHealthGenerator", "HealthDevices", "HealthInsights",
            "HealthAnswers",
            "HealthWatcher", "HealthSQL",
            "HealthFormats", "HealthCohort", "HealthBackup", "HealthStorageFiles", "HealthSync", "HealthServer",
            "HealthDaemon", "HealthAccess",
            .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
        ],
        linkerSettings: hardened),
]

// The programs are written as application authors write them, in Swift 5 mode as most still are.
let programs: [Target] = [
    "EnergyView", "ActivityRings", "StatisticsQuery", "SampleQuery", "Watcher", "WorkoutTracker", "BackgroundSteps",
].map {
    .executableTarget(
        name: $0,
        dependencies: $0 == "ActivityRings"
            ? ["HealthKit", "HealthKitUI"]
            : $0 == "WorkoutTracker" ? ["HealthKit", "CoreLocation"] : ["HealthKit"],
        path: "Examples/\($0)",
        swiftSettings: [.swiftLanguageMode(.v5)],
        linkerSettings: hardened)
}

// What the fuzz targets read with; see Tests/FuzzTests/FuzzTarget.swift.
let fuzzed: [Target.Dependency] = [
    "AppleHealthExport", "HealthAnswers", "HealthBackup", "HealthCompression", "HealthDevices",
    "HealthEngine", "HealthFiles", "HealthFormats", "HealthImport", "HealthIngest", "HealthJSON", "HealthKit",
    "HealthModel",
    "HealthPages",
    "HealthSQL", "HealthServer", "HealthStorage", "HealthSync", "HealthTesting", "HealthWatcher",
    .product(name: "NIOCore", package: "swift-nio", condition: server),
]

let tests: [Target] = [
    .testTarget(name: "HealthModelTests", dependencies: ["HealthModel"]),
    .testTarget(name: "HealthJSONTests", dependencies: ["HealthJSON", "HealthModel", "HealthTesting"]),
    .testTarget(name: "HealthCompressionTests", dependencies: ["HealthCompression"]),
    .testTarget(
        name: "HealthPagesTests", dependencies: ["HealthPages", "HealthModel"], exclude: ["Fixtures"]),
    .testTarget(
        name: "HealthStorageTests",
        dependencies: [
            "HealthStorage", "HealthModel", "HealthStorageSQLite", "HealthStorageFiles", "HealthBackup",
            "HealthTesting",
            "StorageContract",
            .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    // The requirements for a storage backend, and naive models to compare it with.
    .target(
        name: "StorageContract", dependencies: ["HealthModel", "HealthStorage", "HealthTesting"],
        path: "Tests/StorageContract"),
    // What the tests over PostgreSQL share: a separate server, the rule for statements.
    .target(name: "PostgreSQLTestSupport", path: "Tests/PostgreSQLTestSupport"),
    // Runs programs, and searches what they write to their standard error.
    .target(name: "ProcessTestSupport", path: "Tests/ProcessTestSupport"),
    .testTarget(
        name: "HealthStoragePostgreSQLTests",
        dependencies: [
            "HealthStoragePostgreSQL", "HealthStorage", "HealthStorageSQLite", "HealthModel", "HealthTesting",
            "StorageContract", "PostgreSQLTestSupport",
        ]),
    // Of the engine and HealthImport, which are compared with the same models of a store.
    .testTarget(
        name: "HealthEngineTests",
        dependencies: [
            "HealthEngine", "HealthImport", "HealthPages", "HealthStorage", "HealthStorageSQLite",
            "HealthStorageFiles", "HealthStoragePostgreSQL",
            "HealthModel", "HealthTesting", "StorageContract", "PostgreSQLTestSupport",
            .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    .testTarget(
        name: "HealthKitTests",
        dependencies: [
            "HealthKit", "CoreLocation", "UniformTypeIdentifiers", "HealthModel", "HealthEngine",
            "HealthStorage", "HealthStoragePostgreSQL", "HealthTesting", "PostgreSQLTestSupport",
        ]),
    .testTarget(
        name: "HealthSQLTests",
        dependencies: [
            "HealthSQL", "HealthEngine", "HealthImport", "HealthStorage", "HealthModel", "HealthTesting",
            "StorageContract",
        ]),
    .testTarget(
        name: "HealthFormatsTests",
        dependencies: [
            "HealthFormats", "HealthSQL", "HealthEngine", "HealthImport", "HealthStorage",
            "HealthModel",
            "HealthTesting", "StorageContract",
            .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    .testTarget(
        name: "HealthCohortTests", dependencies: ["HealthCohort", "HealthEngine", "HealthStorage", "HealthModel"]),
    .testTarget(
        name: "HealthBackupTests",
        dependencies: [
            "HealthBackup", "HealthAccess", "HealthStorageFiles", "HealthEngine", "HealthStorage",
            "HealthStorageSQLite", "HealthKit",
            "HealthModel",
        ]),
    // A program that kills another one, which writes a store, and checks what is left: make torture.
    .executableTarget(
        name: "torture",
        dependencies: [
            "HealthStorage", "HealthStorageSQLite", "HealthStorageFiles", "HealthEngine", "HealthImport", "HealthKit",
            "HealthModel",
            "HealthPages",
            "HealthWatcher", "AppleHealthExport", "ProcessTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
        ],
        path: "Tests/Torture", exclude: ["disk.c"]),
    .testTarget(
        name: "ReliabilityTests",
        dependencies: [
            "torture", "hk", "HealthBackup", "HealthStorageFiles", "HealthEngine", "HealthImport", "HealthKit",
            "HealthModel", "HealthStorage",
            "HealthStorageSQLite", "ProcessTestSupport",
        ],
        exclude: ["Fixtures"]),
    .testTarget(name: "FuzzTests", dependencies: fuzzed, exclude: ["Corpus"]),
    .testTarget(name: "UniformTypeIdentifiersTests", dependencies: ["UniformTypeIdentifiers"]),
    .testTarget(name: "HealthTestingTests", dependencies: ["HealthTesting", "HealthKit"]),
    // As an application's own target: public modules only.
    .testTarget(
        name: "HealthFixturesTests",
        dependencies: ["HealthFixtures", "HealthTesting", "AppleHealthGenerator", "HealthKit"]),
    // As an application's own target: public modules only, in both language modes of the day.
    .testTarget(
        name: "SnippetTests", dependencies: ["HealthTesting", "HealthKit"], path: "Tests/SnippetTests/Swift6"),
    .testTarget(
        name: "SnippetTestsSwift5", dependencies: ["HealthTesting", "HealthKit"],
        path: "Tests/SnippetTests/Swift5", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "CoreLocationTests", dependencies: ["CoreLocation"]),
    .testTarget(
        name: "HealthArrowTests",
        dependencies: [
            "HealthArrow", "COpenHealthKit", "HealthAnswers", "HealthKit", "HealthSQL", "HealthEngine", "HealthImport",
            "HealthStorage",
            "HealthJSON", "HealthModel",
        ]),
    // Loads the library that is built beside it, from Python, and asks hk's server.
    .testTarget(name: "PythonTests", dependencies: ["hk", "PostgreSQLTestSupport", "ProcessTestSupport"]),
    .testTarget(name: "HealthKitUITests", dependencies: ["HealthKitUI", "HealthInsights", "HealthKit"]),
    .testTarget(name: "HealthFilesTests", dependencies: ["HealthFiles", "HealthTesting", "ArchiveTestSupport"]),
    .testTarget(
        name: "AppleHealthExportTests",
        dependencies: [
            "AppleHealthExport", "HealthFiles", "HealthModel", "HealthPages", "HealthEngine", "HealthImport",
            "HealthFormats",
            "HealthStorage",
            "HealthStorageSQLite",
            "HealthKit", "HealthTesting", "CoreLocation", "UniformTypeIdentifiers",
            "AppleHealthGenerator",
            "ArchiveTestSupport", "ProcessTestSupport",
        ]),
    .testTarget(
        name: "AppleHealthGeneratorTests",
        dependencies: [
            "AppleHealthGenerator", "AppleHealthExport", "HealthFiles", "ArchiveTestSupport", "ProcessTestSupport",
        ]),
    .testTarget(
        name: "HealthDevicesTests",
        dependencies: [
            "HealthDevices", "HealthFiles", "HealthModel", "HealthFormats", "HealthEngine", "HealthStorage",
            "AppleHealthExport", "HealthCompression", "HealthTesting", "ArchiveTestSupport",
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]),
    .testTarget(
        name: "HealthIngestTests",
        dependencies: [
            "HealthIngest", "HealthFiles", "HealthModel", "HealthEngine", "HealthStorage", "ArchiveTestSupport",
        ]),
    // What the tests of archives share: generated archives of every iOS, byte sources, a check of XML.
    .target(
        name: "ArchiveTestSupport",
        dependencies: ["AppleHealthGenerator", "HealthFiles", "HealthTesting", "ProcessTestSupport"],
        path: "Tests/ArchiveTestSupport"),
    .testTarget(
        name: "HealthInsightsTests", dependencies: ["HealthInsights", "CoreLocation", "HealthKit", "HealthTesting"]),
    .testTarget(
        name: "HealthWatcherTests", dependencies: ["HealthWatcher", "HealthKit", "HealthEngine", "HealthStorageSQLite"]),
    .testTarget(
        name: "HealthSyncTests",
        dependencies: [
            "HealthSync", "HealthKit", "HealthTesting", "HealthModel", "HealthEngine", "HealthStorage", "CoreLocation",
            "HealthStorageSQLite", "ProcessTestSupport",
        ]),
    // Drives the page of hk's server in Chromium, and reads its sources.
    .testTarget(
        name: "HealthDashboardTests",
        dependencies: ["HealthDashboard", "HealthModel", "ProcessTestSupport", "hk"], exclude: ["Browser"]),
    .testTarget(
        name: "HealthAccessTests",
        dependencies: [
            "HealthAccess", "HealthStorage", "HealthStoragePostgreSQL", "PostgreSQLTestSupport",
            .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    .testTarget(
        name: "HealthServerTests",
        dependencies: [
            "HealthServer", "HealthAccess", "HealthDashboard", "HealthSync", "HealthKit", "HealthInsights",
            "HealthAnswers",
            "HealthDaemon",
            "HealthTesting", "StorageContract",
            "HealthEngine", "HealthImport", "HealthModel", "HealthJSON", "HealthStorage",
            "HealthStorageSQLite", "HealthStoragePostgreSQL", "HealthFormats",
            "HealthSQL", "HealthArrow", "HealthDevices",
            "AppleHealthExport", "AppleHealthGenerator", "PostgreSQLTestSupport", "ProcessTestSupport", "hk",
            .product(name: "Hummingbird", package: "hummingbird", condition: server),
            .product(name: "HummingbirdTesting", package: "hummingbird", condition: server),
            .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
            .product(name: "NIOCore", package: "swift-nio", condition: server),
            .product(name: "NIOPosix", package: "swift-nio", condition: server),
            .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
            .product(name: "Crypto", package: "swift-crypto", condition: server),
            .product(name: "Metrics", package: "swift-metrics", condition: server),
            .product(name: "Logging", package: "swift-log"),
        ]),
    .testTarget(
        name: "CommandLineTests",
        dependencies: [
            "hk", "BackgroundSteps", "HealthDaemon", "HealthEngine", "HealthStorage", "HealthStorageSQLite",
            "HealthTesting", "PostgreSQLTestSupport", "ProcessTestSupport", "ArchiveTestSupport",
            .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    .testTarget(
        name: "ExamplesTests",
        dependencies: [
            "HealthKit", "hk", "EnergyView", "ActivityRings", "StatisticsQuery", "SampleQuery", "Watcher",
            "WorkoutTracker", "ProcessTestSupport",
        ]),
    .testTarget(name: "ArchitectureTests", dependencies: ["ProcessTestSupport"]),
    // Every target of a library product, whose modules the test reads.
    .testTarget(
        name: "PublicAPITests",
        dependencies: [
            "HealthKit", "CoreLocation", "UniformTypeIdentifiers", "HealthKitUI", "HealthInsights", "HealthWatcher",
            "AppleHealthExport", "AppleHealthGenerator", "HealthFiles", "HealthModel", "HealthPages", "HealthStorage",
            "HealthStorageFiles", "HealthStorageSQLite", "HealthEngine", "HealthStoragePostgreSQL",
            "HealthSQL", "HealthFormats", "HealthCohort", "HealthTesting", "HealthFixtures", "HealthSync",
            "HealthServer", "HealthAccess", "ProcessTestSupport",
        ],
        exclude: ["Baseline"]),
    // An application's package, built with this one as its dependency.
    .testTarget(name: "OutsiderTests", dependencies: ["ProcessTestSupport"], exclude: ["Package"]),
]

let package = Package(
    name: "OpenHealthKit",
    products: [
        .library(name: "HealthKit", targets: ["HealthKit"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .library(name: "HealthKitUI", targets: ["HealthKitUI"]),
        .library(name: "HealthInsights", targets: ["HealthInsights"]),
        .library(name: "HealthWatcher", targets: ["HealthWatcher"]),
        .library(name: "AppleHealthExport", targets: ["AppleHealthExport", "HealthFiles"]),
        .library(name: "AppleHealthGenerator", targets: ["AppleHealthGenerator"]),
        .library(
            name: "HealthEngine",
            targets: [
                "HealthModel", "HealthPages", "HealthStorage", "HealthStorageFiles", "HealthStorageSQLite",
                "HealthEngine", "HealthImport",
            ]),
        .library(name: "HealthStoragePostgreSQL", targets: ["HealthStoragePostgreSQL"]),
        .library(name: "HealthSQL", targets: ["HealthSQL", "HealthFormats"]),
        .library(name: "HealthCohort", targets: ["HealthCohort"]),
        .library(name: "HealthTesting", targets: ["HealthTesting"]),
        .library(name: "HealthFixtures", targets: ["HealthFixtures", "AppleHealthGenerator"]),
        .library(name: "HealthSync", targets: ["HealthSync"]),
        .library(name: "HealthServer", targets: ["HealthAccess", "HealthServer"]),
        .library(name: "openhealthkit", type: .dynamic, targets: ["HealthLibrary"]),
        .executable(name: "hk", targets: ["hk"]),
    ],
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(
            name: "Server",
            description:
                "hk, the server, the daemon, encrypted stores, backups, and sync with AsyncHTTPClient."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: house + programs + tests,
    swiftLanguageModes: [.v6]
)

// `TESTS="HealthEngineTests ArchitectureTests" swift test` builds and runs only these test targets.
if let names = Context.environment["TESTS"]?.split(separator: " ") {
    package.targets.removeAll { $0.type == .test && !names.contains(Substring($0.name)) }
}

// `make fuzz` builds the fuzz targets as a program for libFuzzer instead; see Scripts/fuzz. Nothing else may need
// options that SwiftPM calls unsafe, because a package that has them can't be a dependency.
if Context.environment["OPENHEALTHKIT_FUZZ"] != nil {
    package.targets.removeAll { $0.name == "FuzzTests" }
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: fuzzed, path: "Tests/FuzzTests", exclude: ["Corpus", "FuzzTests.swift"],
            swiftSettings: [.define("LIBFUZZER"), .unsafeFlags(["-parse-as-library"])]))
}

// `make test` in continuous integration builds without the optimizer, which takes three times as long as the rest of a compilation,
// except for what stores and reads many samples, where tests spend their time. An option of the frontend comes after the build's -Onone.
// A variable of its own, because packages that depend on this one are built where CI is set, too.
if let name = Context.environment["OPENHEALTHKIT_TEST_BUILD"], !name.isEmpty {
    let optimized: Set = [
        "HealthModel", "HealthJSON", "HealthCompression", "HealthPages", "HealthStorage", "HealthStorageFiles",
        "HealthStorageSQLite", "HealthEngine", "HealthImport", "HealthSQL", "HealthFormats", "HealthFiles",
        "AppleHealthExport", "AppleHealthGenerator",
    ]
    for target in house where optimized.contains(target.name) {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(["-Xfrontend", "-O", "-Xfrontend", "-enable-default-cmo"])]
    }
}

// The same language rules for every target but those that stand for applications: existentials are spelled, a member is
// visible only through its own module's import, and an import is internal unless it says otherwise.
let applications = Set(programs.map(\.name) + ["SnippetTests", "SnippetTestsSwift5"])
for target in package.targets where target.type != .system && !applications.contains(target.name) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
        ]
}
