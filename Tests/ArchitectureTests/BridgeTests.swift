import Foundation
import Testing

/// HK objects and the records of the lower layers meet in `HealthKit`, in one direction: an object's file, or the
/// conversion beside it, knows the record; no record knows an object. The engine itself is used by the store connection and the
/// query reader only, which each family extends in its own folder.
@Suite("Objects know records, and no record knows an object")
struct BridgeTests {
    /// The targets on which HealthKit is built, without the modules whose types applications use.
    private static let lowerLayers = SourceTree.closure("HealthKit")
        .subtracting(["CoreLocation", "UniformTypeIdentifiers", "PredicateTypes"])

    /// Classes of values, which fields and metadata contain like numbers.
    private static let values: Set<String> = ["HKQuantity", "HKUnit"]

    /// The files besides the store connection and the query reader that name the engine or import its storage, with the
    /// reason.
    private static let engineFiles: [String: String] = [
        "EngineRegistry.swift": "It opens the engines of the process.",
        "RecordDecoder.swift": "Deletions are read as the storage has them.",
        "WorkoutMembers.swift": "The samples of a workout that is being built are identified as the storage does.",
    ]

    @Test("The types of lower layers are not part of the module's interface, except the engine that a store returns")
    func interface() throws {
        var imported: Set<String> = []
        for file in SourceTree.swiftFiles("Sources/HealthKit") {
            for line in try SourceTree.text(file).split(separator: "\n") where line.contains("import ") {
                guard let module = SourceTree.imports(String(line)).first, Self.lowerLayers.contains(module) else {
                    continue
                }
                imported.insert(module)
                guard file.lastPathComponent != "EngineRegistry.swift" else { continue }
                #expect(!line.hasPrefix("public ") && !line.hasPrefix("@"), "\(SourceTree.name(file)): \(line)")
            }
        }
        #expect(imported.isSuperset(of: ["HealthModel", "HealthEngine", "HealthStorageSQLite"]))
    }

    @Test("No extension of a record names an object's class")
    func records() throws {
        let records = try Self.types(Self.lowerLayers) { $0.contains("struct ") || $0.contains("enum ") }
        let classes = try Self.types(["HealthKit"]) { $0.contains("class ") }
            .filter { $0.hasPrefix("HK") }.union(["HKObject"])
        #expect(records.isSuperset(of: ["SampleRecord", "ObjectRecord", "Metadata", "SampleFilter"]))
        #expect(classes.isSuperset(of: ["HKSample", "HKWorkout", "HKSource", "HKQuantity"]))
        for file in SourceTree.swiftFiles("Sources/HealthKit") {
            for found in Self.violations(
                in: SourceTree.code(try SourceTree.text(file)), records, classes.subtracting(Self.values))
            {
                Issue.record("\(SourceTree.name(file)): \(found)")
            }
        }
    }

    @Test("The engine and its storage are named by the store connection and the query reader")
    func engine() throws {
        var found: Set<String> = []
        for file in SourceTree.swiftFiles("Sources/HealthKit") {
            let (name, text) = (file.lastPathComponent, try SourceTree.text(file))
            let isNamed = SourceTree.code(text).split(separator: "\n").contains { line in
                !line.contains("import ") && line.contains(/\bHealthEngine\b/)
            }
            guard isNamed || SourceTree.imports(text).contains(where: { $0.hasPrefix("HealthStorage") }) else {
                continue
            }
            guard !name.hasPrefix("StoreConnection"), !name.hasPrefix("QueryReader") else { continue }
            #expect(Self.engineFiles[name] != nil, "\(SourceTree.name(file))")
            found.insert(name)
        }
        #expect(found == Set(Self.engineFiles.keys), "\(Set(Self.engineFiles.keys).subtracting(found).sorted())")
    }

    @Test("The rule finds what it forbids")
    func rule() {
        let code = """
            extension SampleRecord {
                init(_ sample: HKQuantitySample) {}
            }

            extension Metadata {
                var quantity: HKQuantity? { nil }
            }

            extension HKSample {
                var record: SampleRecord? { nil }
            }
            """
        let found = Self.violations(in: code, ["SampleRecord", "Metadata"], ["HKQuantitySample", "HKSample"])
        #expect(found == ["the extension of SampleRecord names HKQuantitySample"])
    }

    // MARK: - Reading sources

    /// The names in extensions of records that they must not have.
    private static func violations(in code: String, _ records: Set<String>, _ classes: Set<String>) -> [String] {
        var found: [String] = []
        var record: String?
        for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.firstMatch(of: /^(?:[a-z]+ )*extension \[?(\w+)/) {
                record = records.contains(String(match.1)) ? String(match.1) : nil
            } else if line.hasPrefix("}") {
                record = nil
            } else if let record {
                // A type that is nested in a class is another type.
                for match in line.matches(of: /\bHK[A-Z]\w*\b(?!\.[A-Z])/) where classes.contains(String(match.0)) {
                    found.append("the extension of \(record) names \(match.0)")
                }
            }
        }
        return found
    }

    /// The types that the sources of targets declare at the top level, in lines that a condition selects.
    private static func types(_ targets: Set<String>, where isIncluded: (Substring) -> Bool) throws -> Set<String> {
        var names: Set<String> = []
        let pattern = /^(?:[a-z]+ )*(?:struct|class|enum|protocol|actor) ([A-Z]\w*)/
        for target in targets {
            for file in SourceTree.swiftFiles("Sources/\(target)") {
                for line in try SourceTree.text(file).split(separator: "\n") where isIncluded(line) {
                    if let match = line.firstMatch(of: pattern) { names.insert(String(match.1)) }
                }
            }
        }
        return names
    }
}
