// swift-tools-version: 6.1
import PackageDescription

// The HealthKit code of an app, in a separate package beside the Xcode project, which links its product HealthFeature. On Apple's systems
// everything is the system's; on Linux, the modules of the same names are those of OpenHealthKit.
let linux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
    name: "AppTemplate",
    platforms: [.iOS(.v17), .watchOS(.v10), .macOS(.v14)],
    products: [.library(name: "HealthFeature", targets: ["HealthFeature"])],
    dependencies: [
        // Of a checkout: .package(name: "OpenHealthKit", path: "../OpenHealthKit", traits: [])
        .package(url: "https://github.com/openhealthkit/OpenHealthKit", from: "0.1.0", traits: [])
    ],
    targets: [
        .target(
            name: "HealthFeature",
            dependencies: [.product(name: "HealthKit", package: "OpenHealthKit", condition: linux)]),
        .testTarget(
            name: "HealthFeatureTests",
            dependencies: [
                "HealthFeature", .product(name: "HealthTesting", package: "OpenHealthKit", condition: linux),
            ]),
        // A target apart, because reading files of people takes more code to build than everything else here.
        .testTarget(
            name: "FixtureTests",
            dependencies: [
                "HealthFeature", .product(name: "HealthTesting", package: "OpenHealthKit", condition: linux),
                .product(name: "HealthFixtures", package: "OpenHealthKit", condition: linux),
            ],
            resources: [.copy("Fixtures")]),
    ]
)
