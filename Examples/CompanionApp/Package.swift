// swift-tools-version: 6.1
import PackageDescription

// The logic of an app that exchanges samples with a server and loads seeds, without its views. An Xcode project links the product
// CompanionFeature and adds the files of App. HealthSync is of this package everywhere; HealthKit is the system's on an iPhone.
let linux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
    name: "CompanionApp",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [.library(name: "CompanionFeature", targets: ["CompanionFeature"])],
    dependencies: [
        // Of a checkout: .package(name: "OpenHealthKit", path: "../OpenHealthKit", traits: [])
        .package(url: "https://github.com/openhealthkit/OpenHealthKit", from: "0.1.0", traits: [])
    ],
    targets: [
        .target(
            name: "CompanionFeature",
            dependencies: [
                .product(name: "HealthKit", package: "OpenHealthKit", condition: linux),
                .product(name: "HealthSync", package: "OpenHealthKit"),
            ]),
        .testTarget(
            name: "CompanionFeatureTests",
            dependencies: [
                "CompanionFeature", .product(name: "HealthSync", package: "OpenHealthKit"),
                .product(name: "HealthKit", package: "OpenHealthKit", condition: linux),
                .product(name: "HealthTesting", package: "OpenHealthKit", condition: linux),
            ]),
    ]
)
