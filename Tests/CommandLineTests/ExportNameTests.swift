import Foundation
import GRDB
import Testing

/// The format that the name of an export implies.
@Suite("hk export by the name of the file")
struct ExportNameTests {
    private let scratch = Scratch()

    private func export(_ arguments: String...) throws -> CommandRun {
        try CommandRun(["export"] + arguments, store: Demo.shared.store, folder: scratch.folder)
    }

    private func lines(_ name: String) throws -> [String] {
        try String(contentsOf: scratch.file(name), encoding: .utf8).components(separatedBy: "\r\n").dropLast()
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() }
    }

    @Test(
        "The format follows the ending",
        arguments: [
            ("a.ndjson", "{\"kind\":"), ("a.JSONL", "{\"kind\":"), ("a.sqlite", "SQLite format 3"),
            ("a.db", "SQLite format 3"), ("a.zip", "PK"), ("a.xml", "<?xml"),
        ])
    func endings(name: String, beginning: String) throws {
        let run = try export(name, "--type", "stepCount", "--quiet")
        #expect(run.status == 0 && run.errors == "")
        let file = try Data(contentsOf: scratch.file(name))
        #expect(file.starts(with: Data(beginning.utf8)))
        #expect(try names == [name])
    }

    @Test("One type of a range is one CSV file of its samples")
    func oneTable() throws {
        let run = try export("steps.csv", "--type", "steps", "--from", "2025-11-10", "--to", "2025-11-11")
        #expect(run.status == 0 && run.errors == "")
        let lines = try lines("steps.csv")
        #expect(
            lines[0]
                == "start_date,end_date,value,unit,source,bundle_identifier,device,creation_date,metadata,uuid,sequence,start_time"
        )
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("2025-11-10T") || $0.hasPrefix("2025-11-11T") })
        let count =
            try CommandRun(
                [
                    "sql", "SELECT count(*) AS n FROM step_count WHERE day BETWEEN '2025-11-10' AND '2025-11-11'",
                    "--json",
                ], store: Demo.shared.store
            ).objects()[0]["n"] as? Int
        #expect(lines.count - 1 == count && lines.count > 10)
        #expect(run.output.hasSuffix("\nWrote steps.csv.\n"))
        // The same lines as in a folder, and on standard output.
        let piped = try export(
            "-", "--format", "csv", "--type", "steps", "--since", "2025-11-10", "--until", "2025-11-11")
        #expect(try Data(piped.output.utf8) == Data(contentsOf: scratch.file("steps.csv")))
        #expect(try export("steps.csv", "--type", "steps").errors.contains("Use --force to replace it"))
        #expect(try export("steps.csv", "--type", "steps", "--last", "7d", "--force", "--quiet").status == 0)
        #expect(try self.lines("steps.csv").dropFirst().allSatisfy { $0 >= "2025-11-10T" })
        #expect(try export("none.csv", "--type", "steps", "--from", "2020", "--to", "2020", "--quiet").status == 0)
        #expect(try self.lines("none.csv").count == 1)
        // A table that no export wrote isn't replaced.
        try Data("date,steps\r\n".utf8).write(to: scratch.file("mine.csv"))
        let refused = try export("mine.csv", "--type", "steps", "--force")
        #expect(refused.status == 1 && refused.errors.contains("“mine.csv” wasn’t written by an export"))
        #expect(try names == ["mine.csv", "none.csv", "steps.csv"])
    }

    @Test(
        "Objects are a table, too",
        arguments: [
            ("workout", "activity,", 6), ("bloodPressure", "start_date,systolic,diastolic,", 3),
            ("activitySummary", "day,move_kcal,", 14), ("food", "kind,body,", 26),
        ])
    func objects(type: String, beginning: String, count: Int) throws {
        #expect(try export("a.csv", "--type", type, "--quiet").status == 0)
        let lines = try lines("a.csv")
        #expect(lines[0].hasPrefix(beginning) && lines.count == count + 1)
        #expect(try export("a.csv", "--type", type, "--force", "--quiet").status == 0)
    }

    @Test(
        "Invalid names are refused, and nothing is written",
        arguments: [
            (
                ["x.csv"],
                "A CSV file has one type. Choose it with --type, or export a folder with a file for each: hk export FOLDER --format csv."
            ),
            (
                ["x.csv", "--type", "steps", "--type", "weight"],
                "A CSV file has one type. Choose it with --type, or export a folder with a file for each: hk export FOLDER --format csv."
            ),
            (
                ["x.csv", "--format", "ndjson"],
                "--format ndjson and the name “x.csv”, which is that of csv, contradict each other. Leave --format out, or choose another name."
            ),
            (
                ["x.zip", "--format", "csv"],
                "--format csv and the name “x.zip”, which is that of apple, contradict each other. Leave --format out, or choose another name."
            ),
            (["x.csv", "--type", "dateOfBirth"], "“dateOfBirth” has no samples. “hk profile” shows it."),
            (["x.gpx", "--type", "steps"], "A gpx file has workouts. Leave --type out."),
            (
                ["x.parquet"],
                "“x.parquet” is the name of a file in a format that isn’t written. Use an ending such as .csv, .ndjson or .db, or none for a folder."
            ),
            (
                ["export.tar.GZ"],
                "“export.tar.GZ” is the name of a file in a format that isn’t written. Use an ending such as .csv, .ndjson or .db, or none for a folder."
            ),
            (["x.json"], "The extension .json is not supported. Use .ndjson, which has one JSON object per line."),
        ])
    func mistakes(arguments: [String], message: String) throws {
        let run = try CommandRun(["export"] + arguments, store: Demo.shared.store, folder: scratch.folder)
        #expect(run.status == 64 && run.output == "")
        #expect(run.errors == "Error: \(message)\n")
        #expect(try names == [])
    }

    @Test("Days and activity summaries of a folder or database are those of the range")
    func days() throws {
        #expect(
            try export("out", "--format", "csv", "--from", "2025-11-10", "--to", "2025-11-11", "--quiet").status == 0)
        func days(_ name: String, _ column: Int) throws -> Set<String> {
            Set(try lines("out/\(name).csv").dropFirst().map { $0.components(separatedBy: ",")[column] })
        }
        #expect(try days("daily", 1) == ["2025-11-10", "2025-11-11"])
        #expect(try days("activity_summaries", 0) == ["2025-11-10", "2025-11-11"])
        #expect(try export("days.db", "--last", "2d", "--quiet").status == 0)
        let found = try DatabaseQueue(path: scratch.file("days.db").path).read {
            try String.fetchAll($0, sql: "SELECT DISTINCT day FROM daily ORDER BY 1")
        }
        #expect(found == ["2025-11-15", "2025-11-16"])
    }
}
