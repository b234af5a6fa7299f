import Foundation
import Testing

/// The tables in Scripts/tables state every fact about a data type. A type that is added there is known everywhere.
@Suite("A type is added in the tables")
struct AddedTypeTests {
    private static let scripts = [
        "generate-type-catalog.py", "generate-healthkit-symbols.py", "generate-python-types.py",
    ]

    /// A copy of the tables and their scripts, in a folder that is removed with it.
    private final class Copy {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("types-\(UUID().uuidString)")
        private var output: URL { root.appendingPathComponent("output") }

        init() throws {
            let scripts = root.appendingPathComponent("Scripts")
            try FileManager.default.createDirectory(at: scripts, withIntermediateDirectories: true)
            try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
            for name in ["tables"] + AddedTypeTests.scripts {
                try FileManager.default.copyItem(
                    at: SourceTree.root.appendingPathComponent("Scripts/\(name)"),
                    to: scripts.appendingPathComponent(name))
            }
        }

        deinit { try? FileManager.default.removeItem(at: root) }

        /// Appends a row to a table. Columns that aren't given are empty.
        func add(_ row: [String: String], to table: String) throws {
            let file = root.appendingPathComponent("Scripts/tables/\(table)")
            let text = try SourceTree.text(file)
            let columns = text.prefix { $0 != "\n" }.components(separatedBy: "\t")
            try #require(Set(row.keys).isSubset(of: columns), "\(table) has the columns \(columns)")
            let line = columns.map { row[$0] ?? "" }.joined(separator: "\t")
            try (text + line + "\n").write(to: file, atomically: true, encoding: .utf8)
        }

        /// Runs a script, and returns what it wrote to the standard error if it failed.
        func run(_ script: String) throws -> String? {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = [root.appendingPathComponent("Scripts/\(script)").path, output.path]
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let text = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return process.terminationStatus == 0 ? nil : String(decoding: text, as: UTF8.self)
        }

        func text(_ name: String) throws -> String { try SourceTree.text(output.appendingPathComponent(name)) }
    }

    private static let quantity = [
        "identifier": "moonlightExposure", "canonical unit": "min", "aggregation style": "cumulative",
        "writable": "yes", "since": "27.4", "category": "mindfulness", "name": "Time in Moonlight",
        "also called": "Moonlight", "Health Auto Export": "moon_time", "customary units": "min",
        "FHIR category": "activity", "LOINC": "99999-9 Moonlight", "Open mHealth": "moonlight 1.0; min=min; interval",
        "plausible range": "0 to 720 min",
    ]
    private static let category = [
        "identifier": "hiccups", "value enum": "HKCategoryValueSeverity", "writable": "yes", "since": "27.4",
        "category": "symptoms", "name": "Hiccups", "FHIR category": "survey",
    ]
    private static let object = [
        "short name": "dream", "identifier": "HKDataTypeIdentifierDream", "kind": "document", "writable": "no",
        "since": "27.4", "category": "sleep", "name": "Dreams",
    ]

    private static func copyWithTypes() throws -> Copy {
        let copy = try Copy()
        try copy.add(quantity, to: "quantity-types.tsv")
        try copy.add(category, to: "category-types.tsv")
        try copy.add(object, to: "object-types.tsv")
        for path in ["HKQuantityTypeIdentifier.moonlightExposure", "HKCategoryTypeIdentifier.hiccups"] {
            try copy.add(["kind": "type.property", "path": path], to: "healthkit-symbols.tsv")
        }
        return copy
    }

