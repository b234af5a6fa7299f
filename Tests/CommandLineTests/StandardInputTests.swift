import Foundation
import ProcessTestSupport
import Testing

@Suite("hk import -")
struct StandardInputTests {
    private let scratch = Scratch()

    private func table(_ run: CommandRun) -> String {
        run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2).joined(separator: "\n")
    }

    @Test("Imports XML and zip through a pipe as from a file", arguments: ["demo.xml", "demo.zip"])
    func pipe(name: String) throws {
        let run = try CommandRun(["import", "-"], store: scratch.store, piping: Demo.shared.file(name))
        #expect(run.errors == "" && run.status == 0)
        #expect(table(run) == table(Demo.shared.importRun))
        let again = try CommandRun(["import", "-"], store: scratch.store, piping: Demo.shared.file(name))
        #expect(again.lines.contains { $0.contains(/^all +0 +3,063 +0$/) })
    }

    @Test("Imports redirected XML and zip files", arguments: ["demo.xml", "demo.zip"])
    func redirected(name: String) throws {
        let run = try CommandRun(
            ["import", "-", "--json"], store: scratch.store, piping: Demo.shared.file(name), isRedirected: true)
        #expect((try run.json() as? [String: Any])?["added"] as? Int == 3_063)
    }

    @Test("Imports files of devices and services, alone or in a zip file", arguments: [true, false])
    func otherFiles(isRedirected: Bool) throws {
        let points = (0..<60).map { second in
            "<trkpt lat=\"52\" lon=\"13\"><time>2025-11-10T08:00:\(second < 10 ? "0" : "")\(second)Z</time><hr>120</hr></trkpt>"
        }
        let track = "<gpx><trk><type>running</type><trkseg>\(points.joined())</trkseg></trk></gpx>"
        try Data(track.utf8).write(to: scratch.file("run.gpx"))
        let document =
            #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"date":"2026-02-06 14:30:00 +0000","qty":12}]}]}}"#
        try Data(document.utf8).write(to: scratch.file("steps.json"))
        let made = try CommandRun(
            shell: "cd '\(scratch.folder.path)' && zip -q both.zip run.gpx steps.json && gzip -k run.gpx",
            store: scratch.store)
        try #require(made.status == 0, "\(made.errors)")
        for (name, type) in [
            ("run.gpx", "heartRate"), ("run.gpx.gz", "heartRate"), ("steps.json", "stepCount"),
            ("both.zip", "heartRate"), ("both.zip", "stepCount"),
        ] {
            let store = scratch.file("\(name)-\(type).sqlite")
            let run = try CommandRun(
                ["import", "-", "--json"], store: store, piping: scratch.file(name), isRedirected: isRedirected)
            let types = (try run.json() as? [String: Any])?["types"] as? [String: Int]
            #expect(
                run.status == 0
                    && types?["HKQuantityTypeIdentifier" + type.prefix(1).uppercased() + type.dropFirst()] != nil)
            let imports = try CommandRun(["imports"], store: store)
            #expect(imports.output.contains("standard input") && !imports.output.contains("/proc"))
        }
    }

    @Test("Errors name standard input")
    func errors() throws {
        let whole = try Data(contentsOf: Demo.shared.file("demo.xml"))
        try whole.prefix(100_000).write(to: scratch.file("half.xml"))
        try Data(contentsOf: Demo.shared.file("demo.zip")).prefix(20_000).write(to: scratch.file("half.zip"))
        try Data("dear diary\n".utf8).write(to: scratch.file("diary"))
        try Data().write(to: scratch.file("empty"))
        for (name, message) in [
            ("half.xml", "“standard input” is truncated: it ends at byte 100000, on line "),
            (
                "half.zip",
                "The zip file “standard input” is damaged: it has no directory at its end; it may be cut off. To import what can be read, use --recover.\n"
            ),
            ("diary", "“standard input” is not an Apple Health export: it does not begin like one.\n"),
            ("empty", "“standard input” is not an Apple Health export: it is empty.\n"),
        ] {
            let run = try CommandRun(["import", "-"], store: scratch.store, piping: scratch.file(name))
            #expect(run.status == 1 && run.output == "")
            #expect(run.errors.hasPrefix("Error: " + message), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }

    @Test("A gigabyte in one attribute takes little memory, gives at most one error line, and leaves the store intact")
    func gigabyte() throws {
        let record = """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="100"/>
            """
        let archive = try scratch.archive(record + "\n@\n" + record.replacing("value=\"100\"", with: "value=\"7\""))
        let parts = try String(contentsOf: archive, encoding: .utf8).split(separator: "@")
        try Data((parts[0] + " <Record type=\"").utf8).write(to: scratch.file("head"))
        try Data(("\"/>" + parts[1]).utf8).write(to: scratch.file("tail"))
        // Limits the process to 700 MB of address space, most of which its libraries take.
        let run = try CommandRun(
            shell:
                "(cat '\(scratch.file("head").path)'; head -c 1073741824 /dev/zero | tr '\\0' x; cat '\(scratch.file("tail").path)') | (ulimit -v 700000; exec '\(BuiltProgram.hk.path)' import - --json)",
            store: scratch.store)
        if run.status == 0 {
            let answer = try #require(try run.json() as? [String: Any])
            #expect(answer["added"] as? Int == 2 && answer["skipped"] as? Int == 1)
        } else {
            #expect(
                run.status == 1 && run.errors.hasPrefix("Error: “standard input” has an element of more than "),
                "\(run.errors)")
        }
        #expect(try CommandRun(["doctor"], store: scratch.store).status == 0)
    }

    @Test("A zip bomb is rejected unless --trust-size is given")
    func bomb() throws {
        let record = """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="100"/>
            """
        let text = try String(contentsOf: scratch.archive(record, name: "plain.xml"), encoding: .utf8)
        let (head, tail) = (text.dropLast(14), "</HealthData>\n")
        let made = try CommandRun(
            shell:
                "cd '\(scratch.folder.path)' && printf '%s' \"$HEAD\" > export.xml && head -c 90000000 /dev/zero | tr '\\0' ' ' >> export.xml && printf '%s' '\(tail)' >> export.xml && zip -q -9 bomb.zip export.xml && rm export.xml",
            store: scratch.store, environment: ["HEAD": String(head)])
        try #require(made.status == 0, "\(made.errors)")
        let path = scratch.file("bomb.zip").path
        let rejected = try CommandRun(["import", path], store: scratch.store)
        #expect(rejected.status == 1)
        #expect(
            rejected.errors
                == "Error: “\(path): export.xml” unpacks to more than 250 times its compressed size, which no Apple Health export does. To import it anyway, use --trust-size.\n"
        )
        let accepted = try CommandRun(["import", path, "--trust-size", "--json"], store: scratch.store)
        #expect((try accepted.json() as? [String: Any])?["added"] as? Int == 1)
        #expect(try CommandRun(["doctor"], store: scratch.store).status == 0)
    }
}
