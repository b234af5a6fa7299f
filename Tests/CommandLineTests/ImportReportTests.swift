import Foundation
import Testing

@Suite("hk import --report")
struct ImportReportTests {
    private let scratch = Scratch()

    @Test("The report lists counts, reasons and line numbers in a fixed order, without health values")
    func report() throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="4711"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-02 08:00:00 -0500" endDate="2025-11-02 08:10:00 -0500" value="4712" novel="x"/>
             <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="P" unit="kg" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:00:00 -0500" value="heavy"/>
             <Record type="HKQuantityTypeIdentifierHeight" sourceName="P" unit="cm" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:00:00 -0500" value="172"
            """)
        let file = scratch.file("report.json")
        let run = try CommandRun(
            ["import", archive.lastPathComponent, "--report", file.path, "--quiet"], store: scratch.store,
            folder: scratch.folder)
        #expect(run.status == 0)
        #expect(run.output == "" && run.errors == "")
        let text = try String(contentsOf: file, encoding: .utf8)
        try Expected.expect(text.replacing(/"seconds" : [0-9.]+/, with: "\"seconds\" : 0"), "import-report")
        for value in ["4711", "heavy", "172", "2025-11", "1987"] { #expect(!text.contains(value)) }
    }

    @Test("Only what is preserved is said to be")
    func preserved() throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierStepCount" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="100"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-02 08:00:00 -0500" endDate="2025-11-02 08:10:00 -0500" value="100" novel="x"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-03 08:00:00 -0500" endDate="2025-11-03 08:10:00 -0500" novel="x"/>
            """)
        let run = try CommandRun(["import", archive.path], store: scratch.store)
        #expect(
            run.output.contains(
                "\nPreserved, although unusual:\n  1 × Record with attribute novel, preserved\n\nNoted:\n  1 × "))
        #expect(run.output.contains("Noted:\n  1 × HKQuantityTypeIdentifierStepCount without a source, imported with "))
        #expect(run.output.contains("  line 7: stepCount, it has no value\n"))
        // Every query finds it.
        let days = try CommandRun(
            ["stats", "steps", "--from", "2025-11-01", "--to", "2025-11-01"], store: scratch.store)
        #expect(days.output.contains("100"))
    }

    @Test("A folder beside the archive that cannot be listed is reported")
    func unlistableFolder() throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="100"/>
            """)
        try Data("not a folder".utf8).write(to: scratch.file("electrocardiograms"))
        let run = try CommandRun(["import", archive.path], store: scratch.store)
        #expect(run.status == 0)
        #expect(run.output.contains("Left out:\n  1 × folder electrocardiograms that cannot be listed, left out\n"))
    }

    @Test("A supplement that cannot be read appears in the output and in the report")
    func unreadableSupplement() throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="100"/>
            """)
        try FileManager.default.createDirectory(
            at: scratch.file("supplement.ndjson"), withIntermediateDirectories: false)
        let file = scratch.file("report.json")
        let run = try CommandRun(["import", archive.path, "--report", file.path], store: scratch.store)
        #expect(run.status == 0)
        #expect(run.output.contains("Left out:\n  1 × supplement that cannot be read, left out\n"))
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        #expect((report["irregularities"] as? [String: Int])?["supplement that cannot be read, left out"] == 1)
    }

    @Test("The report records that the run was dry and mirroring")
    func dryRun() throws {
        let file = scratch.file("report.json")
        _ = try CommandRun(
            ["import", Demo.shared.file("demo.zip").path, "--dry-run", "--mirror", "--report", file.path, "--quiet"],
            store: scratch.demoStore())
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        #expect(
            report["dryRun"] as? Bool == true && report["mirror"] as? Bool == true && report["known"] as? Bool == false)
        let total = try #require(report["total"] as? [String: Int])
        #expect(total == ["added": 0, "alreadyThere": 3_063, "removed": 0, "skipped": 0])
    }

    @Test("A report that cannot be written gives one error line")
    func unwritable() throws {
        let run = try CommandRun(
            ["import", Demo.shared.file("demo.zip").path, "--report", "/nonexistent/report.json", "--quiet"],
            store: scratch.store)
        #expect(run.status == 1)
        #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("/nonexistent/report.json"))
    }
}
