import Foundation
import Testing

@Suite("A target imports only what is below it")
struct LayerTests {
    @Test("The manifest states the dependency graph once, from the bottom up")
    func order() {
        #expect(SourceTree.layers.count >= 18)
        for (index, layer) in SourceTree.layers.enumerated() {
            let lower = Set(SourceTree.layers[..<index].map(\.target))
            #expect(
                layer.dependencies.isSubset(of: lower),
                "\(layer.target) depends on \(layer.dependencies.subtracting(lower))")
        }
    }

    @Test("A target imports its dependencies and no other target", arguments: SourceTree.layers.map(\.target))
    func imports(target: String) throws {
        let declared = SourceTree.layers.first { $0.target == target }?.dependencies ?? []
        let own = Set(SourceTree.layers.map(\.target))
        let files = SourceTree.swiftFiles("Sources/\(target)")
        #expect(!files.isEmpty)
        var imported: Set<String> = []
        for file in files {
            for module in SourceTree.imports(try SourceTree.text(file)) where own.contains(module) {
                #expect(declared.contains(module), "\(SourceTree.name(file)) imports \(module)")
                imported.insert(module)
            }
        }
        #expect(imported == declared, "\(target) declares \(declared.subtracting(imported)) without importing it")
    }

    @Test("Every folder of Sources is a target")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: SourceTree.root.appendingPathComponent("Sources").path)
        #expect(
            Set(folders)
                == Set(SourceTree.layers.map(\.target)).union(SourceTree.cLibraries).union([SourceTree.traitGuard])
        )
    }

    @Test("Without the trait, GRDB and swift-log are resolved, and a target that needs more isn't compiled")
    func trait() throws {
        let manifest = try SourceTree.text(SourceTree.root.appendingPathComponent("Package.swift"))
        let products = manifest.matches(of: /\.product\(\s*name: "(\w+)",\s*package: "([^"]+)"([^)]*)\)/)
        #expect(products.count == manifest.matches(of: /\.product\(/).count)
        for match in products {
            let isFree = ["GRDB.swift", "swift-log"].contains(match.2)
            #expect(isFree == !match.3.contains("condition: server"), "\(match.0)")
        }
        // These do without: HealthSync sends with URLSession, and stores aren't encrypted.
        let optional: Set<String> = ["HealthSync", "HealthStorageFiles"]
        for layer in SourceTree.layers {
            #expect(layer.usesTrait == (layer.isGuarded || optional.contains(layer.target)), "\(layer.target)")
        }
        let modules = Set(products.filter { $0.3.contains("condition: server") }.map { String($0.1) })
        for layer in SourceTree.layers where !layer.isGuarded {
            for file in SourceTree.swiftFiles("Sources/\(layer.target)") {
                let rest = try SourceTree.text(file).replacing(/(?s)#if Server\b.*?#(?:else|endif)/, with: "")
                #expect(modules.isDisjoint(with: SourceTree.imports(rest)), "\(SourceTree.name(file))")
            }
        }
        let free = [
            "HealthKit", "HealthTesting", "HealthKitUI", "HealthInsights", "HealthWatcher", "HealthSync",
            "HealthEngine",
            "HealthStorageSQLite", "HealthStoragePostgreSQL", "AppleHealthExport", "AppleHealthGenerator", "HealthSQL",
            "HealthFormats", "HealthCohort",
        ]
        let guarded = Set(SourceTree.layers.filter(\.isGuarded).map(\.target))
        #expect(!guarded.isEmpty && !modules.isEmpty && Set(free).isSubset(of: SourceTree.layers.map(\.target)))
        for target in free {
            #expect(SourceTree.closure(target).union([target]).isDisjoint(with: guarded), "\(target)")
        }
    }

    @Test("Docs/DataPath.md draws the graph: a target depends on targets of lower lines only")
    func drawing() throws {
        let page = try SourceTree.text(SourceTree.root.appendingPathComponent("Docs/DataPath.md"))
        let block = try #require(page.split(separator: "```").dropFirst().first)
        let names = Set(SourceTree.layers.map(\.target))
        let lines = block.split(separator: "\n").map { line in
            Set(line.matches(of: /[A-Za-z]+/).map { String($0.0) }).intersection(names)
        }
        #expect(lines.reduce(into: Set()) { $0.formUnion($1) } == names)
        for layer in SourceTree.layers {
            guard let index = lines.firstIndex(where: { $0.contains(layer.target) }) else { continue }
            let lower = lines[(index + 1)...].reduce(into: Set()) { $0.formUnion($1) }
            #expect(layer.dependencies.isSubset(of: lower), "\(layer.target) is drawn beside or below a dependency")
        }
    }

    /// The targets that don't know HealthKit.
    static let belowTheAPI = SourceTree.layers.map(\.target).filter {
        $0 != "HealthKit" && !SourceTree.closure($0).contains("HealthKit")
    }

    /// The HK classes that code names; HKDF is a function of cryptography.
    private static func classes(in code: String) -> [String] {
        code.matches(of: /\bHK[A-Z][A-Z0-9]*[a-z]\w*/).map { String($0.0) }
    }

    @Test("Below the API no code names an HK class", arguments: belowTheAPI)
    func names(target: String) throws {
        for file in SourceTree.swiftFiles("Sources/\(target)") {
            let names = Self.classes(in: SourceTree.code(try SourceTree.text(file)))
            #expect(names.isEmpty, "\(SourceTree.name(file)) names \(names)")
        }
    }

    @Test("Names of HK classes are found")
    func classNames() {
        #expect(Self.belowTheAPI.contains("HealthEngine") && Self.belowTheAPI.contains("HealthStorageFiles"))
        #expect(Self.classes(in: "HKDF<SHA256>.self, [HKUnit](), HKGAD7Assessment") == ["HKUnit", "HKGAD7Assessment"])
    }

    @Test(
        "Only the SQLite backend, its files, their salvage, the SQL tables, the file of tokens and Health Connect's databases use SQLite"
    )
    func sqlite() throws {
        for layer in SourceTree.layers
        where !["HealthStorageFiles", "HealthStorageSQLite", "HealthSQL"].contains(layer.target) {
            for file in SourceTree.swiftFiles("Sources/\(layer.target)")
            where ![
                "AccessFile.swift", "UntrustedDatabase.swift", "HealthConnectDatabase.swift", "SQLiteSalvage.swift",
            ].contains(file.lastPathComponent) {
                #expect(
                    !SourceTree.imports(try SourceTree.text(file)).contains { $0.hasPrefix("GRDB") },
                    "\(SourceTree.name(file))")
            }
        }
    }

    @Test("Only the PostgreSQL backend uses PostgreSQL's client")
    func postgreSQL() throws {
        for layer in SourceTree.layers where layer.target != "HealthStoragePostgreSQL" {
            for file in SourceTree.swiftFiles("Sources/\(layer.target)") {
                #expect(
                    !SourceTree.imports(try SourceTree.text(file)).contains("CPostgreSQL"), "\(SourceTree.name(file))")
            }
        }
    }

    @Test("An application's package builds without image and archive code")
    func application() throws {
        let carried = SourceTree.closure("HealthKit").union(SourceTree.closure("HealthTesting"))
        #expect(carried.isSuperset(of: ["HealthKit", "HealthEngine", "HealthStorageSQLite"]))
        #expect(
            carried.isDisjoint(with: [
                "HealthFiles", "AppleHealthExport", "AppleHealthGenerator", "HealthKitUI", "HealthStoragePostgreSQL",
            ]))
        for target in carried {
            for file in SourceTree.swiftFiles("Sources/\(target)") {
                let imports = try SourceTree.imports(SourceTree.text(file))
                #expect(
                    Set(imports).isDisjoint(with: ["HealthCompression", "CPostgreSQL"]),
                    "\(SourceTree.name(file))")
            }
        }
    }

    @Test("The code of a file is what comments and strings leave")
    func code() {
        let text = """
            let a = "HKString \\(b("HKInner")) end" // HKComment
            let c = HKName.self
            """
        #expect(SourceTree.code(text) == "let a = \"\" \nlet c = HKName.self")
    }

    @Test("Example programs import what application authors have")
    func programs() throws {
        // The template of an app, and the modules that it may need, are separate packages with tests.
        let files = SourceTree.swiftFiles("Examples").filter { file in
            !["/AppTemplate/", "/AppleModules/", "/CompanionApp/"].contains { file.path.contains($0) }
        }
        #expect(files.count >= 5)
        for file in files {
            let text = try SourceTree.text(file)
            let imports = Set(SourceTree.imports(text))
            #expect(
                imports.isSubset(of: ["Foundation", "HealthKit", "HealthKitUI", "CoreLocation"]),
                "\(SourceTree.name(file))")
            #expect(!text.contains("#if"), "\(SourceTree.name(file)) has a line about a platform")
            // HKWorkoutConfiguration is Apple's.
            let rest = text.replacingOccurrences(of: "HKWorkoutConfiguration", with: "")
                .replacingOccurrences(of: "orkoutConfiguration:", with: "")
            #expect(!rest.contains("Configuration"), "\(SourceTree.name(file)) uses an addition of this package")
        }
    }
}
