import Foundation
import Testing

@Suite("hk rings")
struct RingsTests {
    private let scratch = Scratch()

    @Test("Tables of today, of a week, and of a single day")
    func tables() throws {
        for (name, arguments) in [
            ("today", []), ("week", ["--last", "7d"]), ("day", ["--from", "2025-11-12", "--to", "2025-11-12"]),
        ] {
            let run = try CommandRun(["rings"] + arguments, store: Demo.shared.store)
            #expect(run.status == 0)
            try Expected.expect(run.output, "rings-\(name)")
        }
    }

    @Test("Computed summaries agree with those in the archive")
    func agree() throws {
        let live = try CommandRun(["rings", "--last", "14d", "--json"], store: Demo.shared.store).objects()
        #expect(live.count == 14)
        let text = String(decoding: try Data(contentsOf: Demo.shared.file("demo.xml")), as: UTF8.self)
        let given = text.matches(
            of:
                #/<ActivitySummary dateComponents="([^"]*)" activeEnergyBurned="([^"]*)".*appleExerciseTime="([^"]*)".*appleStandHours="([^"]*)"/#
        )
        #expect(given.count == 14)
        for (live, given) in zip(live, given) {
            #expect(live["date"] as? String == String(given.output.1))
            let energy = (live["activeEnergyBurned"] as? [String: Any])?["quantity"] as? Double ?? 0
            #expect(abs(energy - (Double(given.output.2) ?? -1)) < 1e-6)
            #expect((live["appleExerciseTime"] as? [String: Any])?["quantity"] as? Double == Double(given.output.3))
            #expect((live["appleStandHours"] as? [String: Any])?["quantity"] as? Double == Double(given.output.4))
        }
    }

