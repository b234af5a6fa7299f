import Foundation
import ProcessTestSupport
import Testing

/// Messages contain nothing of the stored data: every command runs over a store whose values, dates and metadata occur
/// nowhere else, sound and damaged, and what it prints to the error output, or instead of an answer, is searched for
/// them.
@Suite("No health data in messages", .timeLimit(.minutes(30)))
struct PrivateOutputTests {
    /// Texts that only the stored data has.
    private static let secrets = [
        "73193", "91357", "48271", "585547506", "1563854706", "2019-07-23", "23 Jul", "Jul 23", "23.07.2019", "7/23/",
        "04:05:06",
        "Xanthippe", "Quetzal", "Zaunkoenig",
    ]

    private static let elements = """
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000" value="73193">
          <MetadataEntry key="Xanthippe" value="Quetzal"/>
         </Record>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000" value="91357.5"/>
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="48271.5" durationUnit="min" sourceName="Watch" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000">
          <MetadataEntry key="Xanthippe" value="Zaunkoenig"/>
         </Workout>
        """

    /// Elements that can't be imported, with the same data.
    private static let broken = """
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="2019-07-23 04:05:06 +0000" endDate="2018" value="73193"/>
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="km" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000" value="73193"/>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-22 04:05:06 +0000" value="91357.5x">
          <MetadataEntry key="Xanthippe" value="Quetzal"
         </Record>
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="48271.5h" sourceName="Watch" startDate="2019-07-23 04:05:06" endDate="">
        """

    /// The runs of each command: those that answer and those that fail. A new command needs some, too.
    private static let runs: [String: [[String]]] = [
        "import": [
            ["broken.xml"], ["broken.xml", "--json"], ["sound.xml", "--dry-run"], ["cut.zip"], ["nowhere.zip"],
        ],
        "imports": [[], ["--json"], ["undo", "1", "--dry-run"], ["undo", "1"], ["undo", "99"]],
        "export": [
            ["out.zip"], ["out.zip"], ["tables", "--format", "csv"], ["out.csv"], ["out.csv", "--type", "stepCount"],
            ["/proc/x.zip"],
            ["out.fhir", "--format", "fhir"],
        ],
        "types": [[], ["--json"]], "sources": [[], ["--type", "stepCount"], ["--type", "none"]],
        "samples": [["stepCount"], ["workout", "--json"], ["none"], ["stepCount", "--from", "nonsense"]],
        "stats": [
            ["stepCount", "--every", "day"], ["heartRate", "--unit", "kg"], ["stepCount", "--every", "fortnight"],
        ],
        "sql": [
            ["SELECT * FROM samples"], ["SELECT json(value || 'x') FROM step_count"], ["SELECT abs(metadata) FROM x"],
            ["SELECT json_extract(metadata, 'bad') FROM step_count"],
            ["SELECT 9223372036854775807 + value, printf('%', value) FROM step_count"],
        ],
        "today": [[], ["--time-zone", "x"]], "highlights": [[], ["--day", "x"]],
        "rings": [[], ["--svg", "/proc/x.svg"]], "energy": [[]], "sleep": [[]],
        "workouts": [
            [], ["--weekly"], ["--records"], ["99"], ["set", "1", "--end", "2018-01-01"], ["set", "1", "--start", "x"],
        ], "gaps": [["stepCount"], ["none"]], "cycles": [[]],
        "changes": [[], ["stepCount", "--json"], ["none"], ["--since", "nonsense"]],
        "watch": [["stepCount", "--once"], ["none", "--once"], ["--all", "--once", "--anchor", "sound.xml"]],
        "add": [["stepCount", "-1", "count"], ["stepCount", "1", "kg"], ["bloodType", "1"]],
        "delete": [["stepCount", "--dry-run"], ["stepCount"], ["none"], ["--uuid", "x"], ["--source", "nobody"]],
        "profile": [[], ["--birth-date", "x"]],
        "authorize": [[], ["app", "--read", "none"], ["app", "--read", "stepCount"]],
        "background list": [[]],
        "background register": [["app", "--type", "stepCount", "--command", "/bin/false"], ["app"]],
        "background suspend": [["app"]], "background resume": [["app"], ["other"]],
        "background confirm": [["app"], ["other"]],
        "background test": [["app"], ["other"]], "background attempts": [["app"], ["other"]],
        "background alert": [["app"], ["other"]],
        "background unregister": [["other"], ["app"]],
        "daemon": [["--once"], ["--once", "--backup", "/proc/x"]],
        "generate": [["/proc/x.zip"], ["made.zip", "--records", "100"]],
        "doctor": [[], ["--json"], ["--repair"]],
        "key status": [[], ["--json"]], "key make": [["made.key"], ["/proc/x.key"]],
        "key add": [[], ["--key-file", "nowhere.key"]],
        "key change": [["--key-file", "nowhere.key"]], "key remove": [["--key-file", "nowhere.key"]],
        "serve": [["--host", "0.0.0.0"], ["--store", "/proc/x", "--port", "0"]],
        "person add": [["x", "--data", "people"]], "person list": [["--data", "people"]],
        "person rename": [["x", "Y", "--data", "people"], ["nobody", "Y", "--data", "people"]],
        "person link": [["y", "--data", "people"]],
        "person password": [["x", "--data", "people"], ["--remove", "--data", "people"]],
        "person remove": [["x", "--data", "people"]],
        "token add": [["n", "--read", "none"]], "token list": [[]], "token revoke": [["n"]],
        "cohort": [["stepCount", "--data", "nowhere"]],
        "sync": [["http://127.0.0.1:1", "--once", "--token", "x"]],
        "mcp": [[]],
        "database init": [["postgresql://127.0.0.1:1/x"]], "database check": [["postgresql://127.0.0.1:1/x"]],
        "copy": [["nowhere.sqlite", "copied.sqlite"]],
        "redact": [
            ["sound.xml", "redacted.xml"], ["sound.xml", "redacted.xml"], ["broken.xml", "broken.zip", "--json"],
            ["cut.zip", "cut.sqlite"], ["nowhere.zip", "redacted.zip"], ["sound.xml", "/proc/x.zip"],
        ],
        "backup": [["backups"], ["backups", "--verify"], ["/proc/x"]],
        "restore": [["backups"], ["nowhere", "--replace"]],
    ]

