import Foundation
import Testing

@Suite("hk generate --ios")
struct DialectTests {
    private let scratch = Scratch()

    private func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments, store: scratch.store)
    }

    @Test(
        "Import finds exactly what generate reports, and adds nothing the second time",
        arguments: ["8", "9", "12", "14", "16", "18.1", "26"])
    func roundTrip(version: String) throws {
        let path = scratch.file("export.zip").path
        let written = try #require(
            try run(["generate", path, "--ios", version, "--records", "1200", "--json"]).json() as? [String: Any])
        let types = try #require(written["types"] as? [String: Int])
        #expect(Set(written.keys) == ["path", "records", "types", "files"])
        #expect(
            written["records"] as? Int == 1_200
                && (written["files"] as? [String])?.prefix(2) == ["export.xml", "export_cda.xml"])
        let answer = try #require(try run(["import", path, "--json"]).json() as? [String: Any])
        #expect(answer["types"] as? [String: Int] == types)
        #expect(answer["skipped"] as? Int == 0)
        let again = try #require(try run(["import", path, "--json"]).json() as? [String: Any])
        #expect(again["added"] as? Int == 0 && again["alreadyThere"] as? Int == types.values.reduce(0, +))
        #expect(try run(["doctor"]).status == 0)
    }

    @Test("The import summary of an archive with every kind of content")
    func table() throws {
        let path = scratch.file("export.zip").path
        let options = [
            "--ios", "26", "--locale", "fr_FR", "--records", "1200", "--seed", "5", "--until", "2025-11-16T12:00",
            "--time-zone", "Europe/Paris",
        ]
        #expect(try run(["generate", path] + options).output == "Wrote 1,200 records to \(path).\n")
        let imported = try run(["import", path])
        #expect(imported.errors == "")
        // The last line shows the elapsed time.
        try Expected.expect(
            imported.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2).joined(
                separator: "\n"), "import-ios-26")
    }

    @Test("--locale names the main file; --no-defects leaves out the defects")
    func options() throws {
        let folder = scratch.file("archive").path
        let french = try run(["generate", folder, "--ios", "16", "--locale", "fr_FR", "--records", "1000", "--json"])
        #expect(((try french.json() as? [String: Any])?["files"] as? [String])?.first == "exporter.xml")
        let text = try String(contentsOfFile: folder + "/apple_health_export/exporter.xml", encoding: .utf8)
        #expect(text.contains("<HealthData locale=\"fr_FR\">") && text.contains("\u{0B}"))
        let corrected = scratch.file("corrected.xml")
        #expect(try run(["generate", corrected.path, "--ios", "16", "--no-defects", "--records", "1000"]).status == 0)
        let whole = try String(contentsOf: corrected, encoding: .utf8)
        #expect(!whole.contains("\u{0B}") && whole.ranges(of: "<!ATTLIST MetadataEntry").count == 1)
        #expect(text.ranges(of: "<!ATTLIST MetadataEntry").count == 2)
    }

    @Test("Invalid arguments are reported")
    func mistakes() throws {
        for (arguments, message) in [
            (["--ios", "7"], "--ios: “7” is not a known version. Use a form like 9, 16.2, 18 or 26."),
            (["--ios", "21"], "--ios: “21” is not a known version. Use a form like 9, 16.2, 18 or 26."),
            (
                ["--ios", "16", "--locale", "french"],
                "--locale: “french” is not a language and region. Use a form like fr_FR."
            ),
            (["--locale", "fr_FR"], "--locale and --no-defects require --ios."),
            (["--no-defects"], "--locale and --no-defects require --ios."),
        ] {
            let run = try run(["generate", scratch.file("a.xml").path] + arguments)
            #expect(run.status != 0 && run.output == "")
            #expect(run.errors.hasPrefix("Error: \(message)\n"), "\(run.errors)")
        }
    }
}