    @Test("It is in the catalog, and in everything that is generated from the tables")
    func isEverywhere() throws {
        let copy = try Self.copyWithTypes()
        for script in Self.scripts {
            let failure = try copy.run(script)
            #expect(failure == nil, "\(script): \(failure ?? "")")
        }
        let quantity = "HKQuantityTypeIdentifierMoonlightExposure"
        let expected: [(file: String, texts: [String])] = [
            // The catalog, which `hk types` and every other program reads.
            (
                "GENERATED-TypeCatalog.swift",
                [
                    "\"\(quantity)\", \"min\", .cumulative, customary: [\"min\"])",
                    "\"HKCategoryTypeIdentifierHiccups\", 0...4, \"HKCategoryValueSeverity\")",
                    "\"HKDataTypeIdentifierDream\", .document, isShareable: false)",
                ]
            ),
            ("GENERATED-TypeIdentifiers.swift", ["static var moonlightExposure:", "static var hiccups:"]),
            // Words, exports and the answer about types.
            (
                "GENERATED-TypeTables.swift",
                [
                    " \(quantity): Moonlight, Time in Moonlight\n", " \(quantity): mindfulness\n",
                    " \(quantity): activity\n", " \(quantity): 99999-9 Moonlight\n",
                    " \(quantity): moonlight 1.0; min=min; interval\n", " HKCategoryTypeIdentifierHiccups: symptoms\n",
                    " HKCategoryTypeIdentifierHiccups: survey\n", " HKDataTypeIdentifierDream: Dreams\n",
                ]
            ),
            (
                "GENERATED-AutoExportTypes.swift",
                [
                    " \(quantity): moon_time, moonlight_exposure, time_in_moonlight\n",
                    " HKCategoryTypeIdentifierHiccups: hiccups\n",
                ]
            ),
            ("GENERATED-SyncTypes.swift", [" MoonlightExposure\n", " Hiccups\n"]),
            ("GENERATED-TypeVersions.swift", [" \(quantity): 27.4\n", " HKDataTypeIdentifierDream: 27.4\n"]),
            ("GENERATED-PlausibleRanges.swift", [" \(quantity): 0 to 720 min\n"]),
            (
                "GENERATED-types.js",
                [
                    "  moonlightExposure: { category: \"mindfulness\", name: \"Time in Moonlight\", unit: \"min\", isSum: true },\n",
                    "  hiccups: { category: \"symptoms\", name: \"Hiccups\","
                        + " values: [\"unspecified\", \"notPresent\", \"mild\", \"moderate\", \"severe\"] },\n",
                    "  dream: { category: \"sleep\", name: \"Dreams\" },\n",
                ]
            ),
            ("_types.py", ["    \"moonlightExposure\",\n", "    \"hiccups\",\n"]),
        ]
        for (file, texts) in expected {
            let generated = try copy.text(file)
            for text in texts { #expect(generated.contains(text), "\(file) lacks \(text)") }
        }
    }

    @Test("It gets the next code, and the codes of others stay")
    func codes() throws {
        let copy = try Self.copyWithTypes()
        #expect(try copy.run("generate-type-catalog.py") == nil)
        func codes(_ text: String) -> [String: Int] {
            Dictionary(
                uniqueKeysWithValues: text.split(separator: "\n").map { line in
                    let parts = line.split(separator: "\t")
                    return (String(parts[0]), Int(parts[1]) ?? 0)
                })
        }
        let before = codes(try SourceTree.text(SourceTree.root.appendingPathComponent("Scripts/tables/type-codes.tsv")))
        let after = codes(try copy.text("type-codes.tsv"))
        #expect(before.allSatisfy { after[$0.key] == $0.value } && after.count == before.count + 3)
        let last = before.values.filter { $0 < 1_000 }.max() ?? 0
        #expect(after["HKQuantityTypeIdentifierMoonlightExposure"] == last + 1)
    }

    @Test("The German page reports it as a missing translation, with the entry", arguments: catalogues)
    func translations(catalogue: URL) throws {
        let copy = try Self.copyWithTypes()
        #expect(try copy.run("generate-type-catalog.py") == nil)
        // As PageTextsTests reports it for the types that there are.
        let known = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: catalogue)) as? [String: Any])
        let names = try copy.text("GENERATED-types.js").matches(of: /(?m)^  (\w+): \{ category:/).map { String($0.1) }
        #expect(Set(names.filter { known[$0] == nil }) == ["moonlightExposure", "hiccups", "dream"])
    }

    private static let catalogues: [URL] = {
        let folder = SourceTree.root.appendingPathComponent("Sources/HealthDashboard/Page/languages")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "json" }
    }()

    @Test(
        "A row that isn’t right is refused, with the table and the type",
        arguments: [
            (["category": "moods"], "category-types.tsv, hiccups: unknown category moods."),
            (["value enum": "HKCategoryValueLoudness"], "hiccups: unknown enumeration HKCategoryValueLoudness."),
            (["writable": ""], "hiccups: writable is yes or no."), (["since": "27"], "hiccups: since is a version"),
            (["name": ""], "hiccups: the name in the Health app is missing."),
            (["FHIR category": "mood"], "hiccups: unknown FHIR category mood."),
            (["also called": "Pulse"], "HKCategoryTypeIdentifierHiccups have the same name: Pulse."),
            (["Health Auto Export": "spo2"], "HKCategoryTypeIdentifierHiccups have the same name: spo2."),
        ])
    func refusals(change: [String: String], message: String) throws {
        let copy = try Copy()
        try copy.add(Self.category.merging(change) { $1 }, to: "category-types.tsv")
        #expect(try copy.run("generate-type-catalog.py")?.contains(message) == true)
    }

    @Test("A type without a symbol is refused")
    func symbols() throws {
        let copy = try Copy()
        try copy.add(Self.quantity, to: "quantity-types.tsv")
        let failure = try copy.run("generate-healthkit-symbols.py")
        #expect(failure?.contains("no row for HKQuantityTypeIdentifier.moonlightExposure.") == true)
    }

    // MARK: Nowhere else

    @Test("No hand-written source lists types")
    func lists() throws {
        // The spellings of each type: stepCount, StepCount and the identifier.
        var spellings: [String: String] = [:]
        for (table, prefix) in [
            ("quantity-types.tsv", "HKQuantityTypeIdentifier"), ("category-types.tsv", "HKCategoryTypeIdentifier"),
        ] {
            let file = SourceTree.root.appendingPathComponent("Scripts/tables/\(table)")
            let rows = try SourceTree.text(file).split(separator: "\n")
            for row in rows.dropFirst() {
                let name = String(row.prefix { $0 != "\t" })
                let capitals = ["vo2Max": "VO2Max", "uvExposure": "UVExposure"]
                let end = capitals[name] ?? name.prefix(1).uppercased() + name.dropFirst()
                for spelling in [name, end, prefix + end] { spellings[spelling] = name }
            }
        }
        #expect(Set(spellings.values).count > 190)
        let folders = ["Sources", "Python/openhealthkit", "Scripts"]
        let files = folders.flatMap { folder in
            let start = SourceTree.root.appendingPathComponent(folder)
            let found = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
            return (found?.compactMap { $0 as? URL } ?? []).filter {
                ["swift", "js", "py"].contains($0.pathExtension) && !$0.lastPathComponent.hasPrefix("GENERATED-")
                    && $0.lastPathComponent != "_types.py"
            }
        }
        #expect(files.count > 700)
        for file in files {
            // In bytes, because there are several megabytes.
            let words = try Data(contentsOf: file).split { byte in
                !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte)
            }
            let named = Set(words.compactMap { spellings[String(decoding: $0, as: UTF8.self)] })
            #expect(
                named.count <= 16,
                """
                \(SourceTree.name(file)) names \(named.count) types: \(named.sorted().joined(separator: " ")). A fact about \
                a type is a column of a table in Scripts/tables.
                """)
        }
    }
}
