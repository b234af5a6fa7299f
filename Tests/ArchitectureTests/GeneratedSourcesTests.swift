import Foundation
import Testing

@Suite("Generated sources")
struct GeneratedSourcesTests {
    private static let scripts = [
        "generate-type-catalog.py", "generate-healthkit-symbols.py", "generate-fit-profile.py",
        "generate-python-types.py", "generate-tables.py", "generate-api-reference.py",
        "generate-service-tables.py",
    ]

    /// The committed files are those that `make generate` writes, byte for byte.
    @Test func committedFilesAreTheGeneratedOnes() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("generated-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for script in Self.scripts { try run(script, into: folder) }

        var committed = Dictionary(
            uniqueKeysWithValues: (SourceTree.swiftFiles("Sources") + SourceTree.swiftFiles("Tests"))
                .filter { $0.lastPathComponent.hasPrefix("GENERATED-") }
                .map { ($0.lastPathComponent, $0) })
        committed["_types.py"] = SourceTree.root.appendingPathComponent("Python/openhealthkit/_types.py")
        committed["GENERATED-types.js"] = FileManager.default.enumerator(
            at: SourceTree.root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.first { $0.lastPathComponent == "GENERATED-types.js" }
        let generated = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(generated) == Set(committed.keys).union(["type-codes.tsv"]))
        for name in generated {
            let file = committed[name] ?? SourceTree.root.appendingPathComponent("Scripts/tables/type-codes.tsv")
            let isEqual = try SourceTree.text(file) == SourceTree.text(folder.appendingPathComponent(name))
            #expect(isEqual, "\(SourceTree.name(file)) is out of date. Run `make generate`.")
        }
    }

    private func run(_ script: String, into folder: URL) throws {
        let python = "/usr/bin/python3"
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "\(python) is not installed. Run `make packages`, which installs it, or install it yourself.")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [SourceTree.root.appendingPathComponent("Scripts/\(script)").path, folder.path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(script) failed.")
    }
}
