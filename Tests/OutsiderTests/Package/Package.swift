// swift-tools-version: 6.1
import PackageDescription

// An application that tests its HealthKit code, as OutsiderTests copies it to another folder. What it also uses there is in USES.
let uses = Context.environment["USES"] ?? ""

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "OpenHealthKit") }

let package = Package(
    name: "Outsider",
    dependencies: [.package(name: "OpenHealthKit", path: Context.environment["OPENHEALTHKIT"]!, traits: [])],
    targets: [.testTarget(name: "AppTests", dependencies: [product("HealthKit"), product("HealthTesting")])]
        + (uses == "HealthSync" ? [.testTarget(name: "SyncTests", dependencies: [product("HealthSync")])] : [])
        + (uses == "HealthServer" ? [.target(name: "Serving", dependencies: [product("HealthServer")])] : [])
)
