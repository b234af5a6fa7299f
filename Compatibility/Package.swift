// swift-tools-version: 6.1
import PackageDescription

// Tests of HealthKit's values, which need no store and no device: the files are those of Tests/HealthKitTests, by symbolic links. On an Apple
// system they test Apple's framework, on Linux this one. See Docs/ApplePlatforms.md.
let package = Package(
    name: "Compatibility",
    platforms: [.iOS("27.0"), .macOS("27.0")],
    dependencies: [.package(name: "OpenHealthKit", path: "..", traits: [])],
    targets: [
        .testTarget(
            name: "ValueTests",
            dependencies: [
                .product(name: "HealthKit", package: "OpenHealthKit", condition: .when(platforms: [.linux]))
            ])
    ]
)
