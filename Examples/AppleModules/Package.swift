// swift-tools-version: 6.1
import PackageDescription

// What code for Apple's systems imports besides HealthKit, for Linux: `os` and `OSLog`, over swift-log, and the declarations of
// observable objects.
//
// It is a package apart from OpenHealthKit, because every package of a build that asks `canImport(os)` finds the module, and only an
// application can decide that.
let package = Package(
    name: "AppleModules",
    products: [
        .library(name: "os", targets: ["os"]),
        .library(name: "OSLog", targets: ["OSLog"]),
        .library(name: "PublishedObjects", targets: ["PublishedObjects"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2")
    ],
    targets: [
        // A Swift module has no submodules: `import os.log` is found by a module map, which only targets that depend on this one get.
        .systemLibrary(name: "COSModule"),
        .target(name: "os", dependencies: ["COSModule", .product(name: "Logging", package: "swift-log")]),
        .target(name: "OSLog", dependencies: ["os"]),
        .target(name: "PublishedObjects"),
        .testTarget(name: "PublishedObjectsTests", dependencies: ["PublishedObjects"]),
        .testTarget(
            name: "OSLogTests", dependencies: ["os", "OSLog", .product(name: "Logging", package: "swift-log")]),
    ],
    swiftLanguageModes: [.v6]
)
