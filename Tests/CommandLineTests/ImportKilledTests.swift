import Foundation
import ProcessTestSupport
import Testing

@Suite("hk import, killed")
struct ImportKilledTests {
    private static let archive: [String] = [
        "--records", "10000", "--seed", "11", "--until", "2025-11-16T12:00", "--time-zone", "America/New_York",
    ]

    /// Queries whose answers are the same for stores with the same content.
    private static let queries = [
        ["types", "--json"], ["sources", "--json"], ["stats", "stepCount", "--every", "month", "--json"],
        ["stats", "heartRate", "--every", "month", "--json"], ["samples", "bloodPressure", "--limit", "0", "--json"],
        ["rings", "--last", "60d", "--json"], ["profile", "--json"],
    ]

    private func answers(_ store: URL) throws -> [String] {
        try Self.queries.map { query -> String in
            let run = try CommandRun(query, store: store)
            try #require(run.status == 0, "\(query): \(run.errors)")
            return withoutIdentity(run.output)
        }
    }

    /// Removes the sequence numbers and the UUIDs that each store derives from them. The numbers depend on the batches: a
    /// batch numbers the samples type by type, and an import that is killed ends one early.
    private func withoutIdentity(_ text: String) -> String {
        text.replacing(/"uuid":"[^"]*"/, with: "").replacing(/"sequence":\d+/, with: "")
    }

    /// The size of the store and its log in bytes, which grows with every commit.
    private func size(_ store: URL) -> Int {
        ["", "-wal"].reduce(0) { sum, suffix in
            var status = stat()
            return stat(store.path + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    @Test("An import killed at any moment and run again gives the same store")
    func killed() throws {
        let scratch = Scratch()
        let path = scratch.file("big.xml").path
        let whole = scratch.file("whole.sqlite")
        #expect(try CommandRun(["generate", path] + Self.archive, store: whole).status == 0)
        #expect(try CommandRun(["import", path, "--quiet", "--batch-size", "1000"], store: whole).status == 0)
        let expected = try answers(whole)
        let log = size(whole)

        var kills = 0
        for moment in 0..<12 {
            let store = scratch.file("killed-\(moment).sqlite")
            // Kills the import once, twice or three times.
            for attempt in 0...moment % 3 {
                let process = CommandRun.process(["import", path, "--quiet", "--batch-size", "1000"], store: store)
                process.standardInput = FileHandle.nullDevice
                let errors = try ChildErrors(of: ["import", path])
                process.standardError = errors.handle
                // Log and file together grow to about five times the size that remains after closing.
                let threshold = size(store) + log * 4 * (moment + 1) / 12
                try process.run()
                while process.isRunning, size(store) < threshold { sched_yield() }
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                #expect(errors.text.isEmpty, "\(errors.text)")
                if process.terminationReason == .uncaughtSignal { kills += 1 }
                if FileManager.default.fileExists(atPath: store.path), attempt == 0 {
                    let doctor = try CommandRun(["doctor"], store: store)
                    // A store that isn't complete is completed by the next import.
                    #expect(
                        doctor.status == 0 || doctor.errors.contains("was interrupted"),
                        "after \(threshold) bytes: \(doctor.output)\(doctor.errors)")
                }
            }
            #expect(try CommandRun(["import", path, "--quiet"], store: store).status == 0)
            #expect(try answers(store) == expected, "moment \(moment)")
            #expect(try CommandRun(["doctor"], store: store).status == 0)
            let again = try CommandRun(["import", path, "--json"], store: store).json() as? [String: Any]
            #expect(again?["added"] as? Int == 0)
        }
        #expect(kills >= 6)
    }

    @Test("A killed mirroring import removes everything or nothing")
    func killedMirror() throws {
        let scratch = Scratch()
        let (path, smaller) = (scratch.file("big.xml").path, scratch.file("small.xml").path)
        _ = try CommandRun(["generate", path] + Self.archive, store: scratch.store)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let isStep = { (line: Substring) in
            line.contains("type=\"HKQuantityTypeIdentifierStepCount\"") && line.hasSuffix("/>")
        }
        try lines.filter { !isStep($0) }.joined(separator: "\n").write(
            toFile: smaller, atomically: true, encoding: .utf8)
        _ = try CommandRun(["import", path, "--quiet"], store: scratch.store)
        func steps(_ store: URL) throws -> Int {
            try CommandRun(["types", "--json"], store: store).objects()
                .first { $0["type"] as? String == "HKQuantityTypeIdentifierStepCount" }?["count"] as? Int ?? 0
        }
        let before = try steps(scratch.store)
        #expect(before > 100)
        for moment in 0..<5 {
            let store = scratch.file("mirrored-\(moment).sqlite")
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: scratch.store.path + suffix) {
                try FileManager.default.copyItem(atPath: scratch.store.path + suffix, toPath: store.path + suffix)
            }
            let process = CommandRun.process(
                ["import", smaller, "--mirror", "--quiet", "--batch-size", "1000"], store: store)
            process.standardInput = FileHandle.nullDevice
            // At once, and at later moments while the store and its log grow.
            let threshold = size(store) + moment * 30_000
            try process.run()
            while process.isRunning, size(store) < threshold { sched_yield() }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let between = try steps(store)
            #expect(between == before || between < before / 10, "moment \(moment)")
            #expect(try CommandRun(["import", smaller, "--mirror", "--quiet"], store: store).status == 0)
            #expect(try steps(store) < before / 10)
            #expect(try CommandRun(["doctor"], store: store).status == 0)
        }
    }
}
