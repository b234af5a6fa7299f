import Foundation
import ProcessTestSupport
import Testing

@Suite("hk watch")
struct WatchTests {
    private let scratch = Scratch()

    private func add(_ value: Int, _ start: String = "2025-11-16T08:00") throws {
        #expect(
            try CommandRun(["add", "stepCount", "\(value)", "count", "--start", start], store: scratch.store).status
                == 0)
    }

    private func watched(_ arguments: [String] = []) throws -> [Int] {
        let run = try CommandRun(["watch", "--once", "--json"] + arguments, store: scratch.store)
        #expect(run.status == 0)
        return try run.lines.flatMap { line -> [Int] in
            let change = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (change?["addedSamples"] as? [[String: Any]] ?? []).compactMap { $0["quantity"] as? Int }
        }
    }

    @Test("The first run prints nothing; later runs print what is new")
    func resumes() throws {
        try add(1)
        #expect(try watched() == [])
        #expect(try watched() == [])
        try add(2)
        try add(3, "2020-01-01")
        #expect(try watched() == [2, 3])
        #expect(try watched() == [])
    }

    @Test("--all prints the whole history, every time")
    func all() throws {
        try add(1)
        try add(2)
        #expect(try watched(["--all"]) == [1, 2])
        #expect(try watched() == [])
        #expect(try watched(["--all"]) == [1, 2])
        try add(3)
        #expect(try watched() == [3])
    }

    @Test("Two runs don’t move one anchor")
    func alone() throws {
        try add(1)
        #expect(try watched(["--anchor", scratch.file("anchor").path]) == [])
        let file = open(scratch.file("anchor.lock").path, O_RDWR | O_CLOEXEC)
        #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
        let run = try CommandRun(["watch", "--once", "--anchor", scratch.file("anchor").path], store: scratch.store)
        #expect(run.status == 1)
        #expect(
            run.errors
                == "Error: Another “hk watch” follows these types. Give this one a separate anchor with --anchor FILE. It has locked \(scratch.file("anchor.lock").path).\n"
        )
        close(file)
        try add(2)
        #expect(try watched(["--anchor", scratch.file("anchor").path]) == [2])
    }

    @Test("Each set of types has its own anchor")
    func sets() throws {
        try add(1)
        #expect(try watched(["stepCount", "--all"]) == [1])
        #expect(try watched(["stepCount", "heartRate", "--all"]) == [1])
        try add(2)
        #expect(try watched(["heartRate", "stepCount"]) == [2])
        #expect(try watched(["stepCount"]) == [2])
    }

    @Test("A damaged anchor is reported instead of starting over")
    func damagedAnchor() throws {
        let anchor = scratch.file("anchor")
        try add(1)
        #expect(try watched(["--anchor", anchor.path, "--all"]) == [1])
        try Data("rubbish".utf8).write(to: anchor)
        let run = try CommandRun(["watch", "--once", "--anchor", anchor.path], store: scratch.store)
        #expect(run.status == 1)
        #expect(run.errors == "Error: The anchor in \(anchor.path) is damaged.\n")
    }

    @Test("--json has the documented keys")
    func keys() throws {
        let run = try CommandRun(
            ["watch", "stepCount", "sleepAnalysis", "workout", "--once", "--all", "--json"], store: scratch.demoStore())
        let change = try #require(try JSONSerialization.jsonObject(with: Data(run.lines[0].utf8)) as? [String: Any])
        #expect(Set(change.keys) == ["addedSamples", "deletedObjects"])
        let samples = try #require(change["addedSamples"] as? [[String: Any]])
        let count = 260 + 276 + 6
        #expect(samples.count == count)
        let steps = try #require(samples.first { $0["type"] as? String == "HKQuantityTypeIdentifierStepCount" })
        #expect(Set(steps.keys) == ["uuid", "type", "startDate", "endDate", "quantity", "unit", "source"])
        let sleep = try #require(samples.first { $0["type"] as? String == "HKCategoryTypeIdentifierSleepAnalysis" })
        #expect(Set(sleep.keys) == ["uuid", "type", "startDate", "endDate", "value", "source"])
    }

    @Test("Text output for quantities, categories, workouts and correlations")
    func text() throws {
        let run = try CommandRun(
            ["watch", "stepCount", "sleepAnalysis", "workout", "oxygenSaturation", "food", "--once", "--all"],
            store: scratch.demoStore())
        for line in [
            "+ 2025-11-16 08:44  food  3 samples  Chew \"&\" Log 🥗",
            "+ 2025-11-03 23:22  sleepAnalysis  in bed  Mia’s iPhone 📱",
            "+ 2025-11-14 17:11  workout  walking, 71 min  Mia’s Apple\u{A0}Watch",
            "+ 2025-11-16 04:45  oxygenSaturation  92 %  Mia’s Apple\u{A0}Watch",
        ] { #expect(run.lines.contains(line), "\(line)") }
    }

    @Test("Prints what another process adds immediately")
    func follows() throws {
        try add(1)
        #expect(try watched(["stepCount"]) == [])
        let process = CommandRun.process(["watch", "stepCount"], store: scratch.store)
        let (pipe, errors) = (Pipe(), try ChildErrors(of: ["watch", "stepCount"]))
        process.standardOutput = pipe
        process.standardError = errors.handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
            _ = errors
        }
        try add(2)
        var text = ""
        while !text.contains("\n") {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        #expect(text == "+ 2025-11-16 08:00  stepCount  2 count  hk\n")
    }

    @Test("An anchor that can’t be written is reported before anything is printed")
    func unwritableAnchor() throws {
        try add(1)
        let anchor = scratch.file("missing").appendingPathComponent("anchor").path
        let run = try CommandRun(["watch", "--once", "--all", "--anchor", anchor], store: scratch.store)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("Error: The anchor “\(anchor)” can’t be written"))
    }

    @Test("Invalid arguments are reported")
    func mistakes() throws {
        let run = try CommandRun(["watch", "dateOfBirth", "--once"], store: scratch.emptyStore())
        #expect(run.status == 64)
        #expect(run.errors == "Error: “dateOfBirth” can’t be watched.\n")
    }
}
