import Foundation
import Testing

@Suite("Generated sources")
struct GeneratedSourcesTests {
    private static let scripts = [
        "generate-type-catalog.py", "generate-healthkit-symbols.py", "generate-fit-profile.py",
        "generate-python-types.py",
    ]

    /// The committed files are those that `make generate` writes, byte for byte.
    @Test func committedFilesAreTheGeneratedOnes() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("generated-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for script in Self.scripts { try run(script, into: folder) }

        var committed = Dictionary(
            uniqueKeysWithValues: (House.swiftFiles("Sources") + House.swiftFiles("Tests"))
                .filter { $0.lastPathComponent.hasPrefix("GENERATED-") }
                .map { ($0.lastPathComponent, $0) })
        committed["_types.py"] = House.root.appendingPathComponent("Python/openhealthkit/_types.py")
        let generated = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(generated) == Set(committed.keys).union(["type-codes.tsv"]))
        for name in generated {
            let file = committed[name] ?? House.root.appendingPathComponent("Scripts/tables/type-codes.tsv")
            let isEqual = try House.text(file) == House.text(folder.appendingPathComponent(name))
            #expect(isEqual, "\(House.name(file)) is out of date. Run `make generate`.")
        }
    }

    private func run(_ script: String, into folder: URL) throws {
        let python = "/usr/bin/python3"
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "\(python) is not installed. Run `make packages`, which installs it, or install it yourself.")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [House.root.appendingPathComponent("Scripts/\(script)").path, folder.path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(script) failed.")
    }
}