    @Test("--json uses the property names of HKActivitySummary")
    func json() throws {
        let rings = try CommandRun(["rings", "--json"], store: Demo.shared.store).objects()
        #expect(rings.count == 1)
        #expect(
            Set(rings[0].keys) == [
                "date", "activityMoveMode", "activityMoveModeName", "activeEnergyBurned", "activeEnergyBurnedGoal",
                "appleMoveTime", "appleExerciseTime", "exerciseTimeGoal", "appleStandHours", "standHoursGoal",
                "isPaused", "rings",
            ])
        #expect(rings[0]["date"] as? String == "2025-11-16")
        #expect((rings[0]["activeEnergyBurnedGoal"] as? [String: Any])?["quantity"] as? Int == 480)
    }

    @Test("A day without activity and an empty store have no summaries")
    func nothing() throws {
        #expect(
            try CommandRun(["rings", "--from", "2020", "--to", "2020"], store: Demo.shared.store).output
                .hasPrefix("No activity summaries in this range. The newest data is of "))
        #expect(try CommandRun(["rings"], store: scratch.emptyStore()).output == "No activity summaries.\n")
        #expect(try CommandRun(["rings", "--json"], store: scratch.store).output == "{\"activitySummaries\":[]}\n")
    }

    @Test("Goals of the profile apply from their start date")
    func goals() throws {
        for (day, value) in [("2025-11-10", "100"), ("2025-11-11", "200")] {
            _ = try CommandRun(
                ["add", "activeEnergyBurned", value, "kcal", "--start", "\(day)T10:00"], store: scratch.store)
        }
        _ = try CommandRun(["profile", "--move-goal", "400", "--goals-from", "2025-11-01"], store: scratch.store)
        _ = try CommandRun(["profile", "--move-goal", "500", "--goals-from", "2025-11-11"], store: scratch.store)
        let rings = try CommandRun(["rings", "--last", "7d", "--json"], store: scratch.store).objects()
        #expect(rings.map { ($0["activeEnergyBurned"] as? [String: Any])?["quantity"] as? Int } == [100, 200])
        #expect(rings.map { ($0["activeEnergyBurnedGoal"] as? [String: Any])?["quantity"] as? Int } == [400, 500])
        let table = try CommandRun(["rings", "--last", "7d"], store: scratch.store)
        #expect(table.lines[1].contains(#/^2025-11-10  100 / 400 kcal  25 %/#))
    }

    @Test("Days follow the requested time zone")
    func zone() throws {
        _ = try CommandRun(
            ["add", "activeEnergyBurned", "100", "kcal", "--start", "2025-11-10T20:00"], store: scratch.store)
        for (zone, day) in [("America/New_York", "2025-11-10"), ("Europe/Berlin", "2025-11-11")] {
            let rings = try CommandRun(["rings", "--last", "7d", "--json", "--time-zone", zone], store: scratch.store)
                .objects()
            #expect(rings.map { $0["date"] as? String } == [day])
        }
    }

    @Test("Writes SVG and PNG images of the requested size")
    func images() throws {
        let (svg, png) = (scratch.file("rings.svg"), scratch.file("rings.png"))
        let run = try CommandRun(
            ["rings", "--svg", svg.path, "--png", png.path, "--size", "120", "--animated"], store: Demo.shared.store)
        #expect(run.status == 0)
        let text = String(decoding: try Data(contentsOf: svg), as: UTF8.self)
        #expect(text.contains("<svg"))
        #expect(text.contains("<animate"))
        let bytes = [UInt8](try Data(contentsOf: png))
        #expect(Array(bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 * 256 + Int($1) } }
        #expect(number(16) % 120 == 0 && number(16) == number(20))
        // Without activity, the rings are empty.
        _ = try CommandRun(["rings", "--svg", scratch.file("none.svg").path], store: scratch.emptyStore())
        #expect(try Data(contentsOf: scratch.file("none.svg")).count > 0)
    }

    @Test("Images and reports replace their own kind, and nothing else")
    func replacing() throws {
        let archive = Demo.shared.file("demo.zip").path
        for arguments in [
            ["rings", "--svg"], ["rings", "--png"], ["import", archive, "--quiet", "--report"],
        ] {
            let file = scratch.file(UUID().uuidString)
            let store = arguments[0] == "rings" ? Demo.shared.store : scratch.store
            func run() throws -> CommandRun { try CommandRun(arguments + [file.path], store: store) }
            for _ in 0..<2 {
                let first = try run()
                #expect(first.status == 0 && first.errors == "", "\(arguments): \(first.errors)")
                #expect(try Data(contentsOf: file).count > 100)
            }
            try FileManager.default.removeItem(at: file)
            try Data("a year’s work".utf8).write(to: file)
            let refused = try run()
            #expect(refused.status == 1 && refused.output == "")
            #expect(
                refused.errors
                    == "Error: “\(file.path)” wasn’t written by an export, or was changed since. Nothing was changed; choose another path.\n"
            )
            #expect(try String(contentsOf: file, encoding: .utf8) == "a year’s work")
        }
        // A device has nothing to replace, and stays one.
        let full = try CommandRun(["rings", "--png", "/dev/full"], store: Demo.shared.store)
        #expect(full.errors == "Error: “/dev/full”: No space left on device.\n")
        let report = try CommandRun(["import", archive, "--quiet", "--report", "/dev/null"], store: scratch.store)
        #expect(report.status == 0 && report.errors == "")
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("Images that can’t be written are reported")
    func mistakes() throws {
        let folder = try CommandRun(["rings", "--svg", "/nonexistent/a.svg"], store: Demo.shared.store)
        #expect(folder.status == 1)
        #expect(folder.errors == "Error: “/nonexistent/a.svg” cannot be written: No such file or directory.\n")
        let size = try CommandRun(
            ["rings", "--size", "0", "--png", scratch.file("a.png").path], store: Demo.shared.store)
        #expect(size.status == 1)
        #expect(size.errors.split(separator: "\n").count == 1)
    }
}
