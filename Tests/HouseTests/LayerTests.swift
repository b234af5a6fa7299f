import Foundation
import Testing

@Suite("A target imports only what stands below it")
struct LayerTests {
    @Test("Imports of each target", arguments: House.layers.map(\.target))
    func imports(target: String) throws {
        let below = House.layers.first { $0.target == target }?.below ?? []
        let own = Set(House.layers.map(\.target))
        let files = House.swiftFiles("Sources/\(target)")
        #expect(!files.isEmpty)
        for file in files {
            for module in House.imports(try House.text(file)) where own.contains(module) {
                #expect(below.contains(module), "\(House.name(file)) imports \(module)")
            }
        }
    }

    @Test("Targets stand in order: nobody names one above")
    func order() {
        for (index, layer) in House.layers.enumerated() {
            let lower = Set(House.layers[..<index].map(\.target))
            #expect(layer.below.isSubset(of: lower))
        }
    }

    @Test("Every folder of Sources is a target of the house")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: House.root.appendingPathComponent("Sources").path)
        let known = Set(House.layers.map(\.target)).union(["CRSVG", "CZlib"])
        #expect(Set(folders).subtracting(known).isEmpty)
    }

    @Test("Below the API nothing names an HK class, and only the SQLite backend knows GRDB")
    func words() throws {
        for layer in ["HealthModel", "HealthPages", "HealthStorage", "HealthStorageSQLite", "HealthEngine"] {
            for file in House.swiftFiles("Sources/\(layer)") {
                let imports = House.imports(try House.text(file))
                #expect(!imports.contains("HealthKit"), "\(House.name(file))")
                #expect(layer == "HealthStorageSQLite" || !imports.contains { $0.hasPrefix("GRDB") }, "\(House.name(file))")
            }
        }
    }

    @Test("Programs of app authors import what app authors have")
    func programs() throws {
        let files = House.swiftFiles("Examples")
        #expect(files.count >= 5)
        for file in files {
            let text = try House.text(file)
            let imports = Set(House.imports(text))
            #expect(imports.isSubset(of: ["Foundation", "HealthKit", "HealthKitUI", "CoreLocation"]), "\(House.name(file))")
            #expect(!text.contains("#if"), "\(House.name(file)) has a line about a platform")
            // Workouts have a configuration of the original's.
            let rest = text.replacingOccurrences(of: "HKWorkoutConfiguration", with: "")
                .replacingOccurrences(of: "workoutConfiguration:", with: "")
            #expect(!rest.contains("Configuration"), "\(House.name(file)) calls an addition of ours")
        }
    }
}