    /// The names of all commands that do something, from the program's own list.
    private static func commands() throws -> Set<String> {
        func leaves(_ command: [String: Any], _ path: [String]) -> [String] {
            let subcommands = (command["subcommands"] as? [[String: Any]] ?? []).filter {
                $0["commandName"] as? String != "help"
            }
            guard !subcommands.isEmpty else { return [path.joined(separator: " ")] }
            return subcommands.flatMap { leaves($0, path + [$0["commandName"] as? String ?? ""]) }
        }
        let scratch = Scratch()
        let help = try CommandRun(["--experimental-dump-help"], store: scratch.store).json() as? [String: Any]
        return Set(leaves(try #require(help?["command"] as? [String: Any]), []))
    }

    @Test(
        "Health data is found in the output of programs, but not their input, nor the time of a message"
    )
    func rule() {
        let found = [
            "Error: 71.4 kg", "error at 2025-11-16T08:00:00Z", "on 2025-11-16", "2025-11-16 was read", "at 08:15:30",
            "the key HKTimeZoneKey",
            "2026-01-01T10:00:00+0000 info hk: read 12.5",
        ]
        let passed = [
            "2026-01-01T10:00:00+0000 info hk: Serving at http://127.0.0.1:8080/",
            "Error: “2025-13-01” is not a date. Use a form like 2024-01-31.",
            "Backup 2026-11-23T023450Z.", "Imported in 0.052 s", "page 17 of 3, 400 bytes", "a2 22 ô¢\"3.¼··",
            "Error: “71.40” is not a number.",
        ]
        let given = ["add", "bodyMass", "2025-13-01", "71.40"]
        #expect(ChildMessages.suspicious((found + passed).joined(separator: "\n"), of: given) == found)
    }

    @Test("Every command has runs here")
    func complete() throws {
        #expect(try Self.commands() == Set(Self.runs.keys))
    }

    @Test("Neither over a sound store nor over a damaged one", arguments: [false, true])
    func messages(isDamaged: Bool) throws {
        let scratch = Scratch()
        let sound = try scratch.archive(Self.elements, name: "sound.xml")
        _ = try scratch.archive(Self.broken, name: "broken.xml")
        try Data((try Data(contentsOf: sound)).prefix(700)).write(to: scratch.file("cut.zip"))
        #expect(try CommandRun(["import", sound.path, "--quiet"], store: scratch.store).status == 0)
        let whole = try Data(contentsOf: scratch.store)
        var failures = 0
        for (command, runs) in Self.runs.sorted(by: { $0.key < $1.key }) {
            for arguments in runs {
                if isDamaged {
                    for suffix in ["-wal", "-shm"] {
                        try? FileManager.default.removeItem(atPath: scratch.store.path + suffix)
                    }
                    try Self.damaged(whole).write(to: scratch.store)
                }
                let run = try CommandRun(
                    command.split(separator: " ").map(String.init) + arguments, store: scratch.store,
                    folder: scratch.folder)
                let messages = run.errors + (run.status == 0 ? "" : run.output)
                if run.status != 0 { failures += 1 }
                for secret in Self.secrets where messages.contains(secret) {
                    Issue.record("hk \(command) \(arguments): “\(secret)” in \(messages)")
                }
                // An import's answer is a report on what it couldn't import.
                if command == "import" {
                    for secret in Self.secrets {
                        #expect(!run.output.contains(secret), "hk \(command) \(arguments): \(run.output)")
                    }
                }
            }
        }
        #expect(failures > (isDamaged ? 40 : 20), "\(failures) runs failed")
    }

    @Test(
        "Nor what the daemon prints when programs, webhooks and backups fail, over a sound store and a damaged one",
        arguments: [false, true])
    func daemon(isDamaged: Bool) async throws {
        let scratch = Scratch()
        let sound = try scratch.archive(Self.elements, name: "sound.xml")
        _ = try scratch.emptyStore()
        let secret = scratch.file("secret")
        #expect(
            FileManager.default.createFile(
                atPath: secret.path, contents: Data(String(repeating: "k", count: 32).utf8),
                attributes: [.posixPermissions: 0o600]))
        let ways = [
            ["--command", "/bin/sh", "-c", "echo Xanthippe 73193 2019-07-23; exit 3"],
            ["--command", "/bin/sh", "-c", "echo Quetzal >&2; kill -SEGV $$"],
            ["--webhook", "http://127.0.0.1:1/", "--secret-file", secret.path],
        ]
        for (number, way) in ways.enumerated() {
            let run = try CommandRun(
                ["background", "register", "app\(number)", "--type", "stepCount,heartRate"] + way, store: scratch.store)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try CommandRun(["background", "confirm", "app\(number)"], store: scratch.store).status == 0)
        }
        #expect(try CommandRun(["import", sound.path, "--quiet"], store: scratch.store).status == 0)
        let whole = try Data(contentsOf: scratch.store)
        var misses = 0
        for arguments in [
            ["--once"], ["--once", "--json"], ["--once", "--backup", "backups"],
            ["--once", "--backup", "/proc/x", "--json"],
        ] {
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: scratch.store.path + suffix) }
            try (isDamaged ? Self.damaged(whole) : whole).write(to: scratch.store)
            let run = try await CommandRun.finished(
                ["daemon"] + arguments, store: scratch.store, folder: scratch.folder)
            let messages = run.output + run.errors
            misses += messages.ranges(of: isDamaged ? "damage" : "delivery failed").count
            for secret in Self.secrets where messages.contains(secret) {
                Issue.record("hk daemon \(arguments): “\(secret)” in \(messages)")
            }
        }
        #expect(misses > 0)
    }

    /// The store with other bytes in each page behind the schema.
    private static func damaged(_ store: Data) -> Data {
        var store = store
        let size = Int(store[16]) << 8 | Int(store[17])
        let pageSize = size == 1 ? 65_536 : size
        for page in stride(from: 4 * pageSize, to: store.count - pageSize, by: pageSize) {
            for offset in stride(from: pageSize / 2, to: pageSize, by: 7) { store[page + offset] ^= 0x5A }
        }
        return store
    }
}
