import Foundation
import Testing

/// HK objects and records of the lower layers meet in the bridge of `HealthKit`: its folder `Records`, the query
/// reader and the store connection. Every other file of the target knows HK types and Swift values only.
@Suite("HK objects and records meet in the bridge only")
struct BridgeTests {
    private static let lowerLayers: Set<String> = [
        "HealthModel", "HealthPages", "HealthStorage", "HealthStorageSQLite", "HealthEngine",
    ]

    /// Public types of `HealthModel` that describe types and units instead of recording data. `Types` and `Units`
    /// are made of them.
    private static let vocabulary: Set<String> = [
        "TypeCode", "TypeDescription", "TypeKind", "TypeCatalog", "AggregationStyle",
        "UnitExpression", "UnitAtom", "UnitConversion", "UnitKind", "UnitPrefix", "UnitParsingError",
    ]

    /// Files that may do more than the rule, each with its reason. None today.
    private static let exceptions: [String: String] = [:]

    private enum Place {
        case bridge, vocabulary, outside
    }

    private static func place(_ path: String) -> Place {
        let parts = path.split(separator: "/").map(String.init)
        let (folder, file) = (parts.count > 3 ? parts[2] : "", parts.last ?? "")
        if folder == "Records" || file.hasPrefix("QueryReader") { return .bridge }
        if folder == "Store", file.hasPrefix("StoreConnection") || file == "EngineRegistry.swift" { return .bridge }
        return ["Types", "Units"].contains(folder) ? .vocabulary : .outside
    }

    private static var files: [URL] {
        House.swiftFiles("Sources/HealthKit").filter { exceptions[House.name($0)] == nil }
    }

    @Test("Imports of lower layers")
    func imports() throws {
        var bridge = 0
        for file in Self.files {
            let name = House.name(file)
            let found = Set(House.imports(try House.text(file))).intersection(Self.lowerLayers)
            switch Self.place(name) {
            case .bridge: bridge += found.isEmpty ? 0 : 1
            case .vocabulary: #expect(found.isSubset(of: ["HealthModel"]), "\(name) imports \(found.sorted())")
            case .outside: #expect(found.isEmpty, "\(name) imports \(found.sorted())")
            }
        }
        #expect(bridge > 10, "the bridge was not found")
    }

    @Test("Names of the types of lower layers")
    func names() throws {
        let records = try Self.recordNames()
        #expect(
            records.isSuperset(of: [
                "SampleRecord", "ObjectRecord", "Metadata", "SampleFilter", "StorageSnapshot", "HealthEngine", "Caller",
            ]))
        for file in Self.files where Self.place(House.name(file)) != .bridge {
            let text = try House.text(file)
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                for name in Self.types(in: line) where records.contains(name) {
                    Issue.record("\(House.name(file)):\(number + 1) names \(name)")
                }
            }
        }
    }

    @Test("The vocabulary exists, and exceptions have reasons and files")
    func lists() throws {
        let declared = try Self.publicTypes(["HealthModel"])
        #expect(Self.vocabulary.isSubset(of: declared), "\(Self.vocabulary.subtracting(declared).sorted())")
        for (name, reason) in Self.exceptions {
            #expect(reason.count > 20, "\(name)")
            #expect(FileManager.default.fileExists(atPath: House.root.appendingPathComponent(name).path), "\(name)")
        }
    }

    @Test("The rule finds what it forbids")
    func rule() throws {
        #expect(Self.types(in: "let record: SampleRecord? // ObjectRecord") == ["SampleRecord"])
        #expect(Self.types(in: "    /// Takes a ``SampleRecord``.").isEmpty)
        #expect(Self.types(in: "raise(\"SampleRecord is invalid\")").isEmpty)
        #expect(Self.place("Sources/HealthKit/Records/RecordEncoder.swift") == .bridge)
        #expect(Self.place("Sources/HealthKit/Workouts/QueryReader+Workouts.swift") == .bridge)
        #expect(Self.place("Sources/HealthKit/Store/StoreConnection+Profile.swift") == .bridge)
        #expect(Self.place("Sources/HealthKit/Workouts/StoreConnection.swift") == .outside)
        #expect(Self.place("Sources/HealthKit/Store/HKHealthStore+Work.swift") == .outside)
    }

    // MARK: - Reading sources

    /// Public top-level types of the layers whose types are records: all that are not vocabulary.
    private static func recordNames() throws -> Set<String> {
        try publicTypes(["HealthModel", "HealthStorage", "HealthEngine"]).subtracting(vocabulary)
    }

    private static func publicTypes(_ targets: [String]) throws -> Set<String> {
        var names: Set<String> = []
        for target in targets {
            for file in House.swiftFiles("Sources/\(target)") {
                names.formUnion(try declarations(file) { $0.hasPrefix("public ") })
            }
        }
        return names
    }

    /// The types that the lines of a file declare.
    private static func declarations(_ file: URL, where isIncluded: (Substring) -> Bool) throws -> Set<String> {
        var names: Set<String> = []
        let pattern = /^\s*(?:[a-z]+(?:\([a-z]+\))? )*(?:struct|class|enum|protocol|actor|typealias) ([A-Z]\w*)/
        for line in try House.text(file).split(separator: "\n") where isIncluded(line) {
            if let match = line.firstMatch(of: pattern) { names.insert(String(match.1)) }
        }
        return names
    }

    /// The capitalized identifiers in the code of a line that are not members, without comments and string literals.
    private static func types(in line: Substring) -> [String] {
        let code = line.replacing(/"(?:[^"\\]|\\.)*"/, with: "")
        let end = code.firstRange(of: "//")?.lowerBound ?? code.endIndex
        return code[..<end].matches(of: /\.?[A-Za-z_]\w*/).map { String($0.0) }.filter { $0.first?.isUppercase == true }
    }
}
